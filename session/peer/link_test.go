package peer

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// newLink returns a link to a peer that has not answered, and the outbox for datagrams to it.
func newLink(t *testing.T) (*Link, *Outbox) {
	t.Helper()
	l := NewLink(addr(1), 11, time.Second/60, 0)
	return l, &Outbox{Most: 64}
}

func addr(n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(n)}), 7000)
}

// sizes takes the datagrams from the outbox, and returns their sizes in bytes.
func (o *Outbox) sizes(t *testing.T, to netip.AddrPort) (list []int) {
	t.Helper()
	for at, b := range o.All() {
		if at != to {
			t.Errorf("a datagram to %v, not %v", at, to)
		}
		list = append(list, len(b))
	}
	return list
}

// A Welcome answers a Hello that was sent: one of the newest 255.
func TestWhichHelloAWelcomeAnswers(t *testing.T) {
	for _, total := range []int{0, 1, 2, 100, 254, 255, 256, 257, 600} {
		h := hellos{total: total, last: byte(total)}
		for n := range 256 {
			back := int(byte(total) - byte(n)) // so many before the newest
			if want := back < min(total, 255); h.of(byte(n)) != want {
				t.Errorf("after %d Hellos number %d is known: %v", total, n, !want)
			}
		}
	}
}

// Rule (docs/reference/wire.md): Hellos are large; from a second without an answer on, or from half of
// the time after which the peer is given up, a small one follows each.
func TestSmallHellosFollowLargeOnes(t *testing.T) {
	for _, c := range []struct {
		givenUp time.Duration
		from    time.Duration
	}{{time.Hour, time.Second}, {2 * time.Second, time.Second}, {time.Second, 500 * time.Millisecond}} {
		l, out := newLink(t)
		l.Born = 7 * time.Second
		for since := time.Duration(0); since < 7*time.Second; since += 100 * time.Millisecond {
			l.Hello(l.Born+since, c.givenUp, out)
			want := []int{datagram.MaxSize}
			if since >= c.from {
				want = append(want, datagram.MinSize)
			}
			if got := out.sizes(t, addr(1)); !slices.Equal(got, want) {
				t.Errorf("given up after %v: after %v Hellos of %v bytes", c.givenUp, since, got)
			}
			if got := l.HelloDue() - l.Born - since; got != HelloInterval(since) {
				t.Errorf("after %v the next is due in %v", since, got)
			}
		}
	}
}

// Rule (docs/reference/wire.md): a Hello follows after 25 ms, from one second on after 100 ms, and from
// five on after 250 ms.
func TestHowOftenAHelloIsSent(t *testing.T) {
	const ms = time.Millisecond
	for since, want := range map[time.Duration]time.Duration{
		0: 25 * ms, 999 * ms: 25 * ms, 1000 * ms: 100 * ms, 4999 * ms: 100 * ms, 5000 * ms: 250 * ms, time.Hour: 250 * ms,
	} {
		if got := HelloInterval(since); got != want {
			t.Errorf("after %v: %v", since, got)
		}
	}
}

// A peer that shows that it is there gets a Hello immediately, but not sooner than 25 ms after the last one, and no
// later than otherwise.
func TestAPeerThatIsThereIsAskedSoon(t *testing.T) {
	l, out := newLink(t)
	l.Hello(6*time.Second, time.Hour, out)
	for _, c := range []struct{ due, now, want time.Duration }{
		{6250, 6010, 6025}, {6250, 6025, 6025}, {6250, 6100, 6100}, {6020, 6010, 6020},
	} {
		l.HelloAt(c.due * time.Millisecond)
		if l.HelloSoon(c.now * time.Millisecond); l.HelloDue() != c.want*time.Millisecond {
			t.Errorf("at %d: due at %v, want %d", c.now, l.HelloDue(), c.want)
		}
	}
}

// Without room nothing is sent; the number is still used up.
func TestAHelloNeedsRoom(t *testing.T) {
	l, out := newLink(t)
	out.Most = 0
	if l.Hello(0, time.Hour, out); out.Len() != 0 || out.Dropped != 1 || !l.hellos.of(1) {
		t.Errorf("%d datagrams, %d dropped, %+v", out.Len(), out.Dropped, l.hellos.total)
	}
}

// A Welcome gives the keys, a round trip, and how large datagrams may be: as large as the
// largest Hello that was answered, and MinSize if that is not known.
func TestAWelcomeTellsOfTheWay(t *testing.T) {
	for _, c := range []struct {
		number byte
		limit  int
		trips  int
	}{{1, datagram.MaxSize, 1}, {2, datagram.MaxSize, 1}, {3, datagram.MinSize, 1}, {4, datagram.MinSize, 0}, {0, datagram.MinSize, 0}} {
		l, out := newLink(t)
		l.Hello(500*time.Millisecond, time.Hour, out)
		l.Hello(1000*time.Millisecond, time.Hour, out) // a large one, and a small one
		if l.Limit() != 0 || l.Most() != datagram.MaxSize {
			t.Fatalf("%d and %d bytes before an answer", l.Limit(), l.Most())
		}
		l.Answered(1100*time.Millisecond, 12, c.number, 2*time.Second)
		if l.Limit() != c.limit || l.Most() != c.limit || l.RoundTrip.Samples != c.trips || l.Theirs != 12 || l.HelloDue() != 2*time.Second {
			t.Errorf("Hello %d answered: %d bytes, %d samples, %d, %v", c.number, l.Limit(), l.RoundTrip.Samples, l.Theirs, l.HelloDue())
		}
		if c.number == 3 && l.RoundTrip.Latest != 100*time.Millisecond {
			t.Errorf("%v", l.RoundTrip.Latest)
		}
		if l.In != datagram.KeyOf(12, 11) || l.Out != datagram.KeyOf(11, 12) || l.Proven() {
			t.Error("the keys are others, or a Welcome is a proof")
		}
	}
}

