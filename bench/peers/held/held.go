// Package held makes the inputs of the comparison: buttons that are held for some frames, as people hold them. The
// programs in Rust make the same ones; testdata/held.txt is what both must make.
package held

// MaxHold is the longest time, in frames, that a player holds the same buttons. The mean is (MaxHold + 1) / 2.
const MaxHold = 11

// Buttons is how many different inputs there are: each is a number below it.
const Buttons = 16

// Player makes the inputs of one player, one for each frame. The zero value is not valid; see [New].
type Player struct {
	x    uint32
	left uint32
	held uint16
}

// New returns the inputs of a player of a match. Any seed will do, and any player from 0 on.
func New(seed uint32, player int) Player {
	x := seed*2654435761 ^ uint32(player+1)*0x9E3779B9
	if x == 0 {
		x = 1 // which xorshift would never leave
	}
	return Player{x: x}
}

// Next returns the input of the next frame.
func (p *Player) Next() uint16 {
	if p.left == 0 {
		p.left = 1 + p.draw()>>16%MaxHold
		p.held = uint16(p.draw() >> 20 % Buttons)
	}
	p.left--
	return p.held
}

// draw is a step of xorshift32.
func (p *Player) draw() uint32 {
	p.x ^= p.x << 13
	p.x ^= p.x >> 17
	p.x ^= p.x << 5
	return p.x
}

// Table has the inputs of all players of a match, so that what makes them is not measured.
type Table struct {
	rows [][]uint16
}

// NewTable returns the inputs of that many players for that many frames. After the last frame it begins again.
func NewTable(seed uint32, players, frames int) *Table {
	t := &Table{rows: make([][]uint16, players)}
	for p := range t.rows {
		player := New(seed, p)
		t.rows[p] = make([]uint16, frames)
		for f := range t.rows[p] {
			t.rows[p][f] = player.Next()
		}
	}
	return t
}

// At returns the input of a player in a frame, which is 0 or more.
func (t *Table) At(player, frame int) uint16 {
	row := t.rows[player]
	return row[frame%len(row)]
}
