package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/spectate"
)

// people is who is in the match according to the events and the log of one machine.
type people struct {
	match   uint32
	members PlayerSet
}

// see handles what has happened since the last call, and checks that the events, the log
// and the links to the others agree on who is present.
func (p *people) see(t testing.TB, m *Machine, events []Event) {
	t.Helper()
	if !m.logged() {
		p.match = 0
		return
	}
	if state := m.match.Log().State().All(); p.match != m.match.Number() {
		p.match, p.members = m.match.Number(), state // the log may be ahead of the event Started
		return
	}
	for _, e := range events {
		switch e.What {
		case Joined:
			p.logged(t, m, &e)
			if p.members |= e.Players; e.Players&^m.cfg.everybody() != 0 || e.Players == 0 {
				t.Fatalf("%v, of the players %v", e, m.cfg.everybody())
			}
		case Left, Dropped, Lost:
			p.logged(t, m, &e)
			if e.Players&^p.members != 0 || e.Players&m.cfg.Local != 0 {
				t.Fatalf("%v, and members are %v", e, p.members)
			}
			p.members &^= e.Players
		}
	}
	if state := m.match.Log().State().All(); m.match.Log().Member() && m.phase != Over && state != p.members {
		t.Fatalf("by the events %v are members, by the log %v", p.members, state)
	}
	p.ways(t, m)
}

// logged checks that an event agrees with the log.
func (p *people) logged(t testing.TB, m *Machine, e *Event) {
	t.Helper()
	fits := func(n Entry, players PlayerSet) bool {
		switch n.Kind {
		case EntryJoin:
			return e.What == Joined && n.Players == players && n.Frame == e.Frame
		case EntryLeave:
			return e.What != Joined && e.What != Dropped && n.Players == players && n.Frame <= e.Frame
		case EntryDrop, EntryKick:
			return e.What != Joined && n.Players == players && n.Frame <= e.Frame
		}
		return false
	}
	first := Frame(0)
	for q := range e.Players.All() {
		players := PlayerSet(1) << q
		if e.What == Joined {
			players = e.Players
		}
		at := -1
		for i, n := range m.match.AllEntries() {
			if fits(n, players) {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("%v: the log is %v", e, m.match.AllEntries())
		}
		first = max(first, m.match.AllEntries()[at].Frame)
	}
	if first != e.Frame {
		t.Fatalf("%v: from frame %d on, by the log %v", e, first, m.match.AllEntries())
	}
	if text, silent := strings.CutPrefix(e.Text, "silent for "); silent {
		if d, err := time.ParseDuration(text); err != nil || d < 0 || d > m.now-pace.Beginning {
			t.Fatalf("%v: %v is longer than the session", e, d)
		}
	}
}

// ways checks the links to members and newcomers.
func (p *people) ways(t testing.TB, m *Machine) {
	t.Helper()
	here := PlayerSet(0)
	for i, l := range m.links {
		if l.state == gone {
			continue
		}
		if here&l.players != 0 || l.players&m.cfg.Local != 0 || slices.Index(m.links, l) != i {
			t.Fatalf("two ways lead to %v", l.players)
		}
		here |= l.players
		for q := range l.players.All() {
			if m.at[q] != l {
				t.Fatalf("the way to player %d is not known", q)
			}
		}
		if m.lateJoin == nil && (l.notBothMembers || l.backfillTo > 0 && !m.ours(l)) {
			t.Fatalf("%v is a newcomer and a member", l.players)
		}
	}
	if len(m.newcomers) > maxNewcomers {
		t.Fatalf("%d newcomers at a time", len(m.newcomers))
	}
	wanted := PlayerSet(0)
	for _, c := range m.newcomers {
		switch {
		case m.phase != Playing:
		case c.players&(wanted|m.match.Log().State().All()|m.cfg.Local) != 0:
			t.Fatalf("a newcomer wants %v, which others want or have", c.players)
		case slices.Contains(m.links, c.link) || !c.notBothMembers:
			t.Fatalf("the newcomer %v is a member", c.players)
		case c.revoked && (c.revokedAt > m.now || m.now-c.revokedAt > spectate.RevokedFor+time.Second && !m.match.Log().MayJoin(c.players, c.id)):
			t.Fatalf("the newcomer %v has been refused since %v", c.players, c.revokedAt)
		}
		wanted |= c.players
	}
	for _, c := range m.newcomers[len(m.newcomers):cap(m.newcomers)] {
		if c != nil {
			t.Fatalf("the newcomer %v is remembered", c.players)
		}
	}
}
