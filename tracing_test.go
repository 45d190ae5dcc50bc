package tickback_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/internal/tracecheck"
	"github.com/tickback/tickback/trace"
)

// pairTraced makes two peers that write one trace, with a clock that advances by a microsecond each time it is read.
func pairTraced(t *testing.T, w *trace.Writer, change func(o *tickback.Options[counter, uint32])) ([2]*tickback.Match[counter, uint32], *watch) {
	t.Helper()
	n := uint32(0)
	peers, _, clock := pair(t, func(_ int, o *tickback.Options[counter, uint32]) {
		now := o.Advanced.Now
		o.Trace = w
		o.Sample = func(tickback.Player) uint32 { n++; return n } // never as predicted
		o.Advanced.Now = func() time.Time { return now().Add(time.Duration(1+n%7) * time.Nanosecond) }
		if change != nil {
			change(o)
		}
	})
	return peers, clock
}

// tally is what a trace contains about one process.
type tally struct {
	ticks, rollbacks, depth, simulated, in, out, sends, stalls int64
	stalled                                                    time.Duration
	events, counters                                           map[string]int
}

func tallies(t *testing.T, b []byte) map[string]*tally {
	t.Helper()
	events, err := tracecheck.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*tally{}
	for _, e := range events {
		if e.Phase == "M" {
			continue
		}
		k := all[e.Process]
		if k == nil {
			k = &tally{events: map[string]int{}, counters: map[string]int{}}
			all[e.Process] = k
		}
		k.add(t, &e)
	}
	return all
}

func (k *tally) add(t *testing.T, e *tracecheck.Event) {
	switch e.Track + "/" + e.Name {
	case "frames/tick":
		if e.Int("frame") != k.ticks {
			t.Fatalf("after %d ticks comes frame %d", k.ticks, e.Int("frame"))
		}
		k.ticks++
	case "frames/rollback":
		k.rollbacks++
		if e.Int("to")-e.Int("from") != e.Int("depth") {
			t.Errorf("%+v", e)
		}
		k.depth += e.Int("depth")
		k.simulated += e.Int("simulated")
	case "frames/stall":
		k.stalls++
		k.stalled += e.Took
	case "network/send":
		k.sends++
	case "from player 0/datagram", "from player 1/datagram":
		k.in++
	case "to player 0/datagram", "to player 1/datagram":
		k.out++
	case "/" + e.Name:
		k.counters[e.Name]++
	default:
		if e.Track != "events" {
			t.Errorf("unexpected: %+v", e)
		}
		k.events[e.Name]++
	}
}

