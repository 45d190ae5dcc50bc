package tickbacktest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// world is a game that owns its memory: units that come and go.
type world struct {
	Tick  uint32
	Units []unit
	Score [2]int32
	Last  string // what was ordered last
	names []string
}

type unit struct{ X, Life int32 }

// worldSlot is a snapshot of the world.
type worldSlot struct {
	tick  uint32
	units []unit
	score [2]int32
	last  string
}

func (w *world) step(t *rollback.Tick[pad]) {
	w.Tick++
	for p := range t.Players() {
		if in := t.Input(p); in.Buttons&buttonX != 0 && len(w.Units) < 20 {
			w.Units = append(w.Units, unit{X: int32(in.Stick), Life: 10 + int32(p)})
		}
		if o := t.Orders(p); len(o) > 0 {
			w.Last = string(o)
		}
	}
	for i := range w.Units {
		w.Units[i].X++
		if w.Units[i].Life--; w.Units[i].Life == 0 {
			w.Score[i%2]++
		}
	}
	w.Units = slices.DeleteFunc(w.Units, func(u unit) bool { return u.Life == 0 })
}

func (w *world) save(v *worldSlot) {
	v.tick, v.score, v.last = w.Tick, w.Score, w.Last
	v.units = append(v.units[:0], w.Units...)
}

func (w *world) restore(v *worldSlot) {
	w.Tick, w.Score, w.Last = v.tick, v.score, v.last
	w.Units = append(w.Units[:0], v.units...)
}

func (w *world) encode(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, w.Tick)
	b = binary.LittleEndian.AppendUint32(b, uint32(w.Score[0]))
	b = binary.LittleEndian.AppendUint32(b, uint32(w.Score[1]))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.Last)))
	b = append(b, w.Last...)
	for _, u := range w.Units {
		b = binary.LittleEndian.AppendUint32(b, uint32(u.X))
		b = binary.LittleEndian.AppendUint32(b, uint32(u.Life))
	}
	return b
}

func (w *world) decode(b []byte) error {
	if len(b) < 16 {
		return errors.New("too short")
	}
	n := int(binary.LittleEndian.Uint32(b[12:]))
	if n < 0 || n > len(b)-16 || (len(b)-16-n)%8 != 0 {
		return errors.New("of a wrong length")
	}
	w.Tick = binary.LittleEndian.Uint32(b)
	w.Score = [2]int32{int32(binary.LittleEndian.Uint32(b[4:])), int32(binary.LittleEndian.Uint32(b[8:]))}
	w.Last = string(b[16 : 16+n])
	w.Units = nil
	for b = b[16+n:]; len(b) > 0; b = b[8:] {
		w.Units = append(w.Units, unit{int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:]))})
	}
	return nil
}

// shown is the world for Describe.
type shown struct {
	Tick  uint32
	Units []unit
	Score [2]int32
	Last  string
}

type worldGame = rollback.OwnMemory[world, worldSlot, pad]

// worlds returns the correct game, with all capabilities.
func worlds() worldGame {
	return worldGame{
		Init:    func(w *world) { *w = world{Units: w.Units[:0], names: []string{"scratch"}} },
		Step:    (*world).step,
		Save:    (*world).save,
		Restore: (*world).restore,
		Hash: func(w *world) uint64 {
			h, _ := canon.HashAny(w.encode(nil))
			return h
		},
		Equal: func(w *world, v *worldSlot) bool {
			return w.Tick == v.tick && w.Score == v.score && w.Last == v.last && slices.Equal(w.Units, v.units)
		},
		Marshal:   func(b []byte, w *world) ([]byte, error) { return w.encode(b), nil },
		Unmarshal: (*world).decode,
		Describe:  func(w *world) any { return shown{w.Tick, slices.Clone(w.Units), w.Score, w.Last} },
		New:       func() *world { return new(world) },
	}
}

// Positive control: a game that owns its memory passes everything.
func TestAGameWithItsOwnMemoryPasses(t *testing.T) {
	Check(t, worlds(), Options[pad]{MaxOrders: 8})
}

// A game passes whichever capabilities it has.
func TestAGamePassesWithWhatItGives(t *testing.T) {
	for name, take := range map[string]func(g *worldGame){
		"Init":         func(g *worldGame) { g.Init = nil },
		"Hash":         func(g *worldGame) { g.Hash = nil },
		"Equal":        func(g *worldGame) { g.Equal = nil },
		"Marshal":      func(g *worldGame) { g.Marshal, g.Unmarshal = nil, nil },
		"Describe":     func(g *worldGame) { g.Describe = nil },
		"New":          func(g *worldGame) { g.New = nil },
		"Save":         func(g *worldGame) { g.Save, g.Restore, g.Equal = nil, nil, nil },
		"all but Step": func(g *worldGame) { *g = worldGame{Step: g.Step} },
	} {
		t.Run(name, func(t *testing.T) {
			game := worlds()
			take(&game)
			Check(t, game, Options[pad]{MaxOrders: 8, Frames: 60})
		})
	}
}

// A check that was called directly and is impossible fails with the reason.
func TestRefusesWhatTheGameCannotDo(t *testing.T) {
	game := worlds()
	game.New = nil
	reports(t, func(t testing.TB) { Twins(t, game, Options[pad]{}) }, "gives no New", "two instances")
	game.Save, game.Restore = nil, nil
	reports(t, func(t testing.TB) { SyncTest(t, game, Options[pad]{}) }, "gives no Save", "sync test")
	game.Hash = func(*world) uint64 { return bytes.MinRead }
	reports(t, func(t testing.TB) { Purity(t, game, Options[pad]{}) }, "Hash does not see it")
	game.Describe, game.Equal = nil, nil
	reports(t, func(t testing.TB) { Purity(t, game, Options[pad]{}) }, "the hash of the state is 0x200 in every frame")
}
