package session

import (
	"math/bits"
	"testing"
	"time"

	"github.com/tickback/tickback/session/match"
	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/wire/datagram"
)

// invariants checks what holds of a session at any time, whatever happens: its
// statistics, and the order of its events. Test harnesses call it after each update.
type invariants struct {
	of      *Machine
	last    Stats // without Links
	links   []LinkStats
	calls   int
	started uint32        // number of the match of the last event Started
	over    bool          // Ended came after it, or it never came
	closed  bool          // Closed has come
	open    bool          // Open has come
	waits   time.Duration // For of the last Waiting; 0 if it was followed by Resumed
	silent  PlayerSet     // Silent has come, and no Heard since
	paused  bool
	frozen  bool
	people  people
}

// claim is something that must hold.
type claim struct {
	what  string
	holds bool
}

// see handles what has happened since the last call.
func (v *invariants) see(t testing.TB, m *Machine, events []Event) {
	t.Helper()
	if v.of != m {
		*v = invariants{of: m} // the process was started again
	}
	for _, e := range events {
		v.event(t, e)
	}
	v.people.see(t, m, events)
	if v.calls++; len(events) == 0 && v.calls%50 != 0 {
		return // checking all statistics every time would take too long
	}
	s := m.Stats(v.links[:0])
	v.links = s.Links
	v.now(t, m, &s)
	v.grows(t, &s)
	if s.Phase == Playing && (v.over || v.started != s.Match) || v.closed != (s.Phase == Over) {
		t.Fatalf("it is %v in match %d; the last that has started is %d, ended: %v, closed: %v", s.Phase, s.Match, v.started, v.over, v.closed)
	}
	v.last, v.last.Links = s, nil
}

// event checks that events come in an order that makes sense.
func (v *invariants) event(t testing.TB, e Event) {
	t.Helper()
	ok := !v.closed
	switch e.What {
	case Open:
		ok, v.open = ok && !v.open, true
	case Connected:
		ok = ok && bits.OnesCount8(uint8(e.Players)) > 0 || e.Text != "" // a newcomer's host
	case Started:
		ok = ok && e.Match > v.started
		v.started, v.over, v.waits, v.paused, v.frozen = e.Match, false, 0, false, false
	case Ended:
		ok, v.over = ok && !v.over && e.Match == v.started, true
	case Waiting:
		ok, v.waits = ok && e.For > 0 && e.Text != "", e.For
	case Resumed:
		ok, v.waits = ok && v.waits > 0 && e.For >= v.waits, 0
	case Silent:
		ok, v.silent = ok && e.For > 0 && v.silent&e.Players == 0, v.silent|e.Players
	case Heard:
		ok, v.silent = ok && e.For > 0 && v.silent&e.Players == e.Players, v.silent&^e.Players
	case Paused:
		ok, v.paused = ok && !v.paused, true
	case Unpaused:
		ok, v.paused = ok && v.paused, false
	case Frozen:
		ok, v.frozen = ok && !v.frozen, true
	case Quorate:
		ok, v.frozen = ok && v.frozen, false
	case Left, Lost, Dropped, Joined:
		ok, v.silent = ok && (e.Players != 0 || e.Text != ""), v.silent&^e.Players
	case Closed:
		v.closed = true
	}
	if !ok {
		t.Fatalf("%v has no place here: %+v", e, *v)
	}
}