// A trace of a match is valid, and has every frame, rollback, stall, datagram and event
// that the statistics count.
func TestTraceOfAMatch(t *testing.T) {
	var file bytes.Buffer
	tr := trace.NewWriter(&file)
	peers, w := pairTraced(t, tr, nil)
	advance(t, peers, w, time.Second)
	for range 150 { // one of them waits for the other
		update(t, peers[0])
		w.advance(2 * time.Millisecond)
	}
	advance(t, peers, w, 2*time.Second)
	var stats [2]tickback.Stats
	for i, m := range peers {
		stats[i] = m.Stats()
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	all := tallies(t, file.Bytes())
	if len(all) != 2 {
		t.Fatalf("%d processes: %v", len(all), all)
	}
	for name, k := range all {
		i := 0
		if name[len(name)-1] == '1' {
			i = 1
		}
		e, l := &stats[i].Engine, &stats[i].Links[0]
		if k.ticks != int64(e.Ticks) || k.rollbacks != int64(e.Rollbacks) || k.simulated != int64(e.Resimulated) || k.depth != int64(e.Resimulated+e.Skipped) {
			t.Errorf("%s: %+v, stats %+v", name, k, e)
		}
		if k.ticks < 100 || k.rollbacks == 0 {
			t.Errorf("%s: only %d ticks and %d rollbacks", name, k.ticks, k.rollbacks)
		}
		if hello := k.out - int64(l.Sent); hello < 1 || hello > 5 || k.sends != k.out || k.in < int64(l.Received) {
			t.Errorf("%s: %d datagrams out, %d in, links %+v", name, k.out, k.in, l)
		}
		if k.events["started"] != 1 || k.events["connected"] != 1 || k.counters["confirmed lag"] == 0 || k.counters["agreed lag"] == 0 ||
			k.counters["window used"] == 0 || k.counters["payload a second"] < 2 {
			t.Errorf("%s: %+v", name, k)
		}
		// A trace has each wait, even if the frame then ran within its period and the wait cost no time.
		if d := k.stalled - stats[i].Stalled; d < -20*time.Millisecond || i == 0 && d > 20*time.Millisecond {
			t.Errorf("%s: %v in stalls, stats say %v", name, k.stalled, stats[i].Stalled)
		}
		if i == 0 && (k.stalls == 0 || k.stalled < 100*time.Millisecond) {
			t.Errorf("%s: %d stalls of %v", name, k.stalls, k.stalled)
		}
	}
}

// A match with a trace is the same match: frames, states and statistics.
func TestATraceChangesNothing(t *testing.T) {
	var ends [2]tickback.Stats
	var sums [2]uint64
	for i := range ends {
		tr := trace.NewWriter(io.Discard)
		peers, w := pairTraced(t, tr, func(o *tickback.Options[counter, uint32]) {
			n := uint64(0)
			o.Advanced.Random = func() uint64 { n++; return n * 0x9E3779B97F4A7C15 }
			if i == 1 {
				o.Trace = nil
			}
		})
		advance(t, peers, w, time.Second)
		for range 100 {
			update(t, peers[0])
			w.advance(2 * time.Millisecond)
		}
		advance(t, peers, w, time.Second)
		ends[i], sums[i] = peers[1].Stats(), peers[1].View().Current.Sum
		if err := tr.Close(); err != nil {
			t.Fatal(err)
		}
	}
	a, b := &ends[0], &ends[1]
	if sums[0] != sums[1] || a.Frame != b.Frame || a.Engine.Rollbacks != b.Engine.Rollbacks || a.Engine.Resimulated != b.Engine.Resimulated ||
		a.Engine.Deepest != b.Engine.Deepest || a.Stalls != b.Stalls || a.Links[0].Sent != b.Links[0].Sent || a.Links[0].SentBytes != b.Links[0].SentBytes {
		t.Errorf("with a trace: sum %d, %+v\nwithout: sum %d, %+v", sums[0], a, sums[1], b)
	}
}

// If a peer is lost while we wait for it, the stall ends, and Close leaves nothing open.
func TestTraceOfAStallThatDoesNotEnd(t *testing.T) {
	var file bytes.Buffer
	tr := trace.NewWriter(&file)
	peers, w := pairTraced(t, tr, nil)
	advance(t, peers, w, time.Second)
	for range 4000 {
		if _, err := peers[0].Update(); err != nil {
			break
		}
		w.advance(2 * time.Millisecond)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	for name, k := range tallies(t, file.Bytes()) {
		if name[len(name)-1] == '0' && (k.stalled < 4*time.Second || k.events["lost"] != 1 || k.events["silent"] != 1) {
			t.Errorf("%s: %+v", name, k)
		}
	}
}

// A match that is refused leaves nothing in the trace.
func TestTraceOfNoMatch(t *testing.T) {
	var file bytes.Buffer
	tr := trace.NewWriter(&file)
	if _, err := tickback.Local(counting, tickback.Options[counter, uint32]{Trace: tr, Sample: func(tickback.Player) uint32 { return 0 }, TickRate: -1}); err == nil {
		t.Fatal("no error")
	}
	if err := tr.Close(); err != nil || file.Len() > 5 {
		t.Errorf("%v, %q", err, file.String())
	}
}

// frames runs a local match of two frame by frame.
func frames(tb testing.TB, tr *trace.Writer) func() {
	tb.Helper()
	w := newWatch()
	o := tickback.Options[counter, uint32]{Players: 2, Sample: func(tickback.Player) uint32 { return 1 }, Trace: tr}
	o.Advanced.Now = w.Now
	m, err := tickback.Local(counting, o)
	if err != nil {
		tb.Fatal(err)
	}
	return func() {
		wait, err := m.Update()
		if err != nil {
			tb.Fatal(err)
		}
		w.advance(wait)
	}
}

// Frames allocate nothing, with a trace or without.
func TestTracedFramesDoNotAllocate(t *testing.T) {
	for _, tr := range []*trace.Writer{nil, trace.NewWriter(io.Discard)} {
		frame := frames(t, tr)
		for range 3000 {
			frame()
		}
		if n := testing.AllocsPerRun(500, frame); n != 0 {
			t.Errorf("traced: %v, %v allocations", tr != nil, n)
		}
		if tr != nil && tr.Close() != nil {
			t.Error(tr.Err())
		}
	}
}

// BenchmarkUpdate measures a frame of a local match, with and without a trace.
func BenchmarkUpdate(b *testing.B) {
	for _, traced := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "traced"}[traced], func(b *testing.B) {
			var tr *trace.Writer
			if traced {
				tr = trace.NewWriter(io.Discard)
				defer tr.Close()
			}
			frame := frames(b, tr)
			b.ReportAllocs()
			for b.Loop() {
				frame()
			}
		})
	}
}
