package tickback_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

var (
	bang = effects.OneShot[uint16](3, "bang")
	hum  = effects.Sustained[struct{}](4, "hum")
)

// noisy is counter with effects: a bang every 50 frames, and a hum for 30 of 100.
var noisy = rollback.Game[counter, uint32]{
	Effects: []effects.Declaration{bang, hum},
	Step: func(s *counter, t *rollback.Tick[uint32]) {
		counting.Step(s, t)
		if s.Frames%50 == 0 {
			bang.Emit(t.Effects(), 7, uint16(s.Frames))
		}
		if s.Frames%100 > 70 {
			hum.Emit(t.Effects(), 1, struct{}{})
		}
	},
}

// payloads returns the payloads of a kind of chunk, and the frames before which they come.
func payloads(t *testing.T, r *tbr.Reader, kind tbr.Kind) (list [][]byte) {
	t.Helper()
	for c, err := range r.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind != kind {
			continue
		}
		p, err := r.Payload(c)
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, p); c.Flags != 0 {
			t.Errorf("%v has the flags %x", kind, c.Flags)
		}
	}
	return list
}

// Rule: Close of a session whose clock stands still does not wait for ever for a session that does not answer.
func TestClosingWhileTheClockStandsStill(t *testing.T) {
	h := newHall()
	doors := []*door{h.door(), h.door()}
	var sessions []tickback.Session[counter]
	for i := range doors {
		o := tickback.Options[counter, uint32]{
			Transport: doors[i], Peers: tickback.Mesh(tickback.Player(i), doors[1-i].here), Sample: func(tickback.Player) uint32 { return 1 },
		}
		o.Advanced.Now = h.Now
		m, err := tickback.P2P(noisy, o)
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, m)
	}
	for range 300 {
		for _, m := range sessions {
			if _, err := m.Update(); err != nil {
				t.Fatal(err)
			}
		}
		h.deliver(5 * time.Millisecond)
	}
	closed := make(chan error)
	go func() { closed <- sessions[0].Close() }()
	select {
	case err := <-closed:
		if err != nil || !doors[0].shut {
			t.Errorf("%v, the transport is closed: %v", err, doors[0].shut)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for time to pass, which never will")
	}
}

// Rule: a recording has the effects that the application received, the statistics, and the members who came and went,
// if requested.
func TestARecordingHasEffectsStatisticsAndMembers(t *testing.T) {
	h := newHall()
	doors := []*door{h.door(), h.door()}
	films := []*film{new(film), new(film)}
	for i, f := range films {
		o := tickback.Options[counter, uint32]{
			Transport: doors[i], Peers: tickback.Mesh(tickback.Player(i), doors[1-i].here), TickRate: slowRate, OnLeave: tickback.Continue,
			Sample: func(tickback.Player) uint32 { return 1 }, Record: f, Match: tickback.Parameters{Frames: 500},
		}
		o.Advanced.Now = h.Now
		o.Recording.Effects, o.Recording.Stats = i == 0, i == 0
		m, err := tickback.P2P(noisy, o)
		if err != nil {
			t.Fatal(err)
		}
		f.Session = m
	}
	var shown []effects.Event
	for n := 0; n < 4000 && films[0].saw(tickback.Ended) == nil; n++ {
		for i, f := range films {
			if i == 1 && n > 1000 {
				continue // it falls silent
			}
			if _, f.err = f.Update(); f.err != nil {
				t.Fatal(f.err)
			}
			if list := f.Effects(); i == 0 {
				shown = append(shown, list...)
			}
			f.events = append(f.events, f.Events()...)
		}
		h.deliver(20 * time.Millisecond)
	}
	if e := films[0].recorded(t); e.Text != "" || e.Frame != 500 {
		t.Fatal(e)
	}
	r := films[0].open(t)
	var seen []replay.Effect
	for _, p := range payloads(t, r, tbr.KindEffects) {
		for e, err := range replay.ReadEffects(p) {
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, e)
		}
	}
	if len(seen) != len(shown) || len(seen) < 20 {
		t.Fatalf("%d effects are recorded, and %d were shown", len(seen), len(shown))
	}
	for i, e := range seen {
		s := &shown[i]
		if e.What != s.What || e.Kind != s.Kind || e.Key != s.Key || e.Frame != uint32(s.Frame) || e.From != uint32(s.From) || e.Late != s.Late || string(e.Payload) != string(s.Bytes()) {
			t.Errorf("recorded is %+v, and shown was %+v", e, s)
		}
	}
	stats := 0
	for _, p := range payloads(t, r, tbr.KindStats) {
		for s, err := range replay.ReadStats(r.Header().Shape, p) {
			if err != nil || len(s.Links) != 1 || s.At < 1000_000 || s.Agreed > s.Frame || s.Links[0].Players != 2 {
				t.Fatalf("%+v, %v", s, err)
			}
			stats++
		}
	}
	if stats < 48 || stats > 65 {
		t.Errorf("statistics of %d moments", stats)
	}
	var members []replay.Member
	for _, p := range payloads(t, r, tbr.KindMembers) {
		for m, err := range replay.ReadMembers(r.Header().Shape, p) {
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, m)
		}
	}
	if len(members) != 1 || members[0].Kind != byte(tickback.EntryDrop) || members[0].Players != 2 || members[0].Frame < 100 {
		t.Errorf("the log is %+v", members)
	}
	again, err := tickback.Replay(noisy, bytes.NewReader(films[0].Bytes()), int64(films[0].Len()), tickback.ReplayOptions[counter, uint32]{Paused: true})
	if err == nil {
		err = again.Step(1000)
	}
	if err != nil {
		t.Fatal(err)
	}
	var left []tickback.Event
	for _, e := range again.Events() {
		if e.What == tickback.Left {
			left = append(left, e)
		}
	}
	if len(left) != 1 || left[0].Players != 2 || uint32(left[0].Frame) != members[0].Frame || again.Stats().Members != 1 {
		t.Errorf("in the replay, %v", left)
	}
	films[1].Close()
	other := films[1].open(t)
	if len(payloads(t, other, tbr.KindEffects))+len(payloads(t, other, tbr.KindStats)) != 0 {
		t.Error("effects and statistics that nobody has asked for")
	}
}
