package controls

import (
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/words"
)

// Action is an action of a player: a bit of a mask.
type Action uint8

// The actions. All games have these; each game decides what the buttons do. In the duel A attacks and Up jumps; in
// the arena A shoots, B dashes and C shields.
const (
	Left Action = 1 << iota
	Right
	Up
	Down
	A
	B
	C
)

// Actions lists all actions, in the order of the settings.
var Actions = [...]Action{Left, Right, Up, Down, A, B, C}

var names = map[Action]string{
	Left: words.K("Left"), Right: words.K("Right"), Up: words.K("Up / jump"), Down: words.K("Down"),
	A: words.K("Attack / shoot"), B: words.K("Dash"), C: words.K("Shield"),
}

// String returns the name of a single action for people, in the current language.
func (a Action) String() string { return words.T(names[a]) }

const (
	// Seats is how many players can sit at one machine.
	Seats = 4
	// KeysEach is how many keys an action can have.
	KeysEach = 4
)

// Key is a key of a keyboard by its position, as browsers name it: "KeyA", "ArrowLeft".
type Key string

// Binding is the list of the keys of an action; "" means no key.
type Binding [KeysEach]Key

// Map has the bindings of each seat's actions, by seat and index in [Actions].
type Map [Seats][len(Actions)]Binding

// Default returns the default bindings: two players at one keyboard, and gamepads for all.
func Default() Map {
	return Map{
		{{"KeyA"}, {"KeyD"}, {"KeyW", "Space"}, {"KeyS"}, {"KeyJ"}, {"KeyK"}, {"KeyL"}},
		{{"ArrowLeft"}, {"ArrowRight"}, {"ArrowUp", "ShiftRight"}, {"ArrowDown"}, {"Enter"}, {"Period"}, {"Comma"}},
	}
}

// Alone returns the bindings of a player who has the whole keyboard: those of the first two seats.
func (m *Map) Alone() Map {
	all := *m
	for i := range all[0] {
		mine, next := &all[0][i], 0
		for _, k := range m[1][i] {
			for next < KeysEach && mine[next] != "" {
				next++
			}
			if k != "" && next < KeysEach {
				mine[next] = k
			}
		}
	}
	all[1] = [len(Actions)]Binding{}
	return all
}

// Bind binds a key to an action of a seat, and removes it from all others.
func (m *Map) Bind(seat, action int, k Key) {
	for s := range m {
		for a := range m[s] {
			for i := range m[s][a] {
				if m[s][a][i] == k {
					m[s][a][i] = ""
				}
			}
		}
	}
	m[seat][action] = Binding{k}
}

// Pad is a gamepad, or has the ID NoPad in the place of a disconnected one. Held combines its stick, cross and
// buttons, in the standard layout.
type Pad struct {
	ID    int
	Held  Action
	Start bool
}

// Devices is the input at one moment, in units of the screen.
type Devices struct {
	Keys []Key
	// Text is what was typed since the last moment, for text fields.
	Text []rune
	Pads []Pad
	// Pointer is the mouse, or the first finger; Down says whether it touches. Right and Middle are the other buttons
	// of a mouse. Wheel is how many lines the wheel was turned since the last moment.
	Pointer       draw.Point
	Down          bool
	Right, Middle bool
	Wheel         float32
	// Touches are all fingers, and Touch says that there was one recently.
	Touches []draw.Point
	Touch   bool
	// Density is how many units of the screen there are in a point, the unit of sizes on screens; 0 means 1.
	Density float32
	// Lost says that the player has just lost the controls: another window has the focus, or a gamepad was
	// disconnected.
	Lost bool
}

// Has reports whether a key is held.
func (d *Devices) Has(k Key) bool {
	for _, held := range d.Keys {
		if held == k {
			return true
		}
	}
	return false
}

// Held returns the actions that a seat holds: on the keyboard, and on the gamepad with its number.
func (m *Map) Held(d *Devices, seat int) (held Action) {
	if seat < 0 || seat >= Seats {
		return 0
	}
	for i, b := range m[seat] {
		for _, k := range b {
			if k != "" && d.Has(k) {
				held |= Actions[i]
			}
		}
	}
	if seat < len(d.Pads) {
		held |= d.Pads[seat].Held
	}
	return held
}
