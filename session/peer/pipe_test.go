package peer

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// wire is two ends, and datagrams that take a while, or never come.
type wire struct {
	ends [2]*Pipe
	now  time.Duration
	list []flying
	r    *rand.Rand
}

type flying struct {
	to    int
	at    time.Duration
	bytes []byte
}

func newWire(t *testing.T, seed uint64) *wire {
	t.Helper()
	w := &wire{r: rand.New(rand.NewPCG(seed, 0))}
	for i := range w.ends {
		p, err := NewPipe(netip.AddrPort{}, uint64(10+i), uint64(11-i), time.Second/60, 0)
		if err != nil {
			t.Fatal(err)
		}
		w.ends[i] = p
	}
	return w
}

// run lets time pass. A datagram is lost, doubled or damaged now and then.
func (w *wire) run(t *testing.T, d time.Duration) {
	t.Helper()
	for end := w.now + d; w.now < end; w.now += time.Millisecond {
		for i, p := range w.ends {
			for p.Due(w.now) <= w.now {
				b := p.Append(nil, w.now)
				if len(b) > datagram.MaxSize {
					t.Fatalf("a datagram of %d bytes", len(b))
				}
				for range w.r.IntN(3) {
					c := bytes.Clone(b)
					if w.r.IntN(9) == 0 {
						c[w.r.IntN(len(c))] ^= 4
					}
					w.list = append(w.list, flying{1 - i, w.now + time.Duration(10+w.r.IntN(30))*time.Millisecond, c})
				}
			}
		}
		rest := w.list[:0]
		for _, f := range w.list {
			if f.at > w.now {
				rest = append(rest, f)
			} else if _, err := w.ends[f.to].Receive(w.now, f.bytes); err != nil {
				t.Fatal(err)
			}
		}
		w.list = rest
	}
}

// What goes in comes out, both ways, over a bad wire, for longer than the numbers on the
// wire last; and the round trip is what it is.
func TestAPipeCarriesMessages(t *testing.T) {
	for seed := range uint64(3) {
		w := newWire(t, seed)
		for round := range 40 {
			for i, p := range w.ends {
				m := bytes.Repeat([]byte{byte(round), byte(i)}, 1+w.r.IntN(2000))
				if err := p.Channel.Send(m); err != nil {
					t.Fatal(err)
				}
				w.run(t, time.Duration(w.r.IntN(200))*time.Millisecond)
				for n := 0; ; n++ {
					if got, ok := w.ends[1-i].Channel.Next(); ok {
						if !bytes.Equal(got, m) {
							t.Fatalf("seed %d: another message", seed)
						}
						break
					}
					if w.run(t, 10*time.Millisecond); n > 3000 {
						t.Fatalf("seed %d, round %d: it does not come", seed, round)
					}
				}
			}
		}
		if rtt := w.ends[0].RoundTrip; rtt.Samples < 50 || rtt.Least < 20*time.Millisecond || rtt.Smoothed > 120*time.Millisecond {
			t.Errorf("seed %d: %+v", seed, rtt)
		}
	}
}

// The number of a datagram is right beyond 65536 of them.
func TestNumbersGoOnBeyondTheirBits(t *testing.T) {
	w := newWire(t, 1)
	for i := range 140_000 {
		b := w.ends[0].Append(nil, time.Duration(i)*time.Millisecond)
		if i%1000 == 0 {
			if ok, err := w.ends[1].Receive(time.Duration(i)*time.Millisecond, b); !ok || err != nil {
				t.Fatalf("datagram %d: %v, %v", i, ok, err)
			}
			if ok, _ := w.ends[1].Receive(time.Duration(i)*time.Millisecond, b); ok {
				t.Fatalf("datagram %d counts twice", i)
			}
		}
	}
}

// A sign of life acknowledges, and carries no more than a few bytes.
func TestASignOfLifeIsShort(t *testing.T) {
	w := newWire(t, 2)
	if err := w.ends[0].Channel.Send(make([]byte, 50_000)); err != nil {
		t.Fatal(err)
	}
	b := w.ends[0].AppendSign(nil, 0)
	if len(b) > signRoom+40 {
		t.Errorf("%d bytes", len(b))
	}
	if ok, err := w.ends[1].Receive(5*time.Millisecond, b); !ok || err != nil || w.ends[1].Heard != 5*time.Millisecond {
		t.Errorf("the other end has not heard it: %v, %v", ok, err)
	}
	if err := w.ends[1].Channel.Send(make([]byte, 2000)); err != nil {
		t.Fatal(err)
	}
	w.run(t, 200*time.Millisecond)
	before := w.ends[1].Channel.Pending()
	w.run(t, 3*time.Second)
	if after := w.ends[1].Channel.Pending(); before == 0 && after != 0 {
		t.Errorf("%d bytes are not acknowledged", after)
	}
}

// What has inputs, or is no datagram of the other end, is told apart.
func TestAPipeRefuses(t *testing.T) {
	w := newWire(t, 3)
	shape := datagram.Shape{Sender: 1, Receiver: 1}
	h := datagram.Header{HasPlay: true}
	b := datagram.KeyOf(10, 11).Seal(h.Append(nil, shape), 0, 0)
	if ok, err := w.ends[1].Receive(0, b); !ok || err == nil {
		t.Errorf("inputs: %v, %v", ok, err)
	}
	plain := datagram.Header{Sequence: 1}
	broken := append(plain.Append(nil, noShape), bytes.Repeat([]byte{0xFF}, 40)...)
	datagram.MarkControl(broken)
	if ok, err := w.ends[1].Receive(0, datagram.KeyOf(10, 11).Seal(broken, 0, 1)); !ok || err == nil {
		t.Errorf("a stream that is none: %v, %v", ok, err)
	}
	for _, b := range [][]byte{nil, {0x80}, make([]byte, 20), bytes.Repeat([]byte{0xFF}, 1200)} {
		if ok, err := w.ends[1].Receive(0, b); ok || err != nil {
			t.Errorf("% x: %v, %v", b, ok, err)
		}
	}
}

// Rule: before a round trip was measured, half a second is waited; afterwards as long as
// it takes, and for the period in which the other end may answer.
func TestHowLongAnAnswerMayTake(t *testing.T) {
	var r RoundTrip
	const period = 20 * time.Millisecond
	if got := r.Timeout(period); got != 500*time.Millisecond {
		t.Errorf("at first %v", got)
	}
	r.Add(100 * time.Millisecond)
	if got := r.Timeout(period); got != 320*time.Millisecond { // 100, four times 50, and 20
		t.Errorf("after one sample %v", got)
	}
	for range 200 {
		r.Add(100 * time.Millisecond)
	}
	if got := r.Timeout(period); got < 140*time.Millisecond || got > 141*time.Millisecond {
		t.Errorf("on a steady way %v", got)
	}
	if r.Add(40 * time.Millisecond); r.Least != 40*time.Millisecond || r.Smoothed != 92500*time.Microsecond {
		t.Errorf("after a short one the least is %v, and usual %v", r.Least, r.Smoothed)
	}
}
