package match

import (
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/stream"
)

// Apply decides what to do about an entry. [Match.Next] does this for the entries of the log.
func (m *Match) Apply(e *membership.Entry, f Facts) {
	switch e.Kind {
	case membership.Leave, membership.Drop, membership.Kick:
		if e.Players&m.rules.Local != 0 {
			m.removed(e, f)
			return
		}
		m.remove(e, f)
	case membership.Join:
		m.entries.note(stream.EntryJoin, e.Players, e.Frame)
		m.end.noteEntry(e, m.limit)
		m.kicked.revoked &^= e.Players
		m.order(Order{Kind: DoEmit, What: event.Joined, Players: e.Players, Frame: e.Frame})
		m.order(Order{Kind: DoAdmit, Entry: e})
	case membership.Pause:
		m.entries.note(stream.EntryPause, e.Players, e.Frame)
		m.Pause(e.Players, e.Frame, f)
	case membership.Resume:
		m.entries.note(stream.EntryResume, e.Players, e.Frame)
		m.unpause(e.Players, f)
	}
}

// removals maps the entry kinds that remove players to the entries and events that report it.
var removals = [...]struct {
	kind stream.EntryKind
	what event.What
}{
	membership.Leave: {stream.EntryLeave, event.Left},
	membership.Drop:  {stream.EntryDrop, event.Dropped},
	membership.Kick:  {stream.EntryKick, event.Dropped},
}

// remove handles an entry that removes other players.
func (m *Match) remove(e *membership.Entry, f Facts) {
	if e.Kind == membership.Kick {
		m.order(Order{Kind: DoRevoke, Players: e.Players})
	}
	m.end.noteEntry(e, m.limit)
	for p := range e.Players.All() {
		m.entries.note(removals[e.Kind].kind, PlayerSet(1)<<p, e.Cut(p))
		if !f.Observing && m.rules.Continues { // else the stream reports it, or no frame lacks them
			m.order(Order{Kind: DoDisconnect, Player: p, Frame: e.Cut(p)})
		}
	}
	m.order(Order{Kind: DoDropMembers, Entry: e, What: removals[e.Kind].what})
	m.endBefore(e)
}

// removed handles an entry that removes us.
func (m *Match) removed(e *membership.Entry, f Facts) {
	if !m.end.remove(&RemovedError{Frame: e.Cut(lowest(m.rules.Local)), Kicked: e.Kind == membership.Kick}, f.Now) {
		return // DoLinger waits for this
	}
	m.endBefore(e)
	if !m.AwaitEnd(f) && f.Phase == Playing && m.rules.Continues {
		m.removeOthers(e)
	}
}

// removeOthers disconnects the other players of an entry that removes us, because we were in the match until its
// last frame, and its frames lack those players. If we have inputs of theirs that no remaining member has, our
// frames differ from those of the match.
func (m *Match) removeOthers(e *membership.Entry) {
	others := e.Players &^ m.rules.Local
	for p := range others.All() {
		if at := e.Cut(p); at >= m.limit {
			others &^= PlayerSet(1) << p
		} else if m.frames.Next(p) > at {
			m.order(Order{Kind: DoEndAtAgreed, Err: m.end.removed})
			return
		}
	}
	for p := range others.All() {
		m.order(Order{Kind: DoDisconnect, Player: p, Frame: e.Cut(p)})
	}
}

// endBefore ends the match before the first frame that lacks a removed player, unless the match continues.
func (m *Match) endBefore(e *membership.Entry) {
	if m.rules.Continues {
		return
	}
	at := NoFrame
	for p := range e.Players.All() {
		at = min(at, e.Cut(p))
	}
	m.end.lost |= e.Players
	if at < m.limit {
		m.limit = at
		m.entries.note(stream.EntryEnd, e.Players, at)
	}
}

// AwaitEnd waits, after we were removed, for the news that the match has ended, if we may have been in it until its
// last frame. Otherwise, or after a time-out, the session ends here; it reports whether it does.
func (m *Match) AwaitEnd(f Facts) (ends bool) {
	e := &m.end
	if e.removed == nil || f.Phase != Playing {
		return false
	}
	said, ended := m.frames.Provisional()
	switch early := ended && said.Frame < e.removed.Frame; {
	case !early && !m.ToTheEnd(m.rules.Local):
		m.order(Order{Kind: DoFail, Err: e.removed}) // the others play on
	case f.Now-e.removedAt > m.rules.Linger:
		m.order(Order{Kind: DoEndAtAgreed, Err: e.removed})
	default:
		return false
	}
	return true
}

// Quorum reports when too few peers are left to continue, and gives up after a time-out.
func (m *Match) Quorum(f Facts) {
	switch {
	case !m.Decides(f) || !m.log.Member() || m.log.Quorate():
		if m.frozen != 0 {
			m.frozen = 0
			m.order(Order{Kind: DoEmit, What: event.Quorate})
		}
	case m.frozen == 0:
		m.frozen = f.Now
		m.order(Order{Kind: DoEmit, What: event.Frozen, Players: m.log.Accused()})
	case f.Now-m.frozen > m.rules.QuorumTimeout:
		m.order(Order{Kind: DoEndAtAgreed, Err: &QuorumError{m.log.Accused(), f.Now - m.frozen}})
	}
}

// Leave makes us leave: by a decision of the log if a match needs our inputs. given is the number of our inputs,
// lead is how many frames ahead the log decides, and anyone says whether a peer is there to notify.
func (m *Match) Leave(reason string, why error, f Facts, given, lead Frame, anyone bool) {
	resigns := m.Decides(f) && f.Phase == Playing
	if m.end.leave(resigns, why); f.Phase < Playing {
		m.log = nil // we are in no match
	}
	m.order(Order{Kind: DoSendLeaves, Text: reason, Resigns: resigns})
	if resigns {
		if m.log.State().Len() > 1 && m.rules.Continues {
			given = max(given, min(given+lead, m.pause.at)) // in a pause nobody waits for these inputs
		}
		m.order(Order{Kind: DoIdle, Frame: given})
		anyone = m.log.Ask(membership.Wish{Kind: membership.Leave, Players: m.rules.Local, Frame: given}) == nil
	}
	if !anyone {
		m.order(Order{Kind: DoClose, Err: why})
		return
	}
	m.order(Order{Kind: DoLinger, Resigns: resigns})
}
