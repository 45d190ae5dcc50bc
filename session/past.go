package session

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// agreedInputs holds the inputs of the newest agreed frames. They are encoded only on demand, since work done here
// is paid in every frame.
type agreedInputs[I comparable] struct {
	plan    *canon.Plan[I]
	players int
	rows    int    // at most
	mask    uint32 // frame f is in row f & mask
	inputs  []I
	gone    []uint16     // nil until somebody is
	orders  []pastOrders // ascending, in a ring
	first   int          // index of the oldest
	count   int
	bytes   int // of orders
	most    int // maximum bytes of orders kept
	oldest  uint32
	next    uint32
	frozen  bool
	frame   agreed.Frame // memory for Frame
}

// pastOrders are the orders of one player in one frame.
type pastOrders struct {
	frame  uint32
	player int
	bytes  []byte
}

const (
	// leastPast is the minimum number of frames kept. At first there is memory for firstPast: frames before a
	// comparison are dropped, so that most matches hold two or three seconds.
	leastPast = 64
	firstPast = 256
	// ordersCost is the memory that orders take besides their content, in bytes.
	ordersCost = 48
)

// newPast returns a store for up to the given number of frames, as far as their encodings fit in bytes, and for the
// same number of bytes of orders if there are any.
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

// lengthen makes room for rows frames, a power of two.
func (p *agreedInputs[I]) lengthen(rows int) {
	inputs, gone, mask := p.inputs, p.gone, p.mask
	p.inputs, p.mask = make([]I, rows*p.players), uint32(rows-1)
	if gone != nil {
		p.gone = make([]uint16, rows)
	}
	for f := p.oldest; f != p.next; f++ {
		from, to := int(f&mask), int(f&p.mask)
		copy(p.inputs[to*p.players:(to+1)*p.players], inputs[from*p.players:])
		if gone != nil {
			p.gone[to] = gone[from]
		}
	}
}

// reset clears the store; the next frame is 0.
func (p *agreedInputs[I]) reset() {
	p.first, p.count, p.bytes, p.oldest, p.next, p.frozen, p.gone = 0, 0, 0, 0, 0, false, nil
}

// add stores the next agreed frame.
func (p *agreedInputs[I]) add(a *rollback.Agreed[I]) {
	f := uint32(a.Frame)
	if f != p.next {
		return // the store is frozen and full
	}
	if f-p.oldest > p.mask && !p.makeRoom() {
		return
	}
	p.next++
	i := int(f & p.mask)
	if a.Gone != 0 || p.gone != nil {
		p.setGone(i, uint16(a.Gone))
	}
	row := p.inputs[i*p.players:]
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

// makeRoom makes room for a frame, unless the store is frozen and full.
func (p *agreedInputs[I]) makeRoom() bool {
	switch rows := int(p.mask) + 1; {
	case rows < p.rows:
		p.lengthen(2 * rows)
	case p.frozen:
		return false
	default:
		p.oldest++
	}
	return true
}

// setGone stores who is disconnected in the frame of a row.
func (p *agreedInputs[I]) setGone(row int, gone uint16) {
	if p.gone == nil {
		p.gone = make([]uint16, p.mask+1)
	}
	p.gone[row] = gone
}

// addOrders stores orders. A frame whose orders do not fit is dropped.
func (p *agreedInputs[I]) addOrders(f uint32, player int, o []byte) {
	for p.count > 0 && (p.bytes+len(o)+ordersCost > p.most || p.orders[p.first].frame < p.oldest) {
		old := &p.orders[p.first]
		if p.frozen && old.frame >= p.oldest {
			p.next = f // without this frame, and so without later ones
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

// grow enlarges the ring of orders.
func (p *agreedInputs[I]) grow() {
	larger := make([]pastOrders, max(16, 2*len(p.orders)))
	for i := range p.count {
		larger[i] = p.orders[(p.first+i)%len(p.orders)]
	}
	p.orders, p.first = larger, 0
}

// First returns the oldest frame held.
func (p *agreedInputs[I]) First() uint32 { return p.oldest }

// Next returns the frame after the newest one held.
func (p *agreedInputs[I]) Next() uint32 { return p.next }

// Freeze keeps the frames held now: no more are dropped to make room for new ones.
func (p *agreedInputs[I]) Freeze() { p.frozen = true }

// Forget drops the frames before n.
func (p *agreedInputs[I]) Forget(n uint32) { p.oldest = max(p.oldest, min(n, p.next)) }

// Frame returns frame n, or nil if it is not held. The result is valid until the next call.
func (p *agreedInputs[I]) Frame(n uint32) *agreed.Frame {
	if n < p.oldest || n >= p.next {
		return nil
	}
	i, f := int(n&p.mask), &p.frame
	f.Number, f.Inputs, f.Gone, f.Orders = n, f.Inputs[:0], 0, nil
	if p.gone != nil {
		f.Gone = p.gone[i]
	}
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