// Another Welcome of the same peer can show that a larger Hello got through, and nothing else. A Welcome of another
// peer, or one that is not authentic, shows nothing.
func TestAnotherWelcomeTellsOfTheWidth(t *testing.T) {
	welcome := func(key, nonce uint64, number byte) []byte {
		w := datagram.Welcome{Version: datagram.Version, Nonce: nonce, Attempt: number}
		return datagram.Key(key).Seal(w.Append(nil), 0, 0)
	}
	for _, c := range []struct {
		name string
		b    []byte
		want int
	}{
		{"the large Hello", welcome(11, 12, 1), datagram.MaxSize},
		{"the small Hello", welcome(11, 12, 2), datagram.MinSize},
		{"another machine", welcome(11, 13, 1), datagram.MinSize},
		{"another key", welcome(10, 12, 1), datagram.MinSize},
		{"no Welcome", datagram.Key(11).Seal([]byte{datagram.KindWelcome}, 0, 0), datagram.MinSize},
	} {
		l, out := newLink(t)
		l.Hello(time.Second, time.Hour, out)
		l.Answered(time.Second, 12, 2, 0)
		if l.AnsweredAgain(c.b); l.Limit() != c.want || l.RoundTrip.Samples != 1 || l.Theirs != 12 {
			t.Errorf("%s: %d bytes, %d samples, of %d", c.name, l.Limit(), l.RoundTrip.Samples, l.Theirs)
		}
	}
}

// Rule (docs/reference/wire.md): fragments are small on any path, so that a repeated one fits beside inputs and an
// acknowledgement, even if the path has become narrow.
func TestFragmentsHaveRoomBesideInputs(t *testing.T) {
	for number, size := range map[byte]int{1: datagram.MaxSize, 2: datagram.MinSize} {
		l, out := newLink(t)
		l.Hello(time.Second, time.Hour, out)
		l.Answered(time.Second, 12, number, 0)
		if err := l.Channel.Send(make([]byte, 3000)); err != nil || l.Most() != size {
			t.Fatalf("%v, the limit is %d", err, l.Most())
		}
		for range 10 {
			l.Channel.Append(nil, 3100, 0)
		}
		if n := l.Channel.Stats().Sent; n != 13 {
			t.Errorf("limit %d: 3000 bytes are %d fragments", size, n)
		}
	}
}

// Rule (docs/reference/wire.md): a path that stops carrying large datagrams gets small ones, and is tried again after 4 s;
// results of earlier Hellos do not count.
func TestALinkWhosePathGetsNarrow(t *testing.T) {
	l, out := newLink(t)
	l.Hello(time.Second, time.Hour, out)
	l.Answered(time.Second, 12, 1, 0)
	l.Arrive(time.Second, 0, 30)
	now := time.Second
	send := func(size int) {
		now += 20 * time.Millisecond
		l.Seal(make([]byte, size-datagram.TagSize), 0, now)
		if l.Next()%8 == 0 { // 5 is the newest that has arrived
			l.Measure(now, &datagram.Sample{Echo: 5, Hold: datagram.HoldUnknown})
		}
	}
	for range 6 {
		send(datagram.MinSize)
	}
	for l.Limit() == datagram.MaxSize && now < time.Minute {
		send(datagram.MinSize + 1)
	}
	if took := now - time.Second; took < holeAfter || took > 2*time.Second || l.Limit() != datagram.MinSize {
		t.Fatalf("the limit is %d after %v", l.Limit(), took)
	}
	if l.carries(1); l.Limit() != datagram.MinSize {
		t.Error("what an earlier Hello has shown counts")
	}
	out.sizes(t, addr(1))
	narrow := now
	for now += time.Millisecond; out.Len() == 0; now += time.Millisecond {
		l.Probe(now, out)
	}
	if after := now - narrow; after < firstAfterHole || after > firstAfterHole+10*time.Millisecond {
		t.Errorf("it is tried after %v", after)
	}
	if l.carries(l.hellos.last); l.Limit() != datagram.MaxSize {
		t.Error("it does not get wide again")
	}
}

// Rule (docs/reference/wire.md): a large Hello probes whether a narrow path now carries one, a quarter of a second
// after the peer has proved to be there, and then at intervals that double each time, up to 32 s, until one is
// answered.
func TestProbesGetRareOverANarrowPath(t *testing.T) {
	l, out := newLink(t)
	l.Hello(time.Second, time.Hour, out)
	l.Answered(time.Second, 12, 2, 0)
	out.sizes(t, addr(1))
	if l.Probe(9*time.Second, out); out.Len() != 0 || l.probes.every != 0 {
		t.Error("a peer is tried that has not proved to be there")
	}
	l.Arrive(10*time.Second, 0, 30)
	var at []time.Duration
	for now := 10 * time.Second; now < 200*time.Second; now += 10 * time.Millisecond {
		l.Probe(now, out)
		for _, n := range out.sizes(t, addr(1)) {
			if at = append(at, now-10*time.Second); n != datagram.MaxSize {
				t.Errorf("a probe of %d bytes", n)
			}
		}
	}
	var want []time.Duration
	for next, every := 250*time.Millisecond, 500*time.Millisecond; next < 190*time.Second; every = min(2*every, 32*time.Second) {
		want = append(want, next)
		next += every
	}
	if !slices.Equal(at, want) {
		t.Errorf("probes at %v, want %v", at, want)
	}
	l.carries(l.hellos.last)
	if l.Probe(time.Hour, out); out.Len() != 0 || l.Limit() != datagram.MaxSize {
		t.Error("a wide path is tried")
	}
}
