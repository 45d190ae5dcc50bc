package sight

import (
	"encoding/binary"
)

// Decoder holds what a client knows about the states of a match. An update that it rejects changes nothing. It
// allocates memory only in [NewMirror], for errors, and for orders, whose memory grows once.
type Decoder[S any, I comparable] struct {
	runner[S, I]
	player Player
	ring   [Keep]held[S, I]
	newest Frame
	any    bool

	update Update[S, I]
	memory []byte   // reused memory for orders
	rows   []I      // the inputs of the ticks
	lists  [][]byte // the lists of the orders of a tick
	made   S
}

// held is a state that the client holds.
type held[S any, I comparable] struct {
	number Frame
	any    bool
	value  bool // state is set
	state  S
	// What was received about the previous tick.
	gone, told PlayerSet
	inputs     []I
}

// Update is the content of an update. It belongs to the decoder and is valid until the next call.
type Update[S any, I comparable] struct {
	State Frame // the number of the state
	From  Frame // the baseline, whose tick is the first of Ticks
	Ticks []Tick[I]
	// Value is the state, as the client may know it. With full sight it is nil: then the ticks lead to the state,
	// and Check is the low bits of its hash.
	Value *S
	Check uint16
	// Encoded is a whole state of a match with full sight, as encoded by the game.
	Encoded []byte
	// Gone are the players that were absent in the tick before a whole state.
	Gone PlayerSet
}

// NewMirror creates the decoder of the client that has player p.
func NewMirror[S any, I comparable](c Config[S, I], p Player) (*Decoder[S, I], error) {
	m := &Decoder[S, I]{player: p}
	if err := m.init(c); err != nil {
		return nil, err
	}
	for i := range m.ring {
		m.ring[i].inputs = make([]I, c.Players)
	}
	m.rows, m.lists = make([]I, Keep*c.Players), make([][]byte, Keep*c.Players)
	m.update.Ticks = make([]Tick[I], 0, Keep)
	return m, nil
}

// Newest returns the newest state that is held, and whether there is one: the server can use it as a baseline.
func (m *Decoder[S, I]) Newest() (f Frame, any bool) { return m.newest, m.any }

// Forget drops all states: only a whole state can follow.
func (m *Decoder[S, I]) Forget() {
	for i := range m.ring {
		m.ring[i].any = false
	}
	m.any = false
}

func (m *Decoder[S, I]) at(f Frame) *held[S, I] { return &m.ring[f%Keep] }

// tick adds a tick to the current update.
func (m *Decoder[S, I]) tick(i int) *Tick[I] {
	n := m.codec.players
	m.update.Ticks = m.update.Ticks[:i+1]
	t := &m.update.Ticks[i]
	*t = Tick[I]{Inputs: m.rows[i*n : (i+1)*n], Orders: m.lists[i*n:]}
	return t
}

// Cost returns how many ticks a client with partial sight has to simulate for an update: none if it is plain.
func Cost(b []byte) Frame {
	if len(b) == 0 || b[0]>>ageBits&1 == 1 {
		return 0
	}
	return Frame(b[0] & (Keep - 1))
}

// Apply applies an update that leads to state n. An error is a [*DataError], a [*DesyncError], [ErrBaseline] if the
// baseline is not held or the state is not newer than all held ones, or from the game's step.
func (m *Decoder[S, I]) Apply(n Frame, b []byte) (*Update[S, I], error) {
	bad := func(problem string) (*Update[S, I], error) { return nil, &DataError{n, problem} }
	r := &bitReader{in: b}
	age := Frame(r.get(ageBits))
	plain, exact, check := r.bit(), r.bit(), uint16(r.get(16))
	switch {
	case r.short:
		return bad("it is cut off")
	case age == 0 || age > n:
		return bad("its baseline is none")
	case exact && m.sight == nil && !plain, plain && m.values == nil:
		return bad("it has a difference where there is none")
	}
	base := n - age
	from := m.at(base)
	if !from.any || from.number != base || m.any && n <= m.newest || (plain || m.sight != nil) && !from.value {
		return nil, ErrBaseline
	}
	m.update = Update[S, I]{State: n, From: base, Ticks: m.update.Ticks, Check: check}
	m.memory = m.memory[:0]
	m.codec.begin()
	told, gone, inputs := from.told, from.gone, from.inputs
	for i := range int(age) {
		t := m.tick(i)
		var problem string
		if m.memory, problem = m.codec.read(r, t, told, inputs, gone, m.memory); problem != "" {
			return bad(problem)
		}
		told, gone, inputs = t.Told, t.Gone, t.Inputs
	}
	rest, ok := r.close()
	if !ok || !exact && len(rest) > 0 {
		return bad("bytes that belong to nothing")
	}
	if plain || m.sight != nil {
		if err := m.make(n, from, plain, exact, rest); err != nil {
			return nil, err
		}
		if ours := uint16(m.values.Hash(&m.made)); ours != check {
			return nil, &DesyncError{n, ours, check}
		}
	}
	if m.sight == nil {
		m.between(base, n)
	}
	to := m.keep(n, told, gone, inputs)
	if to.value = plain || m.sight != nil; to.value {
		to.state = m.made
		m.update.Value = &to.state
	}
	return &m.update, nil
}

