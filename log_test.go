package tickback_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/trace"
)

// records decodes the output of a JSON handler.
func records(t *testing.T, log *bytes.Buffer) (list []map[string]any) {
	t.Helper()
	for d := json.NewDecoder(log); d.More(); {
		var r map[string]any
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// find returns the only record with a message.
func find(t *testing.T, list []map[string]any, message string) map[string]any {
	t.Helper()
	var found []map[string]any
	for _, r := range list {
		if r["msg"] == message {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d records %q in %v", len(found), message, list)
	}
	return found[0]
}

// advance makes both peers of a pair play for a while.
func advance(t *testing.T, peers [2]*tickback.Match[counter, uint32], w *watch, d time.Duration) {
	t.Helper()
	for end := w.now.Add(d); w.now.Before(end); w.advance(2 * time.Millisecond) {
		for _, m := range peers {
			update(t, m)
		}
	}
}

// A log has a record for each event, whether the game takes it or not, and a summary of the match at the end.
func TestLogOfAMatch(t *testing.T) {
	var log bytes.Buffer
	peers, _, w := pair(t, func(me int, o *tickback.Options[counter, uint32]) {
		o.Match = tickback.Parameters{Frames: 60, Seed: 7}
		if me == 0 {
			o.Log = slog.New(slog.NewJSONHandler(&log, nil))
		}
	})
	advance(t, peers, w, 2*time.Second)
	var events []string
	for _, e := range peers[0].Events() {
		events = append(events, e.What.String())
	}
	var told []string
	list := records(t, &log)
	for _, r := range list {
		if m := r["msg"].(string); !strings.HasSuffix(m, "summary") {
			told = append(told, m)
		}
	}
	if !slices.Equal(events, told) || len(events) < 4 {
		t.Errorf("the events were %v, the log has %v", events, told)
	}
	started, over, link := find(t, list, "started"), find(t, list, "summary"), find(t, list, "link summary")
	if started["seed"] != 7.0 || started["frames"] != 60.0 || started["peers"] != 1.0 || started["window"] != 8.0 || started["level"] != "INFO" {
		t.Errorf("started: %v", started)
	}
	if over["ended"] != true || over["agreed"] != 60.0 || over["health"] != "healthy" || len(over["delay"].([]any)) != 2 || over["played"].(float64) < 0.9e9 || len(over["hash"].(string)) != 16 {
		t.Errorf("summary: %v", over)
	}
	if players := link["players"].([]any); len(players) != 1 || players[0] != 1.0 || link["received"].(float64) < 60 {
		t.Errorf("link summary: %v", link)
	}
	if e := find(t, list, "ended"); e["frame"] != 60.0 || e["match"] != 1.0 {
		t.Errorf("ended: %v", e)
	}
}

// Problems are logged at an appropriate level, and a match that does not reach its end has a summary as well.
func TestLogOfADroppedPeer(t *testing.T) {
	var log bytes.Buffer
	peers, _, w := pair(t, func(me int, o *tickback.Options[counter, uint32]) {
		o.OnLeave = tickback.Continue
		if me == 0 {
			o.Log = slog.New(slog.NewJSONHandler(&log, nil))
		}
	})
	advance(t, peers, w, time.Second)
	for range 4000 { // the other one is silent
		update(t, peers[0])
		w.advance(2 * time.Millisecond)
	}
	if err := peers[0].Close(); err != nil {
		t.Fatal(err)
	}
	list := records(t, &log)
	for message, level := range map[string]string{"dropped": "WARN", "silent": "WARN", "resumed": "INFO", "closed": "INFO", "connected": "INFO"} {
		if r := find(t, list, message); r["level"] != level {
			t.Errorf("%v, want %s", r, level)
		}
	}
	if r := find(t, list, "dropped"); r["frame"].(float64) < 50 || r["text"] == "" || r["players"] == nil {
		t.Errorf("%v", r)
	}
	if r := find(t, list, "summary"); r["ended"] != false || r["stalls"] == 0.0 || r["stalled"].(float64) < 4e9 {
		t.Errorf("%v", r)
	}
}

// handler counts records, and does nothing else.
type handler struct{ records int }

func (h *handler) Enabled(context.Context, slog.Level) bool  { return true }
func (h *handler) Handle(context.Context, slog.Record) error { h.records++; return nil }
func (h *handler) WithAttrs([]slog.Attr) slog.Handler        { return h }
func (h *handler) WithGroup(string) slog.Handler             { return h }

// Without an event nothing is logged or allocated: the frames of a match cost the same as without a log.
func TestAnIdleLogCostsNothing(t *testing.T) {
	h := new(handler)
	m, w, _ := local(t, tickback.Options[counter, uint32]{Players: 2, Log: slog.New(h)})
	frame := func() {
		w.advance(update(t, m))
	}
	for range 300 {
		frame()
	}
	before, frames := h.records, m.View().Frame
	if n := testing.AllocsPerRun(200, frame); n != 0 || h.records != before || before == 0 {
		t.Errorf("%v allocations, %d records, then %d", n, before, h.records)
	}
	if m.View().Frame < frames+190 {
		t.Errorf("frames %d to %d", frames, m.View().Frame)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// If a trace cannot be written, that is logged once, and the match continues.
func TestAFailingTraceIsLogged(t *testing.T) {
	var log bytes.Buffer
	tr := trace.NewWriter(full{})
	m, w, _ := local(t, tickback.Options[counter, uint32]{Trace: tr, Log: slog.New(slog.NewJSONHandler(&log, nil))})
	for range 100 {
		w.advance(update(t, m))
	}
	if err := tr.Close(); err == nil { // from now on Err knows
		t.Fatal("Close says nothing")
	}
	before := m.View().Frame
	for range 100 {
		w.advance(update(t, m))
	}
	if r := find(t, records(t, &log), "trace ended"); r["level"] != "ERROR" || r["error"] != "no space left on device" {
		t.Errorf("%v", r)
	}
	if f := m.View().Frame; f < before+95 {
		t.Errorf("frame %d, was %d", f, before)
	}
}

// A log and a trace have the checksums of both sides of a desync, as the event does.
func TestADesyncIsLoggedWithBothChecksums(t *testing.T) {
	w := newWatch()
	var ends [2]*tube
	ends[0], ends[1] = tubes(w.Now)
	var log, traced bytes.Buffer
	tracer := trace.NewWriter(&traced)
	var peers [2]*tickback.Match[counter, uint32]
	for i := range peers {
		odd := counting
		odd.Step = func(s *counter, tick *rollback.Tick[uint32]) {
			if counting.Step(s, tick); tick.Frame() == 30 {
				s.Sum += uint64(i)
			}
		}
		o := tickback.Options[counter, uint32]{
			Transport: ends[i], Peers: tickback.Mesh(tickback.Player(i), ends[1-i].here),
			Sample: func(tickback.Player) uint32 { return 1 },
		}
		if o.Advanced.Now = w.Now; i == 0 {
			o.Log, o.Trace = slog.New(slog.NewJSONHandler(&log, nil)), tracer
		}
		var err error
		if peers[i], err = tickback.P2P(odd, o); err != nil {
			t.Fatal(err)
		}
	}
	advance(t, peers, w, 5*time.Second)
	var seen [2]*tickback.Event
	for i, m := range peers {
		for _, e := range m.Events() {
			if e.What == tickback.Desync {
				seen[i] = &e
			}
		}
		if seen[i] == nil || seen[i].Ours == seen[i].Theirs {
			t.Fatalf("peer %d: %+v", i, seen[i])
		}
	}
	if seen[0].Ours != seen[1].Theirs || seen[0].Theirs != seen[1].Ours || seen[0].Frame != seen[1].Frame {
		t.Errorf("they have seen %v and %v", seen[0], seen[1])
	}
	ours, theirs := fmt.Sprintf("%016x", seen[0].Ours), fmt.Sprintf("%016x", seen[0].Theirs)
	if r := find(t, records(t, &log), "desync"); r["ours"] != ours || r["theirs"] != theirs {
		t.Errorf("the record is %v, must have %s and %s", r, ours, theirs)
	}
	if err := tracer.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"ours":"` + ours, `"theirs":"` + theirs} {
		if !strings.Contains(traced.String(), want) {
			t.Errorf("the trace has no %s", want)
		}
	}
}
