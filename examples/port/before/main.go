// Command before is a game for two people at one keyboard, as it was before it went online: floats, pointers, a map,
// the clock and random numbers. W, A, D and S fly and fire one ship, I, J, L and K the other, and Q ends it. The folder
// after has the same game online.
package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

const width, height = 78.0, 22.0

type ship struct {
	x, y, vx, vy, angle float64
	keys                string // turn left, turn right, thrust, fire
	score               int
	fired               time.Time
	target              *rock // the last rock that it has hit
}

type rock struct{ x, y, vx, vy, size float64 }

type shot struct {
	x, y, vx, vy float64
	by           *ship
	since        time.Time
}

type game struct {
	ships   []*ship
	rocks   map[int]*rock
	shots   []*shot
	made    int
	spawned time.Time
}

// record is the highest score so far.
var record int

func newGame() *game {
	return &game{
		ships: []*ship{
			{x: width / 4, y: height / 2, keys: "adws"},
			{x: width * 3 / 4, y: height / 2, angle: math.Pi, keys: "jlik"},
		},
		rocks: map[int]*rock{},
	}
}

// update moves everything by dt seconds.
func (g *game) update(dt float64) {
	for _, s := range g.ships {
		s.fly(g, dt)
	}
	if time.Since(g.spawned) > 1500*time.Millisecond && len(g.rocks) < 12 {
		g.spawned = time.Now()
		g.spawn(rand.Float64()*width, 0, 2.5)
	}
	for _, r := range g.rocks {
		r.x, r.y = wrap(r.x+r.vx*dt, width), wrap(r.y+r.vy*dt, height)
		for _, s := range g.ships {
			if math.Hypot(s.x-r.x, s.y-r.y) < r.size {
				s.score--
				s.vx, s.vy = (s.x-r.x)*8, (s.y-r.y)*8
			}
		}
	}
	kept := g.shots[:0]
	for _, b := range g.shots {
		b.x, b.y = wrap(b.x+b.vx*dt, width), wrap(b.y+b.vy*dt, height)
		if time.Since(b.since) < time.Second && !g.hit(b) {
			kept = append(kept, b)
		}
	}
	g.shots = kept
}

func (s *ship) fly(g *game, dt float64) {
	if pressed(s.keys[0]) {
		s.angle -= 4 * dt
	}
	if pressed(s.keys[1]) {
		s.angle += 4 * dt
	}
	if pressed(s.keys[2]) {
		s.vx += math.Cos(s.angle) * 30 * dt
		s.vy += math.Sin(s.angle) * 15 * dt
	}
	if pressed(s.keys[3]) && time.Since(s.fired) > 300*time.Millisecond {
		s.fired = time.Now()
		g.shots = append(g.shots, &shot{
			x: s.x, y: s.y, by: s, since: time.Now(),
			vx: s.vx + math.Cos(s.angle)*40, vy: s.vy + math.Sin(s.angle)*20,
		})
	}
	s.x, s.y = wrap(s.x+s.vx*dt, width), wrap(s.y+s.vy*dt, height)
}

// hit reports whether a shot hits a rock, which then falls into two, or is gone.
func (g *game) hit(b *shot) bool {
	for id, r := range g.rocks {
		if math.Hypot(b.x-r.x, b.y-r.y) > r.size {
			continue
		}
		delete(g.rocks, id)
		b.by.target = r
		if b.by.score++; b.by.score > record {
			record = b.by.score
		}
		if r.size > 1 {
			g.spawn(r.x, r.y, r.size/2)
			g.spawn(r.x, r.y, r.size/2)
		}
		return true
	}
	return false
}

func (g *game) spawn(x, y, size float64) {
	angle := rand.Float64() * 2 * math.Pi
	g.made++
	g.rocks[g.made] = &rock{x, y, math.Cos(angle) * 12 / size, math.Sin(angle) * 6 / size, size}
}

func wrap(v, most float64) float64 { return math.Mod(v+most, most) }

// draw paints the game on the terminal.
func (g *game) draw() {
	var picture [int(height)][]byte
	for y := range picture {
		picture[y] = []byte(strings.Repeat(" ", int(width)))
	}
	put := func(x, y float64, c byte) { picture[int(y)][int(x)] = c }
	for _, r := range g.rocks {
		for a := 0.0; a < 2*math.Pi; a += 0.5 {
			put(wrap(r.x+r.size*math.Cos(a), width), wrap(r.y+r.size*math.Sin(a)/2, height), '#')
		}
	}
	for _, b := range g.shots {
		put(b.x, b.y, '.')
	}
	for i, s := range g.ships {
		put(s.x, s.y, 'A'+byte(i))
		put(wrap(s.x+1.5*math.Cos(s.angle), width), wrap(s.y+math.Sin(s.angle), height), '+')
	}
	fmt.Printf("\x1b[H A %d   B %d   record %d\x1b[K\r\n", g.ships[0].score, g.ships[1].score, record)
	for _, line := range picture {
		fmt.Printf("%s\x1b[K\r\n", line)
	}
}

var (
	mu   sync.Mutex
	keys = map[byte]time.Time{} // when each was last seen: a terminal repeats a key that is held
)

func pressed(key byte) bool {
	mu.Lock()
	defer mu.Unlock()
	return time.Since(keys[key]) < 150*time.Millisecond
}

func main() {
	old, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		fmt.Fprintln(os.Stderr, "this needs a terminal:", err)
		os.Exit(1)
	}
	defer term.Restore(int(os.Stdin.Fd()), old)
	go func() {
		for in := bufio.NewReader(os.Stdin); ; {
			key, err := in.ReadByte()
			if err != nil {
				return
			}
			mu.Lock()
			keys[key] = time.Now()
			mu.Unlock()
		}
	}()
	fmt.Print("\x1b[2J")
	g, last := newGame(), time.Now()
	for range time.Tick(time.Second / 60) {
		if pressed('q') {
			return
		}
		g.update(time.Since(last).Seconds())
		last = time.Now()
		g.draw()
	}
}
