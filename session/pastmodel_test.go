package session

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// pastModel is what the past should hold, frame by frame.
type pastModel struct {
	rows, most     int // frames, and bytes of orders with their overhead
	oldest, next   int
	frames         []rollback.Agreed[uint16] // from 0 on
	frozen, closed bool
}

// cost is the size of the orders of the frames that are held, and of the first players in
// a.
func (p *pastModel) cost(a *rollback.Agreed[uint16], players int) (n int) {
	of := func(orders [][]byte) {
		for _, o := range orders {
			if len(o) > 0 {
				n += len(o) + ordersCost
			}
		}
	}
	for f := p.oldest; f < p.next; f++ {
		of(p.frames[f].Orders)
	}
	if p.oldest <= p.next {
		of(a.Orders[:players])
	}
	return n
}

func (p *pastModel) add(a rollback.Agreed[uint16]) {
	p.frames = append(p.frames, a)
	if p.closed {
		return
	}
	if p.next-p.oldest == p.rows {
		if p.closed = p.frozen; p.closed {
			return
		}
		p.oldest++
	}
	for q, o := range a.Orders {
		for len(o) > 0 {
			if held := p.cost(&a, q); held == 0 || held+len(o)+ordersCost <= p.most {
				break
			}
			if p.closed = p.frozen; p.closed {
				return
			}
			p.oldest++
		}
	}
	p.next++
}

// Whatever is put into the past, it holds the newest frames, complete, as many as there is
// room for; and once it is frozen, those that it had and those after them, without a gap,
// until there is no more room. Each match starts empty.
func TestThePastIsWhatWasPutIn(t *testing.T) {
	plan, err := canon.PlanFor[uint16]()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		players := 1 + r.IntN(3)
		const each = 48 + 20
		p := newPast(plan, players, 64, r.IntN(40)*each+1, true)
		for match := range 2 {
			p.reset()
			model := pastModel{rows: 64, most: p.most}
			freeze, often, longest := 100+r.IntN(200), 1+r.IntN(6), 1+r.IntN(100)
			for f := range 300 {
				a := rollback.Agreed[uint16]{Frame: Frame(f)}
				for q := range players {
					a.Inputs = append(a.Inputs, uint16(r.Uint32()))
					if r.IntN(3) == 0 {
						a.Gone |= rollback.SetOf(rollback.Player(q))
					}
					orders := []byte(nil)
					if r.IntN(often) == 0 {
						orders = bytes.Repeat([]byte{byte(f)}, 1+r.IntN(longest))
					}
					a.Orders = append(a.Orders, orders)
				}
				if f == freeze {
					p.Freeze()
					model.frozen = true
				}
				if f < freeze && r.IntN(20) == 0 {
					n := model.oldest + r.IntN(70)
					p.Forget(uint32(n))
					model.oldest = max(model.oldest, min(n, model.next))
				}
				p.add(&a)
				model.add(a)
				if p.First() != uint32(model.oldest) || p.Next() != uint32(model.next) {
					t.Fatalf("seed %d, match %d, frame %d: frames %d to %d are held, want %d to %d", seed, match, f, p.First(), p.Next(), model.oldest, model.next)
				}
				if f%10 == 0 || f == 299 {
					model.compare(t, p, plan)
				}
			}
		}
	}
}

// compare looks at every frame.
func (p *pastModel) compare(t *testing.T, got *agreedInputs[uint16], plan *canon.Plan[uint16]) {
	t.Helper()
	for f := max(p.oldest-2, 0); f < len(p.frames)+2; f++ {
		held := got.Frame(uint32(f))
		if (held != nil) != (f >= p.oldest && f < p.next) {
			t.Fatalf("frame %d is held: %v", f, held != nil)
		}
		if held == nil {
			continue
		}
		want, gone, any := &p.frames[f], uint16(0), false
		var inputs []byte
		for q := range want.Inputs {
			inputs = plan.Append(inputs, &want.Inputs[q])
			if want.Gone.Has(rollback.Player(q)) {
				gone |= 1 << q
			}
			any = any || len(want.Orders[q]) > 0
			if held.Orders != nil && !bytes.Equal(held.Orders[q], want.Orders[q]) {
				t.Fatalf("frame %d: player %d has ordered %x, want %x", f, q, held.Orders[q], want.Orders[q])
			}
		}
		if int(held.Number) != f || !slices.Equal(held.Inputs, inputs) || held.Gone != gone || (held.Orders != nil) != any {
			t.Fatalf("frame %d is %+v, want %+v", f, held, want)
		}
	}
}
