package session

import (
	"testing"
	"time"
)

// The result of a match is sent, once each, to connected peers, and to removed peers that were in
// the match to its end and know of every change before that. The latter also get the inputs that
// they may lack.
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
		poke(&m.match, "limit", Frame(limit))
		poke(m.match.End(), "knowAllEntries", c.heirs)
		m.match.Log().State().Absent[2].From = c.from
		m.match.End().Finish(Outcome{Summary: Summary{Frames: agreed}})
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

// A message for everyone goes to all connected peers, except those that it is about.
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
