package inputs

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// network is machines that exchange inputs over links that lose, repeat and delay datagrams,
// and a naive record of what has arrived where.
type network struct {
	t        *testing.T
	rng      *rand.Rand
	machines []machine
	players  [][]Player // of each machine
	ways     [][]way    // from each machine to each other one
}

// way is the link from one machine to another.
type way struct {
	Peer     // as the sender knows the receiver
	number   uint64
	flying   []flight
	messages []Orders // on the control stream, the oldest first

	acks    map[Player]Frame // which inputs of the sender it knows the receiver to have
	next    map[Player]Frame // which the receiver has, of the sender
	limit   map[Player]Frame // the first frame that the receiver no longer takes
	apart   map[at]bool      // whether orders travel separately, and have arrived and count
	stopped map[at]bool      // whether they have arrived for an input that was stopped
}

// flight is a datagram in flight, with its inputs and acknowledgements.
type flight struct {
	bytes        []byte
	start, until map[Player]Frame
	acks         map[Player]Frame
}

func newNetwork(t *testing.T, seed uint64) *network {
	n := &network{t: t, rng: rand.New(rand.NewPCG(seed, 1))}
	count, p, size := 2+n.rng.IntN(2), Player(0), 1+n.rng.IntN(9)
	for range count {
		var list []Player
		for range 1 + n.rng.IntN(5-count) {
			list = append(list, p)
			p++
		}
		n.players = append(n.players, list)
	}
	for i := range count {
		n.machines = append(n.machines, newMachine(t, int(p), size, n.players[i]...))
		var row []way
		for j := range count {
			w := way{acks: map[Player]Frame{}, next: map[Player]Frame{}, limit: map[Player]Frame{}, apart: map[at]bool{}, stopped: map[at]bool{}}
			w.Peer = n.machines[i].Peer(n.players[j])
			for _, p := range n.players[i] {
				w.limit[p] = noLimit
			}
			row = append(row, w)
		}
		n.ways = append(n.ways, row)
	}
	return n
}

// each calls f for each way between two machines.
func (n *network) each(f func(from, to int, w *way)) {
	for i := range n.ways {
		for j := range n.ways[i] {
			if i != j {
				f(i, j, &n.ways[i][j])
			}
		}
	}
}

// play makes players do something, as long as all others are not too far behind.
func (n *network) play(i int) {
	m := n.machines[i]
	for _, p := range n.players[i] {
		behind := uint32(0)
		for j := range n.machines {
			if i != j {
				behind = max(behind, m.Unacknowledged(&n.ways[i][j].Peer))
			}
		}
		if behind > testAhead-2 {
			continue
		}
		o, apart := m.play(p, []int{0, 0, 0, 1, 30, 128, 129, testOrders}[n.rng.IntN(8)])
		if want := len(o.Bytes) > m.inline; apart != want || o.Player != p || o.Frame != m.Next(p)-1 {
			n.t.Fatalf("%d bytes of orders of player %d go apart: %v", len(o.Bytes), p, apart)
		}
		for j := range n.machines {
			if apart && i != j {
				n.ways[i][j].messages = append(n.ways[i][j].messages, o)
				n.ways[i][j].apart[at{p, o.Frame}] = false
			}
		}
	}
}

// send sends a datagram, and examines its contents.
func (n *network) send(from, to int, w *way) {
	m := n.machines[from]
	d := Datagram{Number: w.number, Most: []int{512, 1200}[n.rng.IntN(2)], Bare: n.rng.IntN(9) == 0}
	w.number++
	h, b := m.compose(&w.Peer, d)
	if len(b) > d.Most-8 { // there is room for a tag
		n.t.Fatalf("it has %d bytes, of %d", len(b), d.Most)
	}
	f := flight{bytes: b, start: map[Player]Frame{}, until: map[Player]Frame{}, acks: map[Player]Frame{}}
	orders := 0
	for i, p := range n.players[from] {
		f.start[p], f.until[p] = Frame(h.Play.Ends[i]-h.Play.Counts[i]), Frame(h.Play.Ends[i])
		if f.start[p] != w.acks[p] || f.until[p] > m.Next(p) || d.Bare && f.until[p] != f.start[p] {
			n.t.Fatalf("frames %d to %d of player %d are sent, of %d to %d", f.start[p], f.until[p], p, w.acks[p], m.Next(p))
		}
		for k := f.start[p]; k < f.until[p]; k++ {
			if len(m.all[at{p, k}].orders) > 0 {
				orders++
			}
		}
	}
	if got := m.CountOrders(&h.Play); got != orders {
		n.t.Fatalf("it has orders of %d frames, not %d", got, orders)
	}
	for i, p := range n.players[to] {
		f.acks[p] = n.ways[to][from].next[p]
		if Frame(h.Play.Acks[i]) != f.acks[p] {
			n.t.Fatalf("of player %d, %d are acknowledged, not %d", p, h.Play.Acks[i], f.acks[p])
		}
	}
	w.flying = append(w.flying, f)
}

// arrive takes the k-th datagram of a way, or loses it.
func (n *network) arrive(from, to int, w *way, k int, lost bool) {
	f := w.flying[k]
	if lost || n.rng.IntN(8) > 0 { // else it comes again
		w.flying = slices.Delete(w.flying, k, k+1)
	}
	if lost {
		return
	}
	back := &n.ways[to][from]
	if refused, err := n.machines[to].receive(&back.Peer, f.bytes); refused || err != nil {
		n.t.Fatalf("a datagram is no good: %v", err)
	}
	for p, a := range f.acks {
		back.acks[p] = max(back.acks[p], a)
	}
	for _, p := range n.players[from] {
		w.next[p] = max(w.next[p], min(f.until[p], w.limit[p]))
	}
}

