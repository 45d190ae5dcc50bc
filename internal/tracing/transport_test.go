package tracing

import (
	"bytes"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/internal/tracecheck"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/trace"
)

var (
	known    = netip.MustParseAddrPort("10.0.0.1:7")
	stranger = netip.MustParseAddrPort("10.0.0.2:7")
)

// paired is a session with one peer.
type paired struct{}

func (paired) Stats(links []session.LinkStats) session.Stats {
	return session.Stats{Links: append(links, session.LinkStats{Players: 2, Addr: known})}
}

// wire takes datagrams of up to ten bytes, and has some from these addresses.
type wire struct {
	Transport
	from []netip.AddrPort
}

func (w *wire) Send(_ netip.AddrPort, b []byte) error {
	if len(b) > 10 {
		return errors.New("too long")
	}
	return nil
}

// posting is a wire that sends several datagrams at once, and fails.
type posting struct{ wire }

var errBatch = errors.New("the batch has failed")

func (*posting) SendBatch([]netip.AddrPort, [][]byte) error { return errBatch }

func (w *wire) Receive([]byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	if len(w.from) == 0 {
		return 0, from, at, false
	}
	from, w.from = w.from[0], w.from[1:]
	return 20, from, time.Unix(1000, 0), true
}

// Rule: each datagram is in the lane of its peer, whatever form its address has, or that of a
// stranger; so is a datagram that could not be sent; and the bytes of a second are added up.
func TestDatagramsAreInTheLanesOfTheirPeers(t *testing.T) {
	var file bytes.Buffer
	now := time.Unix(1000, 0)
	tr := trace.NewWriter(&file)
	tracer := New(tr, func() time.Time { return now })
	mapped := netip.AddrPortFrom(netip.AddrFrom16(known.Addr().As16()), known.Port())
	c := tracer.Wrap(&posting{wire: wire{from: []netip.AddrPort{known, stranger, mapped}}})
	tracer.Begin(paired{}, "game", "player 0", true)
	tracer.Look()
	for range 3 {
		c.Receive(nil)
	}
	if _, _, _, ok := c.Receive(nil); ok {
		t.Error("a datagram that is not there")
	}
	if c.Send(known, make([]byte, 8)) != nil || c.Send(known, make([]byte, 11)) == nil {
		t.Error("the results of sending are others")
	}
	if err := c.(batcher).SendBatch([]netip.AddrPort{known, stranger, known}, [][]byte{make([]byte, 1), make([]byte, 2), make([]byte, 4)}); err != errBatch {
		t.Errorf("a batch has the result %v", err)
	}
	if _, ok := tracer.Wrap(&wire{}).(batcher); ok {
		t.Error("a transport that sends one at a time sends several when it is traced")
	}
	now = now.Add(2 * time.Second)
	tracer.Look()
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	events, err := tracecheck.Read(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int64{}
	for _, e := range events {
		switch {
		case e.Phase == "C" && e.Name == "payload a second":
			seen["sent"], seen["received"] = e.Int("sent_bytes"), e.Int("received_bytes")
		case e.Phase != "M" && e.Phase != "C":
			seen[e.Track+"/"+e.Name] += e.Int("bytes")
		}
	}
	for name, want := range map[string]int64{
		"from player 1/datagram": 40, "network/stranger": 20, "to player 1/datagram": 24, "network/send": 8, "network/send failed": 18,
		"sent": 26 / 2, "received": 60 / 2,
	} {
		if seen[name] != want {
			t.Errorf("%s: %d, want %d; seen is %v", name, seen[name], want, seen)
		}
	}
}
