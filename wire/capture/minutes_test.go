package capture_test

import (
	"math/bits"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// minutes is what a reader knows about the log of a match.
type minutes struct {
	chosen   map[uint64]line             // by slot
	accepted map[[2]uint64]line          // by slot and ballot
	joined   map[rollback.PlayerSet]line // by players
	told     [7]int                      // messages of each sort
	previous int                         // promises with an entry
	fills    int
}

// line is an entry of the log.
type line struct {
	change  byte
	players rollback.PlayerSet
	frame   [16]uint32 // by player
	id      uint64
}

const (
	lineLeave = 1 + iota
	lineDrop
	lineKick
	lineJoin
	linePause
	lineResume
)

func newMinutes() *minutes {
	return &minutes{chosen: map[uint64]line{}, accepted: map[[2]uint64]line{}, joined: map[rollback.PlayerSet]line{}}
}

// lineOf reads an entry.
func lineOf(n *node) (l line) {
	if l.change = byte(n.num("change")); l.change == 0 {
		return l
	}
	l.players = rollback.PlayerSet(n.num("players"))
	cuts := []fieldValue{}
	for _, c := range n.tables("cuts") {
		cuts = c.all("cut")
	}
	for set := l.players; set != 0; set &= set - 1 {
		p := bits.TrailingZeros16(uint16(set))
		if len(cuts) > 0 {
			l.frame[p], cuts = uint32(cuts[0].n), cuts[1:]
		} else {
			l.frame[p] = uint32(n.num("frame"))
		}
	}
	for _, id := range n.all("id") {
		if l.id = id.n; l.id == 0 {
			fail("an entry without an id")
		}
	}
	if l.players == 0 || l.change > lineResume || (l.id != 0) != (l.change == lineJoin) {
		fail("no entry: %+v", l)
	}
	return l
}

// message handles a message about the log, from the machine with these players.
func (m *minutes) message(from rollback.PlayerSet, n *node) {
	what, slot := n.num("what"), n.num("slot")
	m.told[what]++
	if what == 0 {
		m.claim(from, n.table("claim"))
		return
	}
	if what < 6 && n.num("ballot") < 16 {
		fail("ballot %d", n.num("ballot"))
	}
	if by := n.all("ballot"); (what == 1 || what == 4) && 1<<(by[0].n%16) != from&-from {
		fail("ballot %d of %v", by[0].n, from)
	}
	switch what {
	case 2:
		before := n.table("before")
		if before.num("previous") >= n.num("ballot") {
			fail("a promise for ballot %d after %d", n.num("ballot"), before.num("previous"))
		}
		for _, e := range before.tables("entry") {
			m.previous++
			m.same([2]uint64{slot, before.num("previous")}, lineOf(e))
		}
	case 3:
		if n.num("promised") < n.num("ballot") {
			fail("ballot %d is refused for %d", n.num("ballot"), n.num("promised"))
		}
	case 4, 5:
		m.same([2]uint64{slot, n.num("ballot")}, lineOf(n.table("entry")))
	case 6:
		e := lineOf(n.table("entry"))
		if known, ok := m.chosen[slot]; ok && known != e {
			fail("entry %d is %+v and %+v", slot, known, e)
		}
		if m.chosen[slot] = e; e.change == lineJoin {
			m.joined[e.players] = e
		}
	}
}

// same checks that a ballot has only one entry.
func (m *minutes) same(ballot [2]uint64, e line) {
	if known, ok := m.accepted[ballot]; ok && known != e {
		fail("ballot %v has %+v and %+v", ballot, known, e)
	}
	m.accepted[ballot] = e
}

func (m *minutes) claim(from rollback.PlayerSet, n *node) {
	for _, field := range []string{"accused", "stopped", "whole", "kick"} {
		if n.num(field)&uint64(from) != 0 {
			fail("%v claims that it is %s itself", from, field)
		}
	}
	for _, field := range []string{"leaving", "pause", "resume", "gated"} {
		if n.num(field) > 1 {
			fail("%s is %d", field, n.num(field))
		}
	}
	ready := n.num("ready")
	for _, c := range n.tables("newcomer") {
		newcomer(c)
		if c.num("players")&-c.num("players") != ready&-ready {
			fail("newcomer %d of %b", c.num("players"), ready)
		}
		ready &= ready - 1
	}
	for _, g := range append(n.tables("opening"), n.tables("gate")...) {
		newcomer(g.table("who"))
		if g.num("frame") == 0 {
			fail("a gate at the beginning")
		}
	}
	for _, going := range n.all("going") {
		if going.n == 0 {
			fail("nobody has to go")
		}
	}
}

func newcomer(n *node) {
	if n.num("players") == 0 || n.num("id") == 0 {
		fail("no newcomer: %v", n.fields)
	}
}

// compare compares the entries with those that a machine of the match has applied.
func (m *minutes) compare(log []session.Entry) {
	kinds := [...]session.EntryKind{
		lineLeave: session.EntryLeave, lineDrop: session.EntryDrop, lineKick: session.EntryKick,
		lineJoin: session.EntryJoin, linePause: session.EntryPause, lineResume: session.EntryResume,
	}
	for slot := range uint64(len(m.chosen)) {
		e, ok := m.chosen[slot]
		if !ok {
			fail("entry %d of %d is missing", slot, len(m.chosen))
		}
		for set := e.players; set != 0; {
			want := session.Entry{Kind: kinds[e.change], Players: set, Frame: session.Frame(e.frame[bits.TrailingZeros16(uint16(set))])}
			if e.change <= lineKick { // noted for each player
				want.Players &= -want.Players
			}
			if set &^= want.Players; len(log) == 0 || log[0] != want {
				fail("entry %d is %+v, and was applied as %+v", slot, want, log)
			}
			log = log[1:]
		}
	}
	if len(log) > 0 {
		fail("%+v were not told", log)
	}
}