// now checks what must hold of the statistics at any moment.
func (v *invariants) now(t testing.TB, m *Machine, s *Stats) {
	t.Helper()
	playing := s.Phase == Playing
	off := s.Period - s.Nominal
	var datagrams, bytes uint64
	for i, l := range s.Links {
		v.link(t, m, &l)
		datagrams += m.links[i].playSent
		bytes += m.links[i].playBytes
	}
	for _, c := range [...]claim{
		{"a period of its own only while playing", playing || off == 0},
		{"a period near the nominal one", max(off, -off) <= s.Nominal/25},
		{"somebody is awaited only while playing", playing || s.Waiting == 0},
		{"who is awaited is not here", s.Waiting&m.cfg.Local == 0},
		{"it stands still only while playing", playing || !s.Paused && !s.Frozen},
		{"it is paused as the events say", !playing || s.Paused == v.paused && s.Frozen == v.frozen},
		{"in a pause, all that is agreed and has run is shown", !playing || !m.match.Stands(s.Frame) || m.stream.Next() >= min(s.Agreed, s.Frame)},
		{"frames run at most a window ahead", m.lateJoin != nil || s.Frame <= s.Confirmed+Frame(s.Window)+1},
		{"agreed are only frames with all inputs", s.Agreed <= s.Confirmed},
		{"others are told of no frame that is behind the end, or where somebody may come yet", !playing || m.confirmedToTell() <= min(m.match.Limit(), s.Confirmed) && (m.match.Log() == nil || m.confirmedToTell() <= m.match.Log().Gate())},
		{"a stall has a period at least", s.Blocked >= s.Stalls},
		{"it stood still while it was played", s.Stalled >= 0 && s.Stalled <= s.Uptime},
		{"members there are in a match", (playing || s.Phase == Ending) == (s.Members != 0) || m.match.Log() != nil && s.Members == 0},
		{"members are players", s.Members&^m.cfg.everybody() == 0},
		{"datagrams of the match have bytes", s.Datagrams == datagrams && s.Bytes == bytes && bytes <= datagrams*datagram.MaxSize && bytes >= datagrams*datagram.TagSize},
		{"the log has what has changed", len(m.match.AllEntries()) == min(int(s.Changes), match.MaxEntries)},
		{"events that were taken are not pending", s.PendingEvents == 0},
		{"health, phase and window are themselves", s.Health == m.Health() && s.Phase == m.Phase() && s.Window == m.cfg.Window},
		{"matches are prepared before they begin", s.Uptime == 0 || s.Prepared > 0},
	} {
		if !c.holds {
			t.Fatalf("not so: %s: %+v", c.what, *s)
		}
	}
	for p, d := range s.Delay {
		if !m.cfg.Local.Has(Player(p)) && d != 0 {
			t.Fatalf("player %d is not here, and has a delay of %d", p, d)
		}
	}
}

// link checks what must hold of a link to a peer.
func (v *invariants) link(t testing.TB, m *Machine, l *LinkStats) {
	t.Helper()
	for _, c := range [...]claim{
		{"who is not there is not quiet", l.Connected || l.Quiet == 0 && l.Unacknowledged == 0},
		{"quiet is a time", l.Quiet >= 0},
		{"a path has one of two limits", l.Limit == 0 || l.Limit == datagram.MinSize || l.Limit == datagram.MaxSize},
		{"who is there has a limit", !l.Connected || l.Limit > 0},
		{"each datagram has bytes", l.SentBytes >= l.Sent*datagram.TagSize && l.SentBytes <= l.Sent*datagram.MaxSize},
		{"each that came has, too", l.ReceivedBytes >= l.Received*datagram.TagSize && l.ReceivedBytes <= l.Received*datagram.MaxSize},
		{"what is sent again is sent", l.ControlResent <= l.ControlSent},
		{"what is lost can be counted", l.Lost < 1<<32 && l.Rejected < 1<<32},
		{"what waits here is bounded", l.Early >= 0 && l.Early <= max(stream.Kept, int(m.cfg.ahead()))},
		{"inputs that wait are bounded", l.Unacknowledged >= 0 && l.Unacknowledged <= datagram.HistoryFrames},
		{"a round trip is a time", l.RoundTrip >= 0 && l.Deviation >= 0 && l.Jitter >= 0},
		{"what a peer says of lag is bounded", max(l.RemoteLag, -l.RemoteLag) <= 30*time.Second},
	} {
		if !c.holds {
			t.Fatalf("not so of a link: %s: %+v", c.what, *l)
		}
	}
}

// grows checks values that never decrease: those of the session, and those of a match
// while it is the same.
func (v *invariants) grows(t testing.TB, s *Stats) {
	t.Helper()
	was := &v.last
	less := s.Prepared < was.Prepared || s.Match < was.Match || s.Strangers < was.Strangers || s.Rejected < was.Rejected ||
		s.MessagesSent < was.MessagesSent || s.MessagesReceived < was.MessagesReceived ||
		s.DroppedEvents < was.DroppedEvents || s.DroppedDatagrams < was.DroppedDatagrams
	if s.Prepared == was.Prepared {
		less = less || s.Frame < was.Frame || s.Confirmed < was.Confirmed && s.Changes == was.Changes || s.Agreed < was.Agreed || s.Health < was.Health ||
			s.Uptime < was.Uptime || s.Stalls < was.Stalls || s.Blocked < was.Blocked || s.Stalled < was.Stalled || s.Changes < was.Changes
		still := was.Phase != Playing && s.Phase != Playing
		if still && (s.Uptime != was.Uptime || s.Stalls != was.Stalls || s.Blocked != was.Blocked || s.Stalled != was.Stalled) {
			t.Fatalf("of a match that is over: %+v becomes %+v", *was, *s)
		}
	}
	if less {
		t.Fatalf("it goes down: %+v becomes %+v", *was, *s)
	}
}
