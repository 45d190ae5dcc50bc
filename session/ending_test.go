package session

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/session/membership"
)

// Who leaves gives its inputs as long as a match needs them: it is played, or at its end, and
// until the log says that it has left. That is no news to it, and to one that stays it is.
func TestHowAMachineLeaves(t *testing.T) {
	why := errors.New("dinner")
	for _, c := range []struct {
		what  string
		stage endStage
		plays bool
		want  leaveStage
	}{
		{"the lobby", running, false, leavingNow},
		{"the lobby after a match", outcomeKnown, false, leavingNow},
		{"a match that is played", running, true, leavingByLog},
		{"a match at its end", finished, false, leavingByLog},
	} {
		e := ending{stage: c.stage}
		if e.sendsInputs() != (c.stage == finished) {
			t.Errorf("%s: before, it gives inputs: %v", c.what, e.sendsInputs())
		}
		e.leave(c.plays, why)
		if e.leaving != c.want || e.why != why || e.stage != c.stage || e.sendsInputs() != (c.want == leavingByLog) {
			t.Errorf("%s: its departure is %d: %v, stage %d, it gives inputs %v", c.what, e.leaving, e.why, e.stage, e.sendsInputs())
		}
		if e.remove(&RemovedError{Frame: 5}, 7) || e.removed != nil || e.leaving != leftByLog || !e.sendsInputs() {
			t.Errorf("%s: when the log says so, its departure is %d", c.what, e.leaving)
		}
	}
	var e ending
	if !e.remove(&RemovedError{Frame: 5}, 7) || e.removed.Frame != 5 || e.removedAt != 7 || e.leaving != staying {
		t.Errorf("one that stays is removed: %+v", e)
	}
}

// What is agreed at one machine alone is an outcome, and is not verified to its end.
func TestAnEndThatIsNotAgreed(t *testing.T) {
	for health, want := range map[Health]Health{Unverified: Unverified, Healthy: Unverified, Desynced: Desynced} {
		var e ending
		e.endAtAgreed(Outcome{Match: 2, Summary: Summary{Frames: 40, Health: health}})
		if o := e.outcome; e.stage != outcomeKnown || !o.Unagreed || o.Health != want || o.Frames != 40 || o.Match != 2 {
			t.Errorf("%v: stage %d, %+v", health, e.stage, o)
		}
	}
}

// Those who leave know of all changes until one comes before the last frame, which they do not
// hear of. Who joins is nobody's heir.
func TestWhoKnowsTheEnd(t *testing.T) {
	const limit = 100
	for _, c := range []struct {
		what  string
		entry membership.Entry
		want  PlayerSet
	}{
		{"leaves at the end", membership.Entry{Kind: membership.Leave, Players: 0b10, Frame: limit}, 0b11},
		{"leaves before", membership.Entry{Kind: membership.Leave, Players: 0b10, Frame: limit - 1}, 0b10},
		{"is lost at the end", membership.Entry{Kind: membership.Drop, Players: 0b10, Cuts: [MaxPlayers]Frame{1: limit}}, 0b11},
		{"is lost before", membership.Entry{Kind: membership.Drop, Players: 0b10, Cuts: [MaxPlayers]Frame{1: limit - 1}}, 0b10},
		{"is lost with another one, which was gone before", membership.Entry{Kind: membership.Drop, Players: 0b110, Cuts: [MaxPlayers]Frame{1: limit, 2: limit - 1}}, 0b110},
		{"joins at the end", membership.Entry{Kind: membership.Join, Players: 0b10, Frame: limit}, 0b01},
		{"joins before", membership.Entry{Kind: membership.Join, Players: 0b10, Frame: limit - 1}, 0},
	} {
		e := ending{knowAllEntries: 0b01}
		if e.noteEntry(&c.entry, limit); e.knowAllEntries != c.want {
			t.Errorf("one %s: %b know the end, want %b", c.what, e.knowAllEntries, c.want)
		}
	}
}

// How a match has ended hears who is connected, and who is out, but was in it to its end and knows
// of every change before that; each once. The latter gets the inputs that it may lack, too.
func TestWhoHearsTheEnd(t *testing.T) {
	const limit = 500
	for _, c := range []struct {
		what  string
		on    OnLeave
		state linkState
		from  Frame
		heirs PlayerSet
		hears bool
	}{
		{"one that is connected", Continue, connected, NoFrame, 0, true},
		{"one that leaves", Continue, leaving, NoFrame, 0, false},
		{"one that is out from the end on", Continue, gone, limit, 0b100, true},
		{"one that is out before", Continue, gone, limit - 1, 0b100, false},
		{"one that is out and lacks a change", Continue, gone, limit, 0b010, false},
		{"one whose going ends the match", End, gone, limit, 0, true},
	} {
		tr := newTrio(t, 3, func(cfg *Config) { cfg.Lobby, cfg.OnLeave = true, c.on })
		tr.reach(Playing)
		tr.run(100 * time.Millisecond)
		m, l := tr.peers[0], tr.way(0, 2)
		agreed := m.sim.Agreed()
		m.match.limit, m.core.State().Absent[2].From, m.end.knowAllEntries = limit, c.from, c.heirs
		m.end.finish(Outcome{Summary: Summary{Frames: agreed}})
		l.state, l.confirmed = c.state, agreed-3
		before := l.Channel.Pending()
		m.sendSummaries()
		said := l.Channel.Pending() - before
		if (said > 0) != c.hears || l.summed != c.hears || c.hears && (said > 50) != (c.state == gone) {
			t.Errorf("%s: it is told %d bytes", c.what, said)
		}
		if m.sendSummaries(); l.Channel.Pending()-before != said {
			t.Errorf("%s: it is told twice", c.what)
		}
	}
}

// What is for all goes to those who are connected, except those of whom it is.
func TestWhoIsTold(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby = true })
	tr.reach(Lobby)
	for _, c := range []struct {
		except PlayerSet
		state  linkState // of peer 2
		want   [2]bool
	}{
		{0, connected, [2]bool{true, true}},
		{0b010, connected, [2]bool{false, true}},
		{0b110, connected, [2]bool{false, false}},
		{0, gone, [2]bool{true, false}},
	} {
		tr.way(0, 2).state = c.state
		for i, want := range c.want {
			l := tr.way(0, i+1)
			before := l.Channel.Pending()
			tr.peers[0].tell([]byte{messageApplication, 7}, c.except)
			if told := l.Channel.Pending() > before; told != want {
				t.Errorf("except %b, peer 2 is %d: peer %d is told: %v", c.except, c.state, i+1, told)
			}
		}
	}
}
