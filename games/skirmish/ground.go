package skirmish

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/world/nav"
)

// Ground is the terrain of a cell.
type Ground uint8

// The kinds of ground.
const (
	Grass Ground = iota
	Wood         // units are slower there
	Rock         // units cannot enter it
	Water        // units cannot enter it
)

var groundNames = [...]string{"grass", "wood", "rock", "water"}

// String names the kind of ground.
func (g Ground) String() string { return name(groundNames[:], uint8(g)) }

// Open reports whether units can enter this ground.
func (g Ground) Open() bool { return g < Rock }

// Cost returns the cost of entering a cell with this ground, for package nav.
func (g Ground) Cost() uint8 {
	switch g {
	case Grass:
		return 1
	case Wood:
		return 2
	}
	return nav.Blocked
}

// Setup is the configuration of a match.
type Setup struct {
	Seed    uint64
	Size    int  // the size of the map, in cells along each side: a multiple of 16, MinSize to MaxSize
	Players int  // 2 to MaxPlayers; 0: as many as the match has
	Units   int  // the number of units that each player begins with, 0 to MaxUnits
	Bots    bool // bots play for players who are not there; otherwise their units only defend themselves
	Endless bool // no side loses, and fallen units return, for measurements: see [World.Endless]
}

// The limits of a [Setup].
const (
	MinSize    = 64
	MaxSize    = 512
	MaxPlayers = 8
	MaxUnits   = 5000 // per player at the beginning; at any time, all players together have at most MaxAll
	MaxAll     = 20000
)

// Limits on other things that exist in a match at the same time: no more of them are made.
const (
	MaxShots     = 4 * MaxAll
	MaxBuildings = 2048
)

// ErrSetup means that no match can be played with a setup.
var ErrSetup = errors.New("skirmish: no match has such a setup")

// Check returns what is wrong with a setup. The error wraps [ErrSetup].
func (s Setup) Check() error {
	if s.Size < MinSize || s.Size > MaxSize || s.Size%16 != 0 {
		return setupf("a map of %d cells along each side, want a multiple of 16 from %d to %d", s.Size, MinSize, MaxSize)
	}
	if s.Players != 0 {
		if err := checkPlayers(s.Players); err != nil {
			return err
		}
	}
	if s.Units < 0 || s.Units > MaxUnits || s.Units*s.Players > MaxAll {
		return setupf("%d units for each of %d players, want at most %d for each, and %d in all", s.Units, s.Players, MaxUnits, MaxAll)
	}
	return nil
}

// checkPlayers refuses numbers of players that no match can have.
func checkPlayers(n int) error {
	if n < 2 || n > MaxPlayers {
		return setupf("%d players, want 2 to %d", n, MaxPlayers)
	}
	return nil
}

func setupf(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrSetup, fmt.Errorf(format, args...))
}

// Map is the map of a match, made from its setup: the ground before anything is built, and the
// places of the sides and the mines.
type Map struct {
	Size   int
	Ground []Ground // the ground of all cells, row by row
	Starts []Point  // the middle of the keep of each player
	Mines  []Point  // the north-western cell of each mine
}

// Point is a cell of the map.
type Point struct{ X, Y int16 }

// Vec returns the middle of the cell.
func (p Point) Vec() fixed.Vec2 {
	return fixed.Vec2{X: fixed.FromInt(int64(p.X)) + fixed.Half, Y: fixed.FromInt(int64(p.Y)) + fixed.Half}
}

// At returns the ground of a cell, and rock outside of the map.
func (m *Map) At(x, y int) Ground {
	if uint(x) >= uint(m.Size) || uint(y) >= uint(m.Size) {
		return Rock
	}
	return m.Ground[y*m.Size+x]
}

// NewMap makes the map of a setup: the same setup always gives the same map. All starts lie on a
// circle, and can be reached from each other. The error is that of [Setup.Check]; a setup without a
// number of players has no map.
func NewMap(s Setup) (*Map, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := checkPlayers(s.Players); err != nil {
		return nil, err
	}
	m := &Map{Size: s.Size, Ground: make([]Ground, s.Size*s.Size)}
	r := rng.New(s.Seed ^ 0x6d61702d736b6972)
	m.paint(&r)
	m.place(s.Players, &r)
	for i := range m.Starts {
		m.clear(m.Starts[i], 9)
	}
	for _, p := range m.Mines {
		m.clear(Point{p.X + 1, p.Y + 1}, 4)
	}
	for _, p := range m.Starts[1:] {
		m.join(m.Starts[0], p)
	}
	for _, p := range m.Mines {
		m.join(m.Starts[0], p)
	}
	return m, nil
}

