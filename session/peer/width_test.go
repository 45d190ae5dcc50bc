package peer

import (
	"math"
	"testing"
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule (docs/reference/wire.md): datagrams are small until a probe was answered; only the answer to the
// newest probe counts, and probes become rare.
func TestDatagramsAreSmallUntilAProbeIsAnswered(t *testing.T) {
	w := newWire(t, 5)
	host, viewer := w.ends[0], w.ends[1]
	if host.ProbeDue(time.Hour) {
		t.Error("a probe is due before the other end was heard")
	}
	send := func(from, to *Pipe, b []byte, at time.Duration) {
		t.Helper()
		if ok, err := to.Receive(at, b); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	send(viewer, host, viewer.Append(nil, 0), 0)
	var due []time.Duration
	var lost []byte
	for now := time.Duration(0); now < 60*time.Second; now += 10 * time.Millisecond {
		if host.ProbeDue(now) {
			due = append(due, now)
			if lost = host.AppendProbe(nil, now); len(lost) != datagram.MaxSize {
				t.Fatalf("a probe of %d bytes", len(lost))
			}
		}
		if err := host.Channel.Send(make([]byte, 2000)); err == nil && now < 100*time.Millisecond {
			if b := host.Append(nil, now); len(b) > datagram.MinSize || len(b) < datagram.MinSize-60 {
				t.Fatalf("a datagram of %d bytes", len(b))
			}
		}
	}
	if n := len(due); n < 7 || n > 9 || due[0] != 0 || due[1] != firstProbe {
		t.Errorf("probes at %v", due)
	}
	now := 60 * time.Second
	send(host, viewer, host.Append(nil, now), now)
	if viewer.Asked() {
		t.Error("an ordinary datagram is answered like a probe")
	}
	send(viewer, host, viewer.Append(nil, now), now)
	if host.Limit() != datagram.MinSize {
		t.Fatal("the limit has grown without a probe that has arrived")
	}
	probe := host.AppendProbe(nil, now)
	send(host, viewer, probe, now)
	if !viewer.Asked() {
		t.Error("a probe is not noticed")
	}
	send(viewer, host, viewer.Append(nil, now), now)
	if host.Limit() != datagram.MaxSize || host.ProbeDue(2*now) {
		t.Errorf("the limit is %d after the answer", host.Limit())
	}
}

// A fragment that was cut when a small datagram had nothing else fits into one that also
// acknowledges as much as possible.
func TestAFragmentHasRoomBesideTheLongestAcknowledgement(t *testing.T) {
	w := newWire(t, 6)
	a, b := w.ends[0], w.ends[1]
	if err := a.Channel.Send(make([]byte, 3000)); err != nil {
		t.Fatal(err)
	}
	for range 7 { // all lost
		if n := len(a.Append(nil, 0)); n > datagram.MinSize {
			t.Fatalf("%d bytes", n)
		}
	}
	for i := range 240 { // of which every second one arrives
		if err := b.Channel.Send(make([]byte, 400)); err != nil {
			t.Fatal(err)
		}
		if d := b.Append(nil, 0); i%2 == 1 {
			if ok, err := a.Receive(0, d); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
	}
	d := a.Append(nil, 10*time.Second)
	if len(d) > datagram.MinSize || len(d) < datagram.MinSize-40 {
		t.Errorf("the first one again, and an acknowledgement, are %d bytes", len(d))
	}
	if _, err := b.Receive(10*time.Second, d); err != nil {
		t.Error(err)
	}
	if b.Channel.Stats().Received != 1 {
		t.Errorf("%d fragments have arrived", b.Channel.Stats().Received)
	}
}

// The largest fragment fits into a datagram of the limit beside the longest header and all that
// may surround a fragment, and no room is given away.
func TestAFragmentHasRoomBesideTheLongestHeader(t *testing.T) {
	longest := datagram.Header{Watch: true, HasSample: true, Sample: datagram.Sample{Lag: math.MinInt32}}
	around := len(longest.Append(nil, noShape)) + datagram.TagSize + reliable.FullRoom - reliable.MaxFragment
	if headRoom != around {
		t.Errorf("%d bytes are kept free for %d", headRoom, around)
	}
}