// Refused returns the state that the last update led to and that differs from the server's. It is valid after a
// [*DesyncError] of [Decoder.Apply], until the next call.
func (m *Decoder[S, I]) Refused() *S { return &m.made }

// make computes the new state.
func (m *Decoder[S, I]) make(n Frame, from *held[S, I], plain, exact bool, rest []byte) error {
	m.made = from.state
	if !plain {
		if err := m.begin(from.number, &from.state); err != nil {
			return err
		}
		for i := range m.update.Ticks {
			if err := m.step(&m.update.Ticks[i], m.update.Ticks[i].Told); err != nil {
				return err
			}
		}
		m.end(&m.made, m.player)
	}
	if !exact {
		return nil
	}
	if used, err := m.values.ApplyDelta(&m.made, rest); err != nil || used != len(rest) {
		return &DataError{n, "its difference is none"}
	}
	return nil
}

// between records the states between a baseline and the new one as held: with full sight a baseline consists only
// of their ticks.
func (m *Decoder[S, I]) between(base, n Frame) {
	for f := base + 1; f < n; f++ {
		if h := m.at(f); !h.any || h.number != f {
			t := &m.update.Ticks[f-base-1]
			m.keep(f, t.Told, t.Gone, t.Inputs)
		}
	}
}

// keep records a state as held. inputs may be those of an update.
func (m *Decoder[S, I]) keep(n Frame, told, gone PlayerSet, inputs []I) *held[S, I] {
	h := m.at(n)
	h.number, h.any, h.value, h.told, h.gone = n, true, false, told, gone
	copy(h.inputs, inputs)
	m.newest, m.any = n, true
	return h
}

// Whole handles a whole state. With full sight the caller loads Encoded; in a game whose states are plain values,
// Value is set as well. The errors are the same as for [Decoder.Apply].
func (m *Decoder[S, I]) Whole(n Frame, b []byte) (*Update[S, I], error) {
	bad := func(problem string) (*Update[S, I], error) { return nil, &DataError{n, problem} }
	if len(b) < 4 {
		return bad("it is cut off")
	}
	if m.any && n <= m.newest {
		return nil, ErrBaseline
	}
	gone, told := PlayerSet(binary.LittleEndian.Uint16(b)), PlayerSet(binary.LittleEndian.Uint16(b[2:]))
	if everybody := m.codec.everybody(); (gone|told)&^everybody != 0 || gone&told != 0 {
		return bad("it has players that there are not")
	}
	b = b[4:]
	m.update = Update[S, I]{State: n, From: n, Ticks: m.update.Ticks[:0], Gone: gone}
	inputs := m.rows[:m.codec.players]
	for p := range told.All() {
		if len(b) < m.codec.size {
			return bad("it is cut off")
		}
		if err := m.codec.decode(&inputs[p], b[:m.codec.size]); err != nil {
			return bad("an input that is none")
		}
		b = b[m.codec.size:]
	}
	if m.values != nil {
		if err := m.values.Decode(&m.made, b); err != nil {
			return bad(err.Error())
		}
	}
	h := m.keep(n, told, gone, inputs)
	if h.value = m.values != nil; h.value {
		h.state = m.made
		m.update.Value = &h.state
	}
	m.update.Encoded = b
	return &m.update, nil
}
