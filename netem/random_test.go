package netem

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var seedFlag = flag.Uint64("netem.seed", 0, "replay the random network of this seed")

// randomLink returns settings with many effects. Times per byte are whole nanoseconds, so that nothing is rounded.
func randomLink(rnd *rand.Rand) Link {
	pick := func(p ...PPM) PPM { return p[rnd.IntN(len(p))] }
	l := Link{
		Down:      rnd.IntN(20) == 0,
		Bandwidth: []int64{0, 0, 1_000, 10_000, 1_000_000}[rnd.IntN(5)],
		Overhead:  rnd.IntN(2) * OverheadIPv4,
		MTU:       []int{0, 0, 0, 100, 200}[rnd.IntN(5)],
		Loss:      pick(0, 0, 20*Percent, Always),
		Delay:     time.Duration(rnd.IntN(3)) * 20 * time.Millisecond,
		Reorder:   rnd.IntN(2) == 0,
		Duplicate: pick(0, 0, 20*Percent, Always),
		Corrupt:   pick(0, 0, 20*Percent, Always),
	}
	if l.Bandwidth > 0 && rnd.IntN(2) == 0 {
		l.Queue = 1 + rnd.IntN(300)
	}
	if rnd.IntN(2) == 0 {
		l.Burst = Burst{Begin: 10 * Percent, End: 30 * Percent, Loss: pick(0, 50*Percent, Always)}
	}
	if rnd.IntN(2) == 0 {
		l.Distribution = Distribution(1 + rnd.IntN(3))
		l.Jitter = time.Duration(rnd.IntN(30_000_000))
	}
	return l
}

// randomNetwork applies the same operations to the network and to the reference, and returns the first difference.
func randomNetwork(seed uint64, spoil func(*reference)) error {
	rnd := rand.New(rand.NewPCG(seed, 0))
	nodes := 1 + rnd.IntN(4)
	d, err := NewDatagrams(nodes, seed, 0)
	if err != nil {
		return err
	}
	r := newReference(nodes, seed)
	var payload [300]byte
	now := time.Duration(rnd.IntN(2000)-1000) * time.Millisecond
	for step := range 600 {
		now += time.Duration(rnd.IntN(12)-1) * time.Duration(rnd.IntN(2_000_000))
		from, to := rnd.IntN(nodes), rnd.IntN(nodes)
		switch rnd.IntN(12) {
		case 0:
			l := randomLink(rnd)
			if err := d.SetLink(from, to, l); err != nil {
				return err
			}
			ref := r.links[[2]int{from, to}]
			ref.Link, ref.burst = l, ref.burst && l.Burst.Begin > 0
		case 1:
			cut := rnd.IntN(3) == 0
			d.Cut(from, to, cut)
			r.links[[2]int{from, to}].cut = cut
		case 2, 3, 4:
			err = compareReceive(d, r, now)
		default:
			b := payload[:rnd.IntN(len(payload))]
			for i := range b {
				b[i] = byte(step)
			}
			d.Send(now, from, to, b)
			r.send(now, from, to, b)
		}
		if spoil != nil {
			spoil(r)
		}
		if err = orElse(err, compareState(d, r)); err != nil {
			return fmt.Errorf("step %d at %v: %w", step, now, err)
		}
	}
	return compareReceive(d, r, now+time.Hour)
}

func orElse(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// compareReceive receives all that is due, and compares it.
func compareReceive(d *Datagrams, r *reference, now time.Duration) error {
	for {
		got, ok := d.Receive(now)
		want, wantOK := r.receive(now)
		if ok != wantOK || got.At != want.at || got.From != want.from || got.To != want.to || !bytes.Equal(got.Payload, want.payload) {
			return fmt.Errorf("received %v %v, want %v %v", got, ok, want, wantOK)
		}
		if !ok {
			return nil
		}
	}
}

// compareState compares the reported values of the network and the reference.
func compareState(d *Datagrams, r *reference) error {
	at, ok := d.Next()
	if ok != (len(r.flying) > 0) || ok && at != r.flying[0].at || d.InFlight() != len(r.flying) {
		return fmt.Errorf("%d in flight, next at %v, want %v", d.InFlight(), at, r.flying)
	}
	var sum Stats
	for from := range r.nodes {
		for to := range r.nodes {
			l := r.links[[2]int{from, to}]
			sum.Add(l.stats)
			if d.Stats(from, to) != l.stats || d.Link(from, to) != l.Link || d.IsCut(from, to) != l.cut {
				return fmt.Errorf("the link from %d to %d: %+v, want %+v", from, to, d.Stats(from, to), l.stats)
			}
		}
	}
	if total := d.TotalStats(); total != sum || total.InFlight() != uint64(d.InFlight()) {
		return fmt.Errorf("in total %+v, want %+v", total, sum)
	}
	return nil
}

// The network behaves like the reference, over random operations.
func TestTheNetworkFollowsTheReference(t *testing.T) {
	if *seedFlag != 0 {
		if err := randomNetwork(*seedFlag, nil); err != nil {
			t.Fatal(err)
		}
		return
	}
	runs := 2000
	if testing.Short() {
		runs = 200
	}
	for range runs {
		seed := rand.Uint64() | 1
		if err := randomNetwork(seed, nil); err != nil {
			t.Fatalf("-netem.seed=%d: %v", seed, err)
		}
	}
}

// The negative control of the test above: a reference with one changed rule is noticed.
func TestADifferenceIsFound(t *testing.T) {
	for name, spoil := range map[string]func(*reference){
		"a word skipped":  func(r *reference) { r.links[[2]int{0, 0}].luck += golden },
		"always reorders": func(r *reference) { r.links[[2]int{0, 0}].latest = beginning },
		"never waits":     func(r *reference) { r.links[[2]int{0, 0}].idle = beginning },
		"no bursts":       func(r *reference) { r.links[[2]int{0, 0}].burst = false },
		"time goes back":  func(r *reference) { r.now = beginning },
		"ties the other way": func(r *reference) {
			if n := len(r.flying); n > 1 && r.flying[n-1].at == r.flying[n-2].at {
				slices.Reverse(r.flying[n-2:])
			}
		},
	} {
		found := false
		for seed := uint64(1); seed <= 50 && !found; seed++ {
			found = randomNetwork(seed, spoil) != nil
		}
		if !found {
			t.Errorf("%s: went unnoticed", name)
		}
	}
}
