package peer

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// Rule: an outbox yields what was put in, each datagram once with its destination. If the
// reader stops early, the rest is lost. It reports when it is full, and counts what did
// not fit.
func TestAnOutbox(t *testing.T) {
	o := Outbox{Most: 3}
	to := func(n int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 1}), uint16(n))
	}
	for range 2 {
		for i := range 3 {
			if o.Full() || o.Len() != i {
				t.Fatalf("full with %d", o.Len())
			}
			if n := o.Seal(append(o.Bytes, fmt.Sprint("datagram ", i)...), to(i)); n != 10 {
				t.Errorf("%d bytes", n)
			}
		}
		if !o.Full() || o.Start() != 30 {
			t.Errorf("not full with %d, %d bytes", o.Len(), o.Start())
		}
		i := 0
		for addr, b := range o.All() {
			if addr != to(i) || string(b) != fmt.Sprint("datagram ", i) || cap(b) != len(b) {
				t.Errorf("%d: %q to %v", i, b, addr)
			}
			i++
		}
		if i != 3 || o.Len() != 0 || o.Start() != 0 {
			t.Errorf("%d were taken, and %d are left", i, o.Len())
		}
	}
	if o.Dropped != 2 {
		t.Errorf("%d had no room", o.Dropped)
	}
	o.Seal(append(o.Bytes, 'a'), to(1))
	o.Seal(append(o.Bytes, 'b'), to(2))
	for range o.All() {
		break
	}
	if o.Len() != 0 || o.Start() != 0 {
		t.Errorf("%d are left", o.Len())
	}
}

// Rule: a round trip is smoothed as in RFC 6298, and impossible values are ignored.
func TestRoundTrips(t *testing.T) {
	const ms = time.Millisecond
	var r RoundTrip
	if got := r.Timeout(16 * ms); got != 500*ms {
		t.Errorf("a time-out of %v without a sample", got)
	}
	for _, bad := range []time.Duration{-1, 10*time.Second + 1} {
		if r.Add(bad); r.Samples != 0 {
			t.Errorf("%v is a sample", bad)
		}
	}
	for _, c := range []struct {
		sample time.Duration
		want   RoundTrip
	}{
		{80 * ms, RoundTrip{Smoothed: 80 * ms, Deviation: 40 * ms, Latest: 80 * ms, Least: 80 * ms, Samples: 1}},
		{160 * ms, RoundTrip{Smoothed: 90 * ms, Deviation: 50 * ms, Latest: 160 * ms, Least: 80 * ms, Samples: 2}},
		{10 * ms, RoundTrip{Smoothed: 80 * ms, Deviation: 57500 * time.Microsecond, Latest: 10 * ms, Least: 10 * ms, Samples: 3}},
		{0, RoundTrip{Smoothed: 70 * ms, Deviation: 63125 * time.Microsecond, Latest: 0, Least: 0, Samples: 4}},
	} {
		if r.Add(c.sample); r != c.want {
			t.Errorf("%v: %+v, and not %+v", c.sample, r, c.want)
		}
	}
	if got := r.Timeout(16 * ms); got != 70*ms+4*63125*time.Microsecond+16*ms {
		t.Errorf("a time-out of %v", got)
	}
	r.Deviation = ms
	if got := r.Timeout(16 * ms); got != 70*ms+16*ms+16*ms {
		t.Errorf("a time-out of %v with a period that is longer than the deviation", got)
	}
	if r.Add(10 * time.Second); r.Samples != 5 {
		t.Error("10 s can be")
	}
}

// Rule: a keep-alive has at most 64 bytes of the stream, and is due every 250 ms.
func TestASignOfLife(t *testing.T) {
	w := newWire(t, 7)
	p := w.ends[0]
	if got := p.Due(0); got != 250*time.Millisecond {
		t.Errorf("due at %v", got)
	}
	if got := p.Due(time.Second); got != time.Second {
		t.Errorf("due at %v", got)
	}
	if err := p.Channel.Send(make([]byte, 5000)); err != nil {
		t.Fatal(err)
	}
	before := len(p.AppendSign(nil, 0))
	if before > 64+headRoom {
		t.Errorf("%d bytes", before)
	}
	if p.Counts.Sent != 1 || p.Counts.SentBytes != uint64(before) || p.Sent != 0 {
		t.Errorf("%d datagrams, %d bytes, at %v", p.Counts.Sent, p.Counts.SentBytes, p.Sent)
	}
	whole := len(p.Append([]byte("before"), time.Second)) - 6
	if whole <= 400 || whole > 512 || p.Counts.SentBytes != uint64(before+whole) || p.Sent != time.Second {
		t.Errorf("%d bytes; %d in all, at %v", whole, p.Counts.SentBytes, p.Sent)
	}
}

// Rule: unacknowledged data is sent again after the time-out of the path, which is measured.
func TestTheTimeOutFollowsTheWay(t *testing.T) {
	w := newWire(t, 3)
	a, b := w.ends[0], w.ends[1]
	now := time.Second
	for range 200 {
		if err := a.Channel.Send([]byte("message")); err != nil {
			t.Fatal(err)
		}
		there := a.Append(nil, now)
		now += 10 * time.Millisecond
		if _, err := b.Receive(now, there); err != nil {
			t.Fatal(err)
		}
		back := b.Append(nil, now)
		now += 10 * time.Millisecond
		if _, err := a.Receive(now, back); err != nil {
			t.Fatal(err)
		}
	}
	if r := a.RoundTrip; r.Smoothed < 19*time.Millisecond || r.Smoothed > 21*time.Millisecond || r.Samples != 200 {
		t.Errorf("%+v", r)
	}
	if err := a.Channel.Send([]byte("lost")); err != nil {
		t.Fatal(err)
	}
	a.Append(nil, now)
	at, any := a.Channel.Due(now)
	if wait := at - now; !any || wait < a.RoundTrip.Timeout(time.Second/60)-time.Millisecond || wait > 60*time.Millisecond {
		t.Errorf("again after %v, with %+v", wait, a.RoundTrip)
	}
}

// Rule: after large datagrams the buffer becomes small again, and stays as it is while as much is sent; datagrams that
// were fetched stay valid meanwhile.
func TestAnOutboxBecomesSmall(t *testing.T) {
	o := Outbox{Most: 8}
	to := netip.MustParseAddrPort("10.0.0.1:7")
	turn := func(n int) {
		if n > 0 {
			o.Seal(append(o.Bytes, make([]byte, n)...), to)
		}
		for _, b := range o.All() {
			if len(b) != n {
				t.Fatalf("%d bytes of %d", len(b), n)
			}
		}
	}
	for range 5 {
		turn(1200)
	}
	for i := range 3 * turnsHeld {
		turn(40 * (i % 3 / 2)) // in most turns there is nothing
	}
	if got := cap(o.Bytes); got < 40 || got > 200 {
		t.Errorf("the buffer has %d bytes", got)
	}
	if n := testing.AllocsPerRun(3*turnsHeld, func() { turn(40) }); n != 0 {
		t.Errorf("%v allocations in a turn", n)
	}
	for range 2 * turnsHeld { // a large one now and then keeps it large
		turn(40)
		turn(1200)
	}
	large := cap(o.Bytes)
	if n := testing.AllocsPerRun(3*turnsHeld, func() { turn(40); turn(1200) }); n != 0 || cap(o.Bytes) != large {
		t.Errorf("%v allocations in two turns", n)
	}
	for range 3 * turnsHeld {
		turn(0)
	}
	if cap(o.Bytes) != large {
		t.Error("while nothing is sent, the buffer changes")
	}
}
