package robots

import (
	"github.com/tickback/tickback/rng"
)

// The numbers of the rules. Times are in ticks.
const (
	MaxPlayers  = 4
	Size        = 24 // the size of the grid, in cells
	FullHp      = 40
	WinScore    = 3
	MaxBullets  = 32
	MaxMines    = 64
	BulletLife  = 16
	BulletSpeed = 2 // cells per tick
	Reload      = 8
	Down        = 40  // from being destroyed until it is back
	MineLife    = 400 // until a mine goes off by itself

	bulletDamage = 20
	mineDamage   = 30
)

// World is the live game. It has everything that a plain state cannot have, and
// its links are drawn here once:
//
//	Robots ─┬─> Robot 0 ── Target ──> Robot 1 ── Target ──> Robot 0 …   a cycle
//	        └─> Robot 1    Next ────> Robot 1    Next ────> Robot 0 …   the ring of turns
//	Bullets ──> Bullet ─── Next ────> Bullet ─── By ──────> Robot       a list
//	              ^── Last of the robot that has fired it               shared with it
//	Mines[cell] ─> Mine ── By ──────> Robot
type World struct {
	Frame   uint32
	LastID  uint32 // the newest id of a bullet or mine; in a ported game it is elsewhere
	Winner  uint8  // a player's number + 1, or 0
	Rng     rng.Xorshift128Plus
	Robots  []*Robot // by player
	First   *Robot   // whose turn came first in the last tick; nil without robots
	Bullets *Bullet  // the newest one
	Mines   map[Cell]Mine

	// The fields below are not state.
	ported bool      `canon:"-"`
	flying int       `canon:"-"` // the length of the list of bullets
	free   *Bullet   `canon:"-"` // bullets to use again
	cells  []Cell    `canon:"-"` // for sorting the keys of Mines
	list   []*Bullet `canon:"-"` // for finding bullets by index
	image  Snapshot  `canon:"-"` // for Hash, Equal and Marshal
	bytes  []byte    `canon:"-"` // for Hash
}

// Robot is one player's robot. Body is what can be copied by assignment; the rest cannot, since a copy would
// still point into the game from which it was made.
type Robot struct {
	Body
	Target *Robot  // the robot that it has locked on; nil before that
	Last   *Bullet // its newest bullet that still flies, or nil
	Next   *Robot  // whose turn comes after this one's: a ring of all robots
	VM     VM
}

// Body is the plain part of a robot.
type Body struct {
	Player uint8
	Dir    Dir
	At     Cell
	Hp     int16
	Reload uint16 // ticks until it can fire
	Down   uint16 // ticks until it is back, if Hp is 0
	Score  uint16
}

// Bullet is a bullet in the air.
type Bullet struct {
	Shot
	By   *Robot
	Next *Bullet // the next older one
}

// Shot is the plain part of a bullet.
type Shot struct {
	ID   uint32
	At   Cell
	Dir  Dir
	Life uint8 // ticks that are left
}

// Mine is a mine; where it lies is its key in World.Mines.
type Mine struct {
	ID    uint32
	Until uint32 // the frame at which it goes off by itself
	By    *Robot
}

// Cell is a cell of the grid: y * Size + x.
type Cell uint16

const cells = Size * Size

func (c Cell) x() int32 { return int32(c % Size) }
func (c Cell) y() int32 { return int32(c / Size) }

// Dir is where a robot looks or a bullet flies.
type Dir uint8

// The directions, clockwise. South is down the screen.
const (
	East Dir = iota
	South
	West
	North

	dirs = 4
)

// ahead returns the neighbour in a direction, unless the wall is there.
func (c Cell) ahead(d Dir) (Cell, bool) {
	switch {
	case d == East && c.x() < Size-1:
		return c + 1, true
	case d == South && c.y() < Size-1:
		return c + Size, true
	case d == West && c.x() > 0:
		return c - 1, true
	case d == North && c.y() > 0:
		return c - Size, true
	}
	return c, false
}

// reset makes w state 0 of a match, whatever it was, and keeps its memory. There are no robots yet: the
// number of players is only known in the first step.
func (w *World) reset(seed uint64) {
	w.clear()
	w.Frame, w.Winner, w.Rng, w.First = 0, 0, rng.New(seed), nil
	w.Robots = w.Robots[:0]
	*w.serial() = 0 //detlint:ignore globals the ported game keeps its global on purpose, and saves it with the state
}

// clear takes all bullets and mines off the field.
func (w *World) clear() {
	for w.Bullets != nil {
		w.recycle(&w.Bullets)
	}
	if w.Mines == nil {
		w.Mines = make(map[Cell]Mine, MaxMines)
	}
	clear(w.Mines)
}

// robot adds a robot to the end of Robots, with the memory of one that was there
// before, if any. Its fields are for the caller to set.
func (w *World) robot() *Robot {
	n := len(w.Robots)
	if n == cap(w.Robots) {
		w.Robots = append(w.Robots, new(Robot))
		return w.Robots[n]
	}
	w.Robots = w.Robots[:n+1]
	if w.Robots[n] == nil {
		w.Robots[n] = new(Robot)
	}
	return w.Robots[n]
}

// bullet takes a bullet from the free list, or makes one.
func (w *World) bullet() *Bullet {
	b := w.free
	if b == nil {
		b = new(Bullet)
	} else {
		w.free = b.Next
	}
	w.flying++
	return b
}

// recycle takes the bullet that a link points to out of the list. Nothing may point to it any more: its memory will be
// another bullet.
func (w *World) recycle(link **Bullet) {
	b := *link
	*link = b.Next
	if b.By.Last == b {
		b.By.Last = nil
	}
	*b = Bullet{Next: w.free}
	w.free = b
	w.flying--
}
