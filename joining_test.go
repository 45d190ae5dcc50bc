package tickback_test

import (
	"bytes"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/internal/tracecheck"
	"github.com/tickback/tickback/trace"
)

// comeback plays a match of two whose second peer vanishes, and comes back at the same address. Both write these
// traces, if they are not nil.
func comeback(t *testing.T, there, back *trace.Writer) [2]*tickback.Match[counter, uint32] {
	t.Helper()
	token := tickback.NewToken()
	peers, ends, w := pair(t, func(me int, o *tickback.Options[counter, uint32]) {
		o.OnLeave, o.Token, o.Match.Frames = tickback.Continue, token, 900
		if me == 0 {
			o.Trace = there
		}
	})
	advance(t, peers, w, time.Second)
	for range 4000 { // one has vanished
		update(t, peers[0])
		w.advance(2 * time.Millisecond)
	}
	ends[1].queue = nil
	o := tickback.Options[counter, uint32]{
		Players: 2, Local: tickback.SetOf(1), Transport: ends[1], Sample: func(tickback.Player) uint32 { return 2 },
		OnLeave: tickback.Continue, Token: token, Trace: back,
	}
	o.Advanced.Now = w.Now
	again, err := tickback.Join(counting, []netip.AddrPort{ends[0].here}, o)
	if err != nil {
		t.Fatal(err)
	}
	peers[1] = again
	for range 6000 {
		_, over := peers[0].Outcome()
		_, too := peers[1].Outcome()
		if over && too {
			return peers
		}
		for _, m := range peers {
			update(t, m)
		}
		w.advance(2 * time.Millisecond)
	}
	t.Fatalf("no end: %+v and %+v", peers[0].Stats(), peers[1].Stats())
	return peers
}

// A player who has vanished joins again, and both see the match to the same end.
func TestComingBack(t *testing.T) {
	peers := comeback(t, nil, nil)
	var ends [2]tickback.Outcome
	for i, m := range peers {
		ends[i], _ = m.Outcome()
		if e := told(t, m, tickback.Joined); e.Players != tickback.SetOf(1) || e.Frame <= peers[0].Log()[0].Frame {
			t.Errorf("peer %d: %v", i, e)
		}
	}
	if a, b := ends[0], ends[1]; a.Frames != 900 || a.Frames != b.Frames || a.Hash != b.Hash || a.Health != tickback.Healthy || b.Health != tickback.Healthy {
		t.Errorf("the ends are %+v and %+v", a, b)
	}
	log := peers[0].Log()
	if len(log) != 2 || log[0].Kind != tickback.EntryDrop || log[1].Kind != tickback.EntryJoin || peers[1].Log()[0] != log[1] {
		t.Errorf("the logs are %v and %v", log, peers[1].Log())
	}
}

// The traces of both peers have the lanes of the late joiner.
func TestTraceOfAComeback(t *testing.T) {
	var files [2]bytes.Buffer
	writers := [2]*trace.Writer{trace.NewWriter(&files[0]), trace.NewWriter(&files[1])}
	comeback(t, writers[0], writers[1])
	for i, w := range writers {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		events, err := tracecheck.Read(files[i].Bytes())
		if err != nil {
			t.Fatal(err)
		}
		seen, other := map[string]int{}, tickback.SetOf(tickback.Player(1-i)).String()
		for _, e := range events {
			if e.Phase != "M" {
				seen[e.Track+"/"+e.Name]++
			}
		}
		if seen["from "+other+"/datagram"] < 400 || seen["to "+other+"/datagram"] < 400 || seen["frames/tick"] < 500 {
			t.Errorf("peer %d: %v", i, seen)
		}
	}
}

// A player who is not admitted is told why.
func TestNobodyLetsUsIn(t *testing.T) {
	_, ends, w := pair(t, func(_ int, o *tickback.Options[counter, uint32]) {
		o.OnLeave, o.Token = tickback.Continue, tickback.NewToken()
	})
	o := tickback.Options[counter, uint32]{
		Players: 2, Local: tickback.SetOf(1), Transport: ends[1], Sample: func(tickback.Player) uint32 { return 2 },
		OnLeave: tickback.Continue, Token: tickback.NewToken(),
		Timeouts: tickback.Timeouts{Connect: 2 * time.Second},
	}
	o.Advanced.Now = w.Now
	m, err := tickback.Join(counting, []netip.AddrPort{netip.MustParseAddrPort("10.0.0.9:1")}, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		if _, err = m.Update(); err != nil {
			break
		}
		w.advance(2 * time.Millisecond)
	}
	var nobody *tickback.HostsError
	if !errors.As(err, &nobody) || len(nobody.Hosts) != 1 {
		t.Errorf("the error is %v", err)
	}
}