// hear takes the oldest message of a way.
func (n *network) hear(from, to int, w *way) {
	o := w.messages[0]
	w.messages = w.messages[1:]
	m, r := n.machines[to], &n.ways[to][from].Peer
	read, err := m.ReadOrders(r, o.Append(nil))
	if err != nil || read.Player != o.Player || read.Frame != o.Frame || !bytes.Equal(read.Bytes, o.Bytes) {
		n.t.Fatalf("orders come as %v: %v", read, err)
	}
	stopped := o.Frame >= w.limit[o.Player]
	if err := m.TakeOrders(read, stopped); err != nil {
		n.t.Fatalf("orders of frame %d of player %d: %v", o.Frame, o.Player, err)
	}
	if stopped && o.Frame < w.next[o.Player] {
		w.stopped[at{o.Player, o.Frame}] = true
	} else {
		w.apart[at{o.Player, o.Frame}] = true
	}
}

// stop stops a player at a receiver, or lets it go on.
func (n *network) stop(from, to int, w *way) {
	p := n.players[from][n.rng.IntN(len(n.players[from]))]
	if w.limit[p] == noLimit {
		w.limit[p] = w.next[p] - min(w.next[p], Frame(n.rng.IntN(4))) + Frame(n.rng.IntN(4))
	} else {
		n.release(w, p)
	}
	if err := n.machines[to].Limit(p, w.limit[p]); err != nil {
		n.t.Fatal(err)
	}
}

func (n *network) release(w *way, p Player) {
	w.limit[p] = noLimit
	for a := range w.stopped {
		if a.p == p {
			w.apart[a] = true
			delete(w.stopped, a)
		}
	}
}

// check compares what the receiver's engine has with what has come.
func (n *network) check(from, to int, w *way) {
	m, source := n.machines[to], n.machines[from]
	for _, p := range n.players[from] {
		if m.Next(p) != w.next[p] {
			n.t.Fatalf("machine %d: inputs of player %d are there up to frame %d, not %d", to, p, m.Next(p), w.next[p])
		}
		for f := range source.Next(p) {
			here, apart := w.apart[at{p, f}]
			want := f < w.next[p] && (here || !apart)
			got, known := m.all[at{p, f}]
			if known != want {
				n.t.Fatalf("machine %d: frame %d of player %d is complete: %v, want %v", to, f, p, known, want)
			}
			if sent := source.all[at{p, f}]; known && (!bytes.Equal(got.input, sent.input) || !bytes.Equal(got.orders, sent.orders)) {
				n.t.Fatalf("machine %d: frame %d of player %d comes as %v, not %v", to, f, p, got, sent)
			}
		}
	}
}

// Rule: an engine gets each input once, when the input and its orders are there, whatever is
// lost, repeated or late, whether orders come before their input or after it, and whichever
// player is stopped for a while. A datagram carries the inputs that are not acknowledged, the
// oldest first.
func TestInputsArriveOnceAndCompletely(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 12
	}
	var frames, apart, stopped int
	for seed := range seeds {
		n := newNetwork(t, seed)
		for range 400 {
			n.play(n.rng.IntN(len(n.machines)))
			n.each(func(from, to int, w *way) {
				if n.rng.IntN(2) == 0 {
					n.send(from, to, w)
				}
				if len(w.flying) > 0 && n.rng.IntN(2) == 0 {
					n.arrive(from, to, w, n.rng.IntN(min(len(w.flying), 5)), n.rng.IntN(3) == 0)
				}
				if len(w.messages) > 0 && n.rng.IntN(3) == 0 {
					n.hear(from, to, w)
				}
				if n.rng.IntN(16) == 0 {
					n.stop(from, to, w)
				}
				stopped += len(w.stopped)
				n.check(from, to, w)
			})
		}
		n.settle()
		n.each(func(from, to int, w *way) {
			n.check(from, to, w)
			m := n.machines[from]
			if m.Unacknowledged(&w.Peer) != 0 || m.Waiting(&w.Peer) != 0 || !m.InReach(&w.Peer) {
				t.Fatalf("seed %d: of machine %d at machine %d, %d inputs are not acknowledged, and %d wait", seed, to, from, m.Unacknowledged(&w.Peer), m.Waiting(&w.Peer))
			}
			for _, p := range n.players[from] {
				if n.machines[to].Next(p) != m.Next(p) {
					t.Fatalf("seed %d: machine %d lacks inputs of player %d", seed, to, p)
				}
				frames += int(m.Next(p))
			}
			apart += len(w.apart)
		})
	}
	t.Logf("%d frames, orders of %d apart, %d waited for one that was stopped", frames, apart, stopped)
	if frames < 1000 || apart < 100 || stopped < 10 {
		t.Error("the test does not try enough")
	}
}

// settle delivers all that is left.
func (n *network) settle() {
	for range 200 {
		n.each(func(from, to int, w *way) {
			for _, p := range n.players[from] {
				n.release(w, p)
				if err := n.machines[to].Limit(p, rollback.NoFrame); err != nil {
					n.t.Fatal(err)
				}
			}
			w.flying = nil
			n.send(from, to, w)
			n.arrive(from, to, w, 0, false)
			for len(w.messages) > 0 {
				n.hear(from, to, w)
			}
		})
	}
}
