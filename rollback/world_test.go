package rollback_test

import (
	"errors"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

type (
	Frame     = rollback.Frame
	Player    = rollback.Player
	PlayerSet = rollback.PlayerSet
	button    uint8
)

// The effects of the model game.
var (
	hit   = effects.OneShot[uint8](1, "hit")
	hum   = effects.Sustained[uint8](2, "hum")
	ko    = effects.OneShot[struct{}](3, "ko").OnlyConfirmed()
	kinds = []effects.Declaration{hit, hum, ko}
)

// moment is the input of the simulation of a frame.
type moment struct {
	in     [rollback.MaxPlayers]button
	orders [rollback.MaxPlayers]string
	gone   PlayerSet
}

// world is the state of the model game. Style says how it steps: from never
// forgetting an input to forgetting it at once.
type world struct {
	Sum   uint64
	Level [rollback.MaxPlayers]uint8
	Style uint8
}

const (
	chaining  uint8 = iota // never the same state again
	clamping               // two levels each, soon the same again
	following              // the last input, which is the same again at once
	styles
)

// step is the whole game.
func (w *world) step(m *moment, players Player, f Frame, out *effects.Emitter) (finished bool, result uint64) {
	for p := range players {
		in := m.in[p]
		switch level := &w.Level[p]; w.Style {
		case chaining:
			w.Sum = (w.Sum + uint64(in) + 1) * 0x9e3779b97f4a7c15
			for _, c := range []byte(m.orders[p]) {
				w.Sum = (w.Sum ^ uint64(c)) * 0xbf58476d1ce4e5b9
			}
			w.Sum ^= w.Sum>>29 + uint64(m.gone)<<7
		case clamping:
			*level = uint8(min(max(int(*level)+int(in&3)-1, 0), 2))
			if m.gone.Has(p) {
				*level = 9
			}
			*level += uint8(len(m.orders[p]) & 1 << 3)
		default:
			*level = uint8(in>>1) + uint8(len(m.orders[p]))<<4
		}
		if in == 13 || w.Style == chaining && w.Sum>>57 == 7 {
			finished, result = true, w.Sum^uint64(p)<<8^uint64(w.Level[p])
		}
		w.emit(p, in, out)
	}
	return finished, result
}

func (w *world) emit(p Player, in button, out *effects.Emitter) {
	if in&3 == 2 {
		hit.Emit(out, uint32(p), w.Level[p])
	}
	if in&4 != 0 {
		hum.Emit(out, uint32(p), uint8(w.Sum))
	}
	if in == 11 {
		ko.Emit(out, uint32(p), struct{}{})
	}
}

// simulated is one run of a frame.
type simulated struct {
	frame Frame
	moment
	known PlayerSet
	again bool
}

// tape records what the engine has run since it was last read.
type tape struct {
	runs  []simulated
	led   []simulated // those that were run ahead
	liar  Frame       // negative control: the step is wrong in this frame
	blind bool        // do not record
}

// run steps a world for an engine.
func (tp *tape) run(w *world, t *rollback.Tick[button]) {
	s := simulated{frame: t.Frame(), again: t.Resimulating()}
	for p := range t.Players() {
		s.in[p] = t.Input(p)
		if o := t.Orders(p); tp.blind {
			// A string that is not kept: blind tapes do not allocate.
			s.in[p] += button(len(o))
		} else {
			s.orders[p] = string(o)
		}
		switch t.Status(p) {
		case rollback.Disconnected:
			s.gone |= 1 << p
			s.known |= 1 << p
		case rollback.Confirmed:
			s.known |= 1 << p
		}
	}
	finished, result := w.step(&s.moment, t.Players(), t.Frame(), t.Effects())
	if finished {
		t.Finish(result)
	}
	if tp.liar != 0 && s.frame == tp.liar && s.again {
		w.Sum++
	}
	switch {
	case tp.blind:
	case t.Ahead():
		tp.led = append(tp.led, s)
	default:
		tp.runs = append(tp.runs, s)
	}
}

// fade is a predictor that depends on everything that it is given.
func fade(p Player, f, known Frame, last button) button {
	if known == rollback.NoFrame {
		return button(p)
	}
	if f-known > 3 {
		return 0
	}
	return last + button(f-known)>>1
}

func (tp *tape) game(style uint8, predict rollback.Predictor[button], e []effects.Declaration) rollback.Game[world, button] {
	return rollback.Game[world, button]{
		Init: func(w *world) { w.Style = style },
		Step: tp.run, Predict: predict, Effects: e,
	}
}

// huge is a world that does not get every slot of the ring.
type huge struct {
	World world
	Pad   [1200]uint64
}

func (tp *tape) hugeGame(style uint8, predict rollback.Predictor[button], e []effects.Declaration) rollback.Game[huge, button] {
	return rollback.Game[huge, button]{
		Init: func(h *huge) { h.World.Style, h.Pad[7] = style, 7 },
		Step: func(h *huge, t *rollback.Tick[button]) { tp.run(&h.World, t) }, Predict: predict, Effects: e,
	}
}

// heap is a world behind pointers, maps and slices.
type heap struct {
	Style  *uint8
	Levels map[Player]*uint8
	Sums   []uint64
}

func newHeap() *heap { return &heap{new(uint8), map[Player]*uint8{}, make([]uint64, 1)} }

func (h *heap) world() world {
	w := world{Sum: h.Sums[0], Style: *h.Style}
	for p, l := range h.Levels {
		w.Level[p] = *l
	}
	return w
}

func (h *heap) set(w *world) {
	*h.Style, h.Sums[0] = w.Style, w.Sum
	for p, l := range w.Level {
		if h.Levels[Player(p)] == nil {
			h.Levels[Player(p)] = new(uint8)
		}
		*h.Levels[Player(p)] = l
	}
}

// heapSlot is a snapshot of a heap that keeps its memory.
type heapSlot struct {
	sums   []uint64
	levels []uint8
	style  uint8
}

func (h *heap) save(s *heapSlot) {
	s.sums, s.levels, s.style = append(s.sums[:0], h.Sums...), s.levels[:0], *h.Style
	for p := range Player(rollback.MaxPlayers) {
		s.levels = append(s.levels, *h.Levels[p])
	}
}

func (s *heapSlot) world() world {
	w := world{Sum: s.sums[0], Style: s.style}
	copy(w.Level[:], s.levels)
	return w
}

var worldPlan, _ = canon.PlanFor[world]()

// own is the heap with every capability.
func (tp *tape) own(style uint8, predict rollback.Predictor[button], e []effects.Declaration) rollback.OwnMemory[heap, heapSlot, button] {
	return rollback.OwnMemory[heap, heapSlot, button]{
		New:  newHeap,
		Init: func(h *heap) { h.set(&world{Style: style}) },
		Step: func(h *heap, t *rollback.Tick[button]) {
			w := h.world()
			tp.run(&w, t)
			h.set(&w)
		},
		Save:    (*heap).save,
		Restore: func(h *heap, s *heapSlot) { w := s.world(); h.set(&w) },
		Hash:    func(h *heap) uint64 { w := h.world(); return worldPlan.Hash(&w) },
		Equal:   func(h *heap, s *heapSlot) bool { return h.world() == s.world() },
		Marshal: func(b []byte, h *heap) ([]byte, error) { w := h.world(); return worldPlan.Append(b, &w), nil },
		Unmarshal: func(h *heap, b []byte) error {
			var w world
			if err := worldPlan.Decode(&w, b); err != nil {
				return errors.Join(errors.New("not a heap"), err)
			}
			h.set(&w)
			return nil
		},
		Describe: func(h *heap) any { return h.world() },
		Predict:  predict, Effects: e,
	}
}
