package sight

import (
	"github.com/tickback/tickback/rollback"
)

// Aliases of types of package rollback.
type (
	Frame     = rollback.Frame
	Player    = rollback.Player
	PlayerSet = rollback.PlayerSet
)

// Tick is what is known about a tick.
type Tick[I comparable] struct {
	// Inputs has an input for each player. Those of players that are not told are zero.
	Inputs []I
	// Orders has the orders of each player, nil if a player has none; it is nil if there are none at all.
	Orders [][]byte
	// Gone are the absent players, and Told those whose inputs are known.
	Gone, Told PlayerSet
}

// codec encodes and decodes ticks.
type codec[I comparable] struct {
	players   int
	size      int // the size of an input, in bytes
	maxOrders int
	encode    func(b []byte, in *I) []byte
	decode    func(in *I, b []byte) error
	mask      uint64 // mask of the previous change in the update; 0 at first
	former    I      // reused memory, like last and now
	last, now []byte // an encoded input
}

// everybody returns the set of all players of the match.
func (c *codec[I]) everybody() PlayerSet { return 1<<c.players - 1 }

// begin begins an update.
func (c *codec[I]) begin() { c.mask = 0 }

// code encodes a tick relative to the previous one.
func (c *codec[I]) code(w *bitWriter, t *Tick[I], told, wasTold PlayerSet, was []I, wasGone PlayerSet) {
	same := told == wasTold && t.Gone == wasGone
	if w.bit(same); !same {
		w.put(uint64(t.Gone), uint(c.players))
		w.put(uint64(told), uint(c.players))
	}
	for p := range told.All() {
		c.former = *new(I)
		if wasTold.Has(p) {
			c.former = was[p]
		}
		changed := t.Inputs[p] != c.former
		if w.bit(changed); changed {
			c.change(w, &t.Inputs[p])
		}
		if c.maxOrders == 0 {
			continue
		}
		var orders []byte
		if t.Orders != nil {
			orders = t.Orders[p]
		}
		if w.bit(len(orders) > 0); len(orders) > 0 {
			w.put(uint64(len(orders)), 16)
			for _, b := range orders {
				w.put(uint64(b), 8)
			}
		}
	}
}

// change encodes how an input differs from the former one.
func (c *codec[I]) change(w *bitWriter, in *I) {
	c.last, c.now = c.encode(c.last[:0], &c.former), c.encode(c.now[:0], in)
	mask := uint64(0)
	for i := range c.now {
		if c.now[i] ^= c.last[i]; c.now[i] != 0 {
			mask |= 1 << i
		}
	}
	same := mask == c.mask
	if w.bit(same); !same {
		w.put(mask, uint(c.size))
		c.mask = mask
	}
	for _, x := range c.now {
		if x != 0 {
			w.put(uint64(x), 8)
		}
	}
}

// read decodes a tick. t has room for the inputs of all players, and orders are appended to memory.
func (c *codec[I]) read(r *bitReader, t *Tick[I], wasTold PlayerSet, was []I, wasGone PlayerSet, memory []byte) (rest []byte, problem string) {
	room := t.Orders
	t.Gone, t.Told, t.Orders = wasGone, wasTold, nil
	if !r.bit() {
		t.Gone, t.Told = PlayerSet(r.get(c.players)), PlayerSet(r.get(c.players))
		switch {
		case t.Gone&t.Told != 0:
			return memory, "a player is told that is gone"
		case t.Gone == wasGone && t.Told == wasTold:
			return memory, "a change of players that is none"
		}
	}
	clear(t.Inputs)
	for p := range t.Told.All() {
		if wasTold.Has(p) {
			t.Inputs[p] = was[p]
		}
		if r.bit() {
			if problem := c.readChange(r, &t.Inputs[p]); problem != "" {
				return memory, problem
			}
		}
		if c.maxOrders == 0 || !r.bit() {
			continue
		}
		n := int(r.get(16)) // 0 if it is cut off
		if n == 0 || n > c.maxOrders {
			return memory, "orders of a length that they cannot have"
		}
		start := len(memory)
		for range n {
			memory = append(memory, byte(r.get(8)))
		}
		if t.Orders == nil {
			t.Orders = room[:c.players]
			clear(t.Orders)
		}
		t.Orders[p] = memory[start:len(memory):len(memory)]
	}
	if r.short {
		return memory, "it is cut off"
	}
	return memory, ""
}

func (c *codec[I]) readChange(r *bitReader, in *I) (problem string) {
	c.now = c.encode(c.now[:0], in)
	if !r.bit() {
		mask := r.get(c.size)
		if mask == c.mask {
			return "a mask that is written out again"
		}
		c.mask = mask
	}
	if c.mask == 0 {
		return "a change of an input that is none"
	}
	for i := range c.now {
		if c.mask>>i&1 != 0 {
			x := byte(r.get(8))
			if x == 0 {
				return "a byte that differs by nothing"
			}
			c.now[i] ^= x
		}
	}
	if err := c.decode(in, c.now); err != nil {
		return "an input that is none"
	}
	return ""
}