// paint covers the map with lakes, rocks and woods: smooth noise above thresholds.
func (m *Map) paint(r *rng.Xorshift128Plus) {
	high, low := newNoise(m.Size, 16, r), newNoise(m.Size, 8, r)
	for y := range m.Size {
		for x := range m.Size {
			h := high.at(x, y)*2 + low.at(x, y) // 0 to 3 * 255
			g := Grass
			switch {
			case h > 515:
				g = Rock
			case h > 455:
				g = Wood
			case h < 245:
				g = Water
			}
			m.Ground[y*m.Size+x] = g
		}
	}
}

// place puts the starts on a circle, beginning at a random angle, with mines near each and in the
// middle between neighbours.
func (m *Map) place(players int, r *rng.Xorshift128Plus) {
	middle := fixed.FromInt(int64(m.Size)) / 2
	radius := fixed.FromInt(int64(m.Size)).Mul(fixed.FromRatio(38, 100))
	turn := fixed.Num(r.Next() % uint64(2*fixed.Pi))
	at := func(angle, far fixed.Num) Point {
		sin, cos := fixed.SinCos(angle)
		return Point{int16((middle + far.Mul(cos)).Int()), int16((middle + far.Mul(sin)).Int())}
	}
	step := 2 * fixed.Pi / fixed.Num(players)
	for p := range fixed.Num(players) {
		angle := turn + step*p
		m.Starts = append(m.Starts, at(angle, radius))
		m.Mines = append(m.Mines, at(angle+fixed.FromRatio(1, 6), radius-fixed.FromInt(8)), at(angle+step/2, radius.Mul(fixed.FromRatio(3, 5))))
	}
}

// clear makes a disc of grass.
func (m *Map) clear(p Point, radius int) {
	for dy := -radius; dy <= radius; dy++ {
		for dx := -radius; dx <= radius; dx++ {
			x, y := int(p.X)+dx, int(p.Y)+dy
			if dx*dx+dy*dy <= radius*radius && uint(x) < uint(m.Size) && uint(y) < uint(m.Size) {
				m.Ground[y*m.Size+x] = Grass
			}
		}
	}
}

// join cuts a way through obstacles, unless there is one already.
func (m *Map) join(a, b Point) {
	if m.reaches(a, b) {
		return
	}
	for x, y := int(a.X), int(a.Y); x != int(b.X) || y != int(b.Y); {
		dx, dy := int(b.X)-x, int(b.Y)-y
		if dx*dx >= dy*dy {
			x += sign(dx)
		} else {
			y += sign(dy)
		}
		m.clear(Point{int16(x), int16(y)}, 2)
	}
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// reaches reports whether b can be reached from a by straight steps.
func (m *Map) reaches(a, b Point) bool {
	seen := make([]bool, len(m.Ground))
	start, goal := int(a.Y)*m.Size+int(a.X), int(b.Y)*m.Size+int(b.X)
	queue := []int{start}
	seen[start] = true
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		if c == goal {
			return true
		}
		x, y := c%m.Size, c/m.Size
		for _, d := range [...][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}} {
			if nx, ny := x+d[0], y+d[1]; m.At(nx, ny).Open() && !seen[ny*m.Size+nx] {
				seen[ny*m.Size+nx] = true
				queue = append(queue, ny*m.Size+nx)
			}
		}
	}
	return false
}

// noise is smooth noise: random values at the corners of squares, interpolated in between.
type noise struct {
	cell, across int
	corners      []uint8
}

func newNoise(size, cell int, r *rng.Xorshift128Plus) noise {
	n := noise{cell: cell, across: size/cell + 2}
	n.corners = make([]uint8, n.across*n.across)
	for i := range n.corners {
		n.corners[i] = uint8(r.Next() >> 56)
	}
	return n
}

// at returns a value from 0 to 255.
func (n *noise) at(x, y int) int {
	i, j := x/n.cell, y/n.cell
	fx, fy := x%n.cell, y%n.cell
	c := func(i, j int) int { return int(n.corners[j*n.across+i]) }
	top := c(i, j)*(n.cell-fx) + c(i+1, j)*fx
	bottom := c(i, j+1)*(n.cell-fx) + c(i+1, j+1)*fx
	return (top*(n.cell-fy) + bottom*fy) / (n.cell * n.cell)
}
