package session

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// agreedInputs holds the inputs of the newest agreed frames. They are encoded only when they are asked for,
// since every frame pays for what is done here.
type agreedInputs[I comparable] struct {
	plan    *canon.Plan[I]
	players int
	rows    int    // it has at most
	mask    uint32 // frame f is in row f & mask
	inputs  []I
	gone    []uint16
	orders  []pastOrders // ascending, in a ring
	first   int          // the oldest of them
	count   int
	bytes   int // of orders
	most    int // bytes of orders that are kept
	oldest  uint32
	next    uint32
	frozen  bool
	frame   agreed.Frame // memory for Frame
}

// pastOrders are the orders of a player in a frame.
type pastOrders struct {
	frame  uint32
	player int
	bytes  []byte
}

const (
	// leastPast is how many frames are kept at least. There is memory for them at first: frames before a
	// comparison are forgotten, so that most matches hold two or three seconds.
	leastPast = 64
	firstPast = 256
	// ordersCost is how many bytes orders take besides their content.
	ordersCost = 48
)

// newPast keeps up to so many frames, as far as their encodings fit in so many bytes, and for as many
// bytes of orders, if there are any.
func newPast[I comparable](plan *canon.Plan[I], players, frames, bytes int, orders bool) *agreedInputs[I] {
	each := players*plan.Size() + 1
	n := leastPast
	for n < frames && 2*n*each <= bytes {
		n *= 2
	}
	p := &agreedInputs[I]{plan: plan, players: players, rows: n}
	p.lengthen(min(n, firstPast))
	if orders {
		p.most = bytes
	}
	p.frame.Inputs = make([]byte, 0, players*plan.Size())
	return p
}

// lengthen makes room for so many frames, a power of two.
func (p *agreedInputs[I]) lengthen(rows int) {
	inputs, gone, mask := p.inputs, p.gone, p.mask
	p.inputs, p.gone, p.mask = make([]I, rows*p.players), make([]uint16, rows), uint32(rows-1)
	for f := p.oldest; f != p.next; f++ {
		from, to := int(f&mask), int(f&p.mask)
		copy(p.inputs[to*p.players:(to+1)*p.players], inputs[from*p.players:])
		p.gone[to] = gone[from]
	}
}

// reset begins with frame 0.
func (p *agreedInputs[I]) reset() {
	p.first, p.count, p.bytes, p.oldest, p.next, p.frozen = 0, 0, 0, 0, 0, false
}

// add takes the next agreed frame.
func (p *agreedInputs[I]) add(a *rollback.Agreed[I]) {
	f := uint32(a.Frame)
	if f != p.next {
		return // it is frozen, and full
	}
	if f-p.oldest > p.mask && len(p.gone) < p.rows {
		p.lengthen(2 * len(p.gone))
	}
	if f-p.oldest > p.mask {
		if p.frozen {
			return
		}
		p.oldest++
	}
	p.next++
	i := int(f & p.mask)
	p.gone[i] = uint16(a.Gone)
	row := p.inputs[i*p.players : (i+1)*p.players]
	//lint:ignore S1001 these are too few for a call that copies, which takes twice as many instructions
	for q, in := range a.Inputs {
		row[q] = in
	}
	for q, o := range a.Orders {
		if len(o) > 0 {
			p.addOrders(f, q, o)
		}
	}
}

// addOrders keeps orders. A frame whose orders do not fit is not held.
func (p *agreedInputs[I]) addOrders(f uint32, player int, o []byte) {
	for p.count > 0 && (p.bytes+len(o)+ordersCost > p.most || p.orders[p.first].frame < p.oldest) {
		old := &p.orders[p.first]
		if p.frozen && old.frame >= p.oldest {
			p.next = f // without this frame, and so without those after it
			return
		}
		p.oldest = max(p.oldest, old.frame+1)
		p.bytes -= len(old.bytes) + ordersCost
		p.first, p.count = (p.first+1)%len(p.orders), p.count-1
	}
	if p.count == len(p.orders) {
		p.grow()
	}
	at := &p.orders[(p.first+p.count)%len(p.orders)]
	*at = pastOrders{f, player, append(at.bytes[:0], o...)}
	p.count++
	p.bytes += len(o) + ordersCost
}

// grow makes the ring of orders larger.
func (p *agreedInputs[I]) grow() {
	larger := make([]pastOrders, max(16, 2*len(p.orders)))
	for i := range p.count {
		larger[i] = p.orders[(p.first+i)%len(p.orders)]
	}
	p.orders, p.first = larger, 0
}

func (p *agreedInputs[I]) First() uint32 { return p.oldest }

func (p *agreedInputs[I]) Next() uint32 { return p.next }

func (p *agreedInputs[I]) Freeze() { p.frozen = true }

func (p *agreedInputs[I]) Forget(n uint32) { p.oldest = max(p.oldest, min(n, p.next)) }

func (p *agreedInputs[I]) Frame(n uint32) *agreed.Frame {
	if n < p.oldest || n >= p.next {
		return nil
	}
	i, f := int(n&p.mask), &p.frame
	f.Number, f.Inputs, f.Gone, f.Orders = n, f.Inputs[:0], p.gone[i], nil
	for q := range p.players {
		f.Inputs = p.plan.Append(f.Inputs, &p.inputs[i*p.players+q])
	}
	for k := range p.count {
		o := &p.orders[(p.first+k)%len(p.orders)]
		if o.frame != n {
			continue
		}
		if f.Orders == nil {
			f.Orders = make([][]byte, p.players)
		}
		f.Orders[o.player] = o.bytes
	}
	return f
}
