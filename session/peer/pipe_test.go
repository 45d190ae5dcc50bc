package peer

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// wire is two ends, and datagrams that take a while, or never arrive.
type wire struct {
	ends [2]*Pipe
	now  time.Duration
	list []flying
	r    *rand.Rand
	most int // bytes that are carried, if it is not 0
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
		p := NewPipe(netip.AddrPort{}, uint64(10+i), uint64(11-i), time.Second/60, 0)
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
					if w.most > 0 && len(b) > w.most {
						break
					}
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

// Data arrives unchanged, in both directions, over a bad network, even after the 16-bit numbers have wrapped
// around; and the round trip is measured correctly.
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

// The numbers of datagrams are still right after 65536 of them.
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

// A keep-alive acknowledges, and carries no more than a few bytes.
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

// A datagram that is not a spectator's, or not from the other end, is ignored; impossible content in an authentic
// one costs the connection.
func TestAPipeRefuses(t *testing.T) {
	w := newWire(t, 3)
	shape := datagram.Shape{Sender: 1, Receiver: 1}
	h := datagram.Header{HasPlay: true}
	b := datagram.KeyOf(10, 11).Seal(h.Append(nil, shape), 0, 0)
	if ok, err := w.ends[1].Receive(0, b); ok || err != nil || w.ends[1].Counts.Received != 0 {
		t.Errorf("a peer's: %v, %v", ok, err)
	}
	orders := datagram.Header{Watch: true, HasOrders: true}
	if ok, err := w.ends[1].Receive(0, datagram.KeyOf(10, 11).Seal(orders.Append(nil, noShape), 0, 0)); !ok || err == nil {
		t.Errorf("orders: %v, %v", ok, err)
	}
	plain := datagram.Header{Watch: true, Sequence: 1}
	broken := append(plain.Append(nil, noShape), bytes.Repeat([]byte{0xFF}, 40)...)
	datagram.MarkControl(broken)
	if ok, err := w.ends[1].Receive(0, datagram.KeyOf(10, 11).Seal(broken, 0, 1)); !ok || err == nil {
		t.Errorf("a stream that is none: %v, %v", ok, err)
	}
	for _, b := range [][]byte{nil, {0x40}, make([]byte, 20), bytes.Repeat([]byte{0x70}, 1200), bytes.Repeat([]byte{0xFF}, 1200)} {
		if ok, err := w.ends[1].Receive(0, b); ok || err != nil {
			t.Errorf("% x: %v, %v", b, ok, err)
		}
	}
}

// Rule: before a round trip was measured the time-out is half a second; afterwards it is the round trip plus the
// period in which the other end may answer.
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

// Rule: a pipe and its link share one connection, with its keys, its numbers and its
// measurements; each has a control stream of its own, and only a pipe's own datagrams keep
// it alive.
func TestAPipeAndItsLinkShareAConnection(t *testing.T) {
	w := newWire(t, 4)
	w.run(t, time.Second)
	var links [2]*Link
	for i, p := range w.ends {
		l := p.Link(w.now)
		if l == nil || p.Link(w.now) != nil || l.Conn != p.Conn || l.Channel == p.Channel || l.Proven() || l.Limit() != p.Limit() || l.HelloDue() <= w.now {
			t.Fatalf("%+v", l)
		}
		links[i] = l
	}
	w.now += time.Minute
	next, heard := w.ends[0].Next(), w.ends[1].Heard
	const text = "of the link"
	if err := links[0].Channel.Send([]byte(text)); err != nil {
		t.Fatal(err)
	}
	h := datagram.Header{Sequence: uint16(next), HasControl: true}
	b := links[0].Channel.Append(h.Append(nil, noShape), 500, w.now)
	b = links[0].Seal(b, 0, w.now)
	if w.ends[0].Next() != next+1 {
		t.Error("the link has numbers of its own")
	}
	if ok, err := w.ends[1].Receive(w.now, b); ok || err != nil {
		t.Errorf("the pipe takes what is the link's: %v", err)
	}
	body, sequence, ok := links[1].Open(b)
	if !ok || sequence != next || !links[1].Take(sequence) || links[1].Take(sequence) {
		t.Fatal("the link does not take it once")
	}
	links[1].Arrive(w.now, sequence, len(b))
	rest, err := h.Consume(body, noShape, 0)
	if err == nil {
		_, err = links[1].Channel.Consume(rest, w.now)
	}
	if m, ok := links[1].Channel.Next(); !ok || string(m) != text || err != nil {
		t.Errorf("%q came, %v", m, err)
	}
	if m, ok := w.ends[1].Channel.Next(); ok && string(m) == text {
		t.Error("it came to the pipe")
	}
	if w.ends[1].Heard != heard || links[1].Heard != w.now || !links[1].Proven() || links[0].Proven() {
		t.Errorf("the pipe was heard at %v, the link at %v", w.ends[1].Heard, links[1].Heard)
	}
}

// Rule: an end that does not know yet how wide the path is begins its link as narrow; what the pipe finds out
// then also holds for the link.
func TestALinkBeginsAsWideAsItsPipe(t *testing.T) {
	for _, wide := range []bool{false, true} {
		w := newWire(t, 5)
		w.run(t, 100*time.Millisecond)
		if wide {
			w.ends[0].width.limit = datagram.MaxSize
		}
		l := w.ends[0].Link(w.now)
		want := datagram.MinSize
		if wide {
			want = datagram.MaxSize
		}
		if l.Limit() != want || l.Most() != want {
			t.Errorf("%d bytes, want %d", l.Most(), want)
		}
		w.ends[0].width.probed(7, w.now)
		if w.ends[0].echoed(7); l.Limit() != datagram.MaxSize {
			t.Errorf("%d bytes after a probe has got through", l.Limit())
		}
	}
}

// Rule: a link whose other end answers with the nonce of the pipe shares its connection; with
// another nonce, it has a connection of its own from then on, and the pipe keeps its own.
func TestALinkThatTheOtherEndDoesNotShare(t *testing.T) {
	for _, shares := range []bool{true, false} {
		w := newWire(t, 6)
		w.run(t, 100*time.Millisecond)
		p := w.ends[0]
		l, out := p.Link(w.now), &Outbox{Most: 9}
		if l.Hello(w.now, time.Minute, out); out.Len() == 0 {
			t.Fatal("no Hello")
		}
		conn, in, theirs := *p.Conn, p.In, l.Theirs
		if !shares {
			theirs++
		}
		l.Answered(w.now+10*time.Millisecond, theirs, 1, w.now+time.Second)
		if (l.Conn == p.Conn) != shares || p.In != in || p.Theirs != conn.Theirs || l.Theirs != theirs || l.Addr != p.Addr || l.Nonce != p.Nonce {
			t.Errorf("shared %v: %+v", shares, l.Conn)
		}
		if l.RoundTrip.Samples != conn.RoundTrip.Samples+1 {
			t.Errorf("shared %v: %d samples, %d before", shares, l.RoundTrip.Samples, conn.RoundTrip.Samples)
		}
	}
}

// Rule: a pipe says how far the datagram that it has taken is behind the newest one.
func TestAPipeSaysWhatHasOvertakenADatagram(t *testing.T) {
	w := newWire(t, 1)
	var list [][]byte
	for range 10 {
		list = append(list, w.ends[0].AppendBody(nil, 0, []byte{1}))
	}
	for _, c := range []struct {
		of   int
		want uint64
	}{{2, 0}, {7, 0}, {3, 4}, {0, 7}, {9, 0}, {8, 1}} {
		if ok, err := w.ends[1].Receive(0, list[c.of]); !ok || err != nil || w.ends[1].Overtaken != c.want {
			t.Errorf("number %d is overtaken by %d, want %d: %v, %v", c.of, w.ends[1].Overtaken, c.want, ok, err)
		}
	}
}

// Rule: beside bodies, a sample goes every 200 ms at first, and then every second.
func TestSamplesBecomeSeldom(t *testing.T) {
	w := newWire(t, 1)
	if _, err := w.ends[0].Receive(0, w.ends[1].Append(nil, 0)); err != nil {
		t.Fatal(err)
	}
	var at []time.Duration
	for now := time.Duration(0); now < 8*time.Second; now += 50 * time.Millisecond {
		b := w.ends[0].AppendBody(nil, now, []byte{1})
		if _, err := w.ends[1].Receive(now, b); err != nil {
			t.Fatal(err)
		}
		if w.ends[1].header.HasSample {
			at = append(at, now)
		}
	}
	for i, now := range at {
		if want := firstSampleEvery*time.Duration(min(i+1, firstSamples)) + sampleEvery*time.Duration(max(i+1-firstSamples, 0)); now != want {
			t.Fatalf("sample %d goes at %v, want %v", i, now, want)
		}
	}
	if len(at) != firstSamples+5 {
		t.Errorf("%d samples", len(at))
	}
}

// Rule: if fewer times of sending are held, round trips are measured as before, as far as these reach.
func TestAPipeHoldsFewerTimes(t *testing.T) {
	w := newWire(t, 1)
	a, b := w.ends[0], w.ends[1]
	a.Hold(8)
	for i := range 40 {
		now := time.Duration(i) * 10 * time.Millisecond
		if _, err := b.Receive(now+5*time.Millisecond, a.Append(nil, now)); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Receive(now+7*time.Millisecond, b.Append(nil, now+6*time.Millisecond)); err != nil {
			t.Fatal(err)
		}
	}
	if a.RoundTrip.Samples != 40 || a.RoundTrip.Least != 6*time.Millisecond {
		t.Errorf("%+v", a.RoundTrip)
	}
	answer := b.Append(nil, time.Second)
	for range 8 {
		a.Append(nil, time.Second)
	}
	if _, err := a.Receive(time.Second, answer); err != nil || a.RoundTrip.Samples != 40 {
		t.Errorf("one that is not held any more: %+v, %v", a.RoundTrip, err)
	}
}

// A message arrives over a path that becomes narrow in the middle of it, and the pipe becomes wide again when the
// path does.
func TestAPipeWhosePathGetsNarrow(t *testing.T) {
	w := newWire(t, 6)
	host, viewer := w.ends[0], w.ends[1]
	w.run(t, 100*time.Millisecond)
	host.width.limit = datagram.MaxSize
	message := bytes.Repeat([]byte("state"), 12_000)
	if err := host.Channel.Send(message); err != nil {
		t.Fatal(err)
	}
	w.run(t, 20*time.Millisecond)
	w.most = datagram.MinSize
	for w.now < 60*time.Second {
		w.run(t, 100*time.Millisecond)
		if got, ok := viewer.Channel.Next(); ok {
			if !bytes.Equal(got, message) || host.Limit() != datagram.MinSize || host.ProbeDue(w.now) {
				t.Errorf("%d bytes, and the limit is %d", len(got), host.Limit())
			}
			w.most = 0
			for at := w.now; host.Limit() == datagram.MinSize && w.now < at+time.Minute; w.run(t, 100*time.Millisecond) {
				if !host.ProbeDue(w.now) {
					continue
				}
				if _, err := viewer.Receive(w.now, host.AppendProbe(nil, w.now)); err != nil || !viewer.Asked() {
					t.Fatal("the probe is not one", err)
				}
				if _, err := host.Receive(w.now, viewer.Append(nil, w.now)); err != nil {
					t.Fatal(err)
				}
			}
			if host.Limit() != datagram.MaxSize {
				t.Error("it does not get wide again")
			}
			return
		}
	}
	t.Error("the message does not arrive")
}

// On a path that never carries large datagrams, probes are sent every 32 s in the end, however many get lost.
func TestProbesKeepTheirSchedule(t *testing.T) {
	w := newWire(t, 6)
	w.most = datagram.MinSize
	host, last, probes := w.ends[0], time.Duration(0), 0
	for w.now < 40*time.Minute {
		w.run(t, time.Second)
		if !host.ProbeDue(w.now) {
			continue
		}
		if host.AppendProbe(nil, w.now); probes > 10 && w.now-last < lastProbe {
			t.Fatalf("probe %d comes %v after the one before", probes, w.now-last)
		}
		probes, last = probes+1, w.now
	}
	if probes < 60 {
		t.Errorf("%d probes", probes)
	}
}
