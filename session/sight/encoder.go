package sight

import (
	"encoding/binary"
	"slices"

	"github.com/tickback/tickback/rollback"
)

// Encoder holds the newest states of a match and encodes updates for clients. It keeps nothing per client. It
// allocates memory only in [NewTruth], and for orders and bytes, whose memory grows once.
type Encoder[S any, I comparable] struct {
	runner[S, I]
	newest Frame
	oldest Frame
	ring   [Keep]tickState[S, I]
	shared [Keep]shared // with full sight: by the age of the baseline
	from   S            // a baseline, and then the state simulated from it
	to     S            // the newest state, as a player may know it
	other  S            // a state that is only used to find whose inputs are allowed
	bits   bitWriter
}

// tickState is a state, and the tick that followed it.
type tickState[S any, I comparable] struct {
	state  S
	check  uint16
	tick   Tick[I]
	sees   [rollback.MaxPlayers]PlayerSet // by player: the players whose inputs its sight of the state allows
	looked PlayerSet                      // players for which sees is known
	orders [][]byte                       // reused memory
}

// shared is an update that is the same for all clients with the same baseline.
type shared struct {
	of    Frame // number of the newest state; 0: none
	bytes []byte
}

// NewTruth creates an encoder. Call [Encoder.Begin] before anything else.
func NewTruth[S any, I comparable](c Config[S, I]) (*Encoder[S, I], error) {
	t := new(Encoder[S, I])
	if err := t.init(c); err != nil {
		return nil, err
	}
	for i := range t.ring {
		m := &t.ring[i]
		m.tick.Inputs, m.orders = make([]I, c.Players), make([][]byte, c.Players)
	}
	return t, nil
}

// Begin begins with a state of this number and hash. The state is copied.
func (t *Encoder[S, I]) Begin(f Frame, s *S, hash uint64) {
	t.newest, t.oldest = f, f
	t.shared = [Keep]shared{}
	m := t.at(f)
	m.check, m.looked = uint16(hash), 0
	if t.values != nil {
		m.state = *s
	}
	// Nothing is known about the tick before it.
	b := t.at(f - 1)
	b.tick.Gone, b.sees, b.looked = 0, [rollback.MaxPlayers]PlayerSet{}, ^PlayerSet(0)
}

// Newest returns the number of the newest state.
func (t *Encoder[S, I]) Newest() Frame { return t.newest }

func (t *Encoder[S, I]) at(f Frame) *tickState[S, I] { return &t.ring[f%Keep] }

// Add adds the next tick and the state that it led to, with its hash. Everything is copied. Inputs and orders of
// players that are gone are ignored.
func (t *Encoder[S, I]) Add(inputs []I, orders [][]byte, gone PlayerSet, s *S, hash uint64) {
	m := t.at(t.newest)
	all := t.codec.everybody() &^ gone
	copy(m.tick.Inputs, inputs)
	m.tick.Gone, m.tick.Orders = t.codec.everybody()&^all, nil
	for p := range m.orders {
		m.orders[p] = m.orders[p][:0]
		if orders != nil && all.Has(Player(p)) && len(orders[p]) > 0 {
			m.orders[p] = append(m.orders[p], orders[p]...)
			m.tick.Orders = m.orders
		}
	}
	t.newest++
	t.oldest = max(t.oldest, t.newest-min(t.newest, Keep-2)) // one tick before the oldest state must be held as well
	m = t.at(t.newest)
	m.check, m.looked = uint16(hash), 0
	if t.values != nil {
		m.state = *s
	}
}

// saw records whose inputs the sight of the state allows a player to get.
func (m *tickState[S, I]) saw(p Player, sees PlayerSet) { m.sees[p], m.looked = sees, m.looked|1<<p }

// told returns the players whose inputs of a tick a player may get. For most states the sight was already computed
// when they were the newest one, so that it need not be computed for this alone.
func (t *Encoder[S, I]) told(m *tickState[S, I], p Player) PlayerSet {
	there := t.codec.everybody() &^ m.tick.Gone
	switch {
	case m.looked.Has(p):
	case t.sight == nil:
		return there
	default:
		t.other = m.state
		m.saw(p, t.sight(&t.other, p))
	}
	return m.sees[p] & there
}

