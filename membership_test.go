package tickback_test

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/trace"
)

// goingOn makes two peers of a match that continues when a player leaves.
func goingOn(t *testing.T, change func(me int, o *tickback.Options[counter, uint32])) ([2]*tickback.Match[counter, uint32], *watch) {
	t.Helper()
	peers, _, w := pair(t, func(me int, o *tickback.Options[counter, uint32]) {
		o.OnLeave = tickback.Continue
		if change != nil {
			change(me, o)
		}
	})
	advance(t, peers, w, time.Second)
	for i, m := range peers {
		if !m.View().Running {
			t.Fatalf("peer %d does not play", i)
		}
		m.Events()
	}
	return peers, w
}

// told returns the event of a kind that a match reports now; there must be exactly one.
func told(t *testing.T, m *tickback.Match[counter, uint32], what session.What) tickback.Event {
	t.Helper()
	var found []tickback.Event
	for _, e := range m.Events() {
		if e.What == what {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d times %v: %v", len(found), what, found)
	}
	return found[0]
}

// A pause stops both machines at the same frame, until the other one ends it; both have it in their logs.
func TestPause(t *testing.T) {
	peers, w := goingOn(t, nil)
	if err := peers[0].Pause(); err != nil {
		t.Fatal(err)
	}
	advance(t, peers, w, 2*time.Second)
	at, paused := peers[0].Paused()
	for i, m := range peers {
		e := told(t, m, tickback.Paused)
		if s := m.Stats(); !s.Paused || s.Frozen || s.Changes != 1 || s.Members != tickback.SetOf(0, 1) {
			t.Errorf("peer %d: %+v", i, s)
		}
		if f, p := m.Paused(); !paused || !p || f != at || e.Frame != at || m.View().Frame != at || e.Players != tickback.SetOf(0) {
			t.Errorf("peer %d stands at frame %d, paused from %d (%v), and the event is %v", i, m.View().Frame, f, p, e)
		}
	}
	if err := peers[1].Unpause(); err != nil {
		t.Fatal(err)
	}
	advance(t, peers, w, time.Second)
	for i, m := range peers {
		if e := told(t, m, tickback.Unpaused); e.Players != tickback.SetOf(1) || e.For < time.Second {
			t.Errorf("peer %d: %v", i, e)
		}
		want := []tickback.Entry{{Kind: tickback.EntryPause, Players: tickback.SetOf(0), Frame: at}, {Kind: tickback.EntryResume, Players: tickback.SetOf(1), Frame: at}}
		if got := m.Log(); !slices.Equal(got, want) {
			t.Errorf("peer %d has the log %v, want %v", i, got, want)
		}
		if _, p := m.Paused(); p || m.View().Frame < at+40 {
			t.Errorf("peer %d is at frame %d", i, m.View().Frame)
		}
	}
}

// A pause that nobody ends ends by itself.
func TestPauseEndsByItself(t *testing.T) {
	peers, w := goingOn(t, func(_ int, o *tickback.Options[counter, uint32]) { o.Timeouts.Pause = time.Second })
	if err := peers[1].Pause(); err != nil {
		t.Fatal(err)
	}
	advance(t, peers, w, 3*time.Second)
	for i, m := range peers {
		if e := told(t, m, tickback.Unpaused); e.For < time.Second || e.For > 2*time.Second {
			t.Errorf("peer %d: %v", i, e)
		}
	}
}

// The host kicks a player, who is told why; the host continues alone.
func TestKick(t *testing.T) {
	peers, w := goingOn(t, nil)
	if err := peers[1].Kick(tickback.SetOf(0), "mutiny"); !errors.Is(err, session.ErrNotHost) {
		t.Errorf("who is not the host may kick: %v", err)
	}
	var wish *tickback.WishError
	if err := peers[0].Kick(tickback.SetOf(0), "tired"); !errors.As(err, &wish) {
		t.Errorf("the host kicks itself: %v", err)
	}
	if err := peers[0].Kick(tickback.SetOf(1), "rude"); err != nil {
		t.Fatal(err)
	}
	var gone error
	for range 3000 {
		update(t, peers[0])
		if _, err := peers[1].Update(); err != nil {
			gone = err
		}
		w.advance(2 * time.Millisecond)
	}
	var removed *tickback.RemovedError
	if !errors.As(gone, &removed) || !removed.Kicked || removed.Reason != "rude" {
		t.Errorf("who was kicked ends with %v", gone)
	}
	at := peers[0].View().Frame
	advance(t, [2]*tickback.Match[counter, uint32]{peers[0], peers[0]}, w, time.Second)
	list := peers[0].Log()
	if s := peers[0].Stats(); s.Members != tickback.SetOf(0) || s.Changes != 1 {
		t.Errorf("of the host: %+v", s)
	}
	if len(list) != 1 || list[0].Players != tickback.SetOf(1) || peers[0].View().Frame < at+40 {
		t.Errorf("the host went from frame %d to %d, with the log %v", at, peers[0].View().Frame, list)
	}
}

// The membership events of a match that continues are in the log records and in the trace, with their frames.
func TestMembershipIsRecorded(t *testing.T) {
	var log, file bytes.Buffer
	tr := trace.NewWriter(&file)
	peers, w := goingOn(t, func(me int, o *tickback.Options[counter, uint32]) {
		if me == 0 {
			o.Log, o.Trace = slog.New(slog.NewJSONHandler(&log, nil)), tr
		}
	})
	if err := peers[0].Pause(); err != nil {
		t.Fatal(err)
	}
	advance(t, peers, w, time.Second)
	if err := peers[0].Unpause(); err != nil {
		t.Fatal(err)
	}
	advance(t, peers, w, time.Second)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	list := records(t, &log)
	for _, kind := range []string{"paused", "unpaused"} {
		if r := find(t, list, kind); r["level"] != "INFO" || r["frame"].(float64) < 50 {
			t.Errorf("%v", r)
		}
		for name, k := range tallies(t, file.Bytes()) {
			if k.events[kind] != 1 {
				t.Errorf("%s: %d times %s", name, k.events[kind], kind)
			}
		}
	}
}

// A match that nobody else plays can be paused, too.
func TestPauseOfALocalMatch(t *testing.T) {
	m, w, _ := local(t, tickback.Options[counter, uint32]{})
	for range 20 {
		w.advance(update(t, m))
	}
	if err := m.Pause(); err != nil {
		t.Fatal(err)
	}
	at := m.View().Frame
	for range 20 {
		update(t, m)
		w.advance(period)
	}
	if f := m.View().Frame; f != at {
		t.Errorf("it went from frame %d to %d", at, f)
	}
	if err := m.Unpause(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		w.advance(update(t, m))
	}
	if f := m.View().Frame; f < at+15 {
		t.Errorf("it stands at frame %d", f)
	}
}
