package theatre

import (
	"encoding/binary"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/replay/tbr"
)

// Held is what a player holds in a frame, as actions of the client.
type Held = controls.Action

func duelHeld(b []byte) (held Held) {
	in := duel.Input(binary.LittleEndian.Uint16(b))
	for _, c := range [...]struct {
		button duel.Input
		action Held
	}{{duel.Left, controls.Left}, {duel.Right, controls.Right}, {duel.Jump, controls.Up}, {duel.Attack, controls.A}} {
		if in&c.button != 0 {
			held |= c.action
		}
	}
	return held
}

// far is how far a stick has to be pushed to count as held.
const far = arena.StickEnd / 3

// pushed adds one of two actions if a stick is pushed far enough in its direction.
func pushed(held *Held, v int8, less, more Held) {
	switch {
	case v < -far:
		*held |= less
	case v > far:
		*held |= more
	}
}

func arenaHeld(b []byte) (held Held) {
	pushed(&held, int8(b[0]), controls.Left, controls.Right)
	pushed(&held, int8(b[1]), controls.Up, controls.Down)
	for _, c := range [...]struct {
		button arena.Buttons
		action Held
	}{{arena.Shoot, controls.A}, {arena.Dash, controls.B}, {arena.Shield, controls.C}} {
		if arena.Buttons(b[2])&c.button != 0 {
			held |= c.action
		}
	}
	return held
}

func tanksHeld(b []byte) (held Held) {
	pushed(&held, int8(b[0]), controls.Left, controls.Right)
	pushed(&held, int8(b[1]), controls.Down, controls.Up)
	if tanks.Buttons(b[2])&tanks.Fire != 0 {
		held |= controls.A
	}
	return held
}

// Inputs reads what players hold, frame by frame. Make one with [File.Inputs].
type Inputs struct {
	f      *File
	cursor *tbr.Cursor // before frame next
	next   uint32
	at     uint32
	known  bool // held and gone are those of frame at
	held   [recordings.MaxPlayers]Held
	gone   uint16
}

// Inputs returns a reader of inputs.
func (f *File) Inputs() *Inputs { return &Inputs{f: f} }

// At returns what all players hold in a frame, and which are not present: bit p for player p. It returns false if the
// recording has no such frame or is damaged.
func (i *Inputs) At(frame uint32) (held [recordings.MaxPlayers]Held, gone uint16, ok bool) {
	if i.known && frame == i.at {
		return i.held, i.gone, true
	}
	i.known = false
	if i.cursor == nil || frame != i.next {
		c, err := i.f.Reader.Frames(frame)
		if err != nil {
			return held, 0, false
		}
		i.cursor, i.next = c, frame
	}
	f, err := i.cursor.Next()
	if err != nil {
		i.cursor = nil
		return held, 0, false
	}
	i.next, i.at, i.known, i.gone = frame+1, frame, true, f.Gone
	size := i.f.Header().Shape.InputSize
	i.held = [recordings.MaxPlayers]Held{}
	for p := range i.f.Header().Shape.Players {
		i.held[p] = i.f.kind.held(f.Inputs[p*size : (p+1)*size])
	}
	return i.held, i.gone, true
}
