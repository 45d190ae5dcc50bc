// Package window is a game as window libraries want it: a type with Update, Draw and Layout, which holds files,
// functions, channels and a logger besides.
package window

import (
	"log"
	"os"
	"time"
	"unsafe"
)

// Sprite is something that moves.
type Sprite struct {
	X, Y   float64
	OnHit  func(by *Sprite)
	Parent *Sprite
	Any    any
}

// Game is given to a window.
type Game struct {
	sprites map[string]*Sprite
	order   []*Sprite
	save    *os.File
	log     *log.Logger
	done    chan struct{}
	raw     unsafe.Pointer
	handle  uintptr
	pace    time.Duration
	started time.Time
}

// NewGame makes a game.
func NewGame() *Game { return &Game{sprites: map[string]*Sprite{}, started: time.Now()} }

// Update computes a frame.
func (g *Game) Update() error {
	for _, s := range g.sprites {
		s.Update(g.pace)
		g.order = append(g.order, s)
	}
	if time.Since(g.started) > time.Minute {
		close(g.done)
	}
	return nil
}

// Update moves a sprite.
func (s *Sprite) Update(d time.Duration) {
	s.X += d.Seconds()
	if s.OnHit != nil {
		s.OnHit(s.Parent)
	}
}