// Append appends the update to the newest state for a player that holds state base, in at most room bytes. A plain
// update does not rely on the client's step. The errors are [ErrBaseline], [ErrRoom], and errors of the game's
// step; b is then returned unchanged.
func (t *Encoder[S, I]) Append(b []byte, p Player, base Frame, plain bool, room int) ([]byte, error) {
	if base >= t.newest || base < t.oldest || plain && t.values == nil {
		return b, ErrBaseline
	}
	start := len(b)
	age := t.newest - base
	if t.sight == nil && !plain {
		e := &t.shared[age]
		if e.of != t.newest {
			e.of = t.newest
			e.bytes = t.code(e.bytes[:0], 0, base, false, false, t.at(t.newest).check)
		}
		if len(e.bytes) > room {
			return b, ErrRoom
		}
		return append(b, e.bytes...), nil
	}
	if err := t.run(p, base, plain); err != nil {
		return b, err
	}
	exact := !t.values.Equal(&t.from, &t.to)
	check := t.at(t.newest).check
	if t.sight != nil {
		check = uint16(t.values.Hash(&t.to))
	}
	b = t.code(b, p, base, plain, exact, check)
	if exact && len(b)-start <= room {
		b = t.values.AppendDelta(b, &t.from, &t.to)
	}
	if len(b)-start > room {
		return b[:start], ErrRoom
	}
	return b, nil
}

// run computes the two states between which the update is a difference: from, which the client has after running its
// ticks on the base, and to, the newest state.
func (t *Encoder[S, I]) run(p Player, base Frame, plain bool) error {
	t.from, t.to = t.at(base).state, t.at(t.newest).state
	if t.sight == nil {
		return nil
	}
	t.at(base).saw(p, t.sight(&t.from, p))
	t.at(t.newest).saw(p, t.sight(&t.to, p))
	if plain {
		return nil
	}
	if err := t.begin(base, &t.from); err != nil {
		return err
	}
	for f := base; f != t.newest; f++ {
		m := t.at(f)
		if err := t.step(&m.tick, t.told(m, p)); err != nil {
			return err
		}
	}
	t.end(&t.from, p)
	return nil
}

// code appends the update without its difference.
func (t *Encoder[S, I]) code(b []byte, p Player, base Frame, plain, exact bool, check uint16) []byte {
	w := &t.bits
	*w = bitWriter{out: b}
	w.put(uint64(t.newest-base), ageBits)
	w.bit(plain)
	w.bit(exact)
	w.put(uint64(check), 16)
	t.codec.begin()
	was := t.at(base - 1)
	for f := base; f != t.newest; f++ {
		m := t.at(f)
		t.codec.code(w, &m.tick, t.told(m, p), t.told(was, p), was.tick.Inputs, was.tick.Gone)
		was = m
	}
	b, w.out = w.close(), nil
	return b
}

// AppendWhole appends everything that a player may know about the newest state. With full sight, marshal appends
// the state as encoded by its game.
func (t *Encoder[S, I]) AppendWhole(b []byte, p Player, marshal func(b []byte) ([]byte, error)) ([]byte, error) {
	was := t.at(t.newest - 1)
	b = binary.LittleEndian.AppendUint16(b, uint16(was.tick.Gone))
	told := t.told(was, p)
	b = binary.LittleEndian.AppendUint16(b, uint16(told))
	for q := range told.All() {
		b = t.inputs.Append(b, &was.tick.Inputs[q])
	}
	if t.sight == nil {
		return marshal(b)
	}
	t.to = t.at(t.newest).state
	t.sight(&t.to, p)
	return t.values.Append(slices.Grow(b, t.values.Size()), &t.to), nil
}

// AppendState appends a held state, reduced to what a player may know, in its fixed encoding. The error is
// [ErrBaseline] if it is not held, or the game's states are not plain values.
func (t *Encoder[S, I]) AppendState(b []byte, p Player, f Frame) ([]byte, error) {
	if f > t.newest || f < t.oldest || t.values == nil {
		return b, ErrBaseline
	}
	t.to = t.at(f).state
	if t.sight != nil {
		t.sight(&t.to, p)
	}
	return t.values.Append(slices.Grow(b, t.values.Size()), &t.to), nil
}
