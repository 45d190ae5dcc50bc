package session

import (
	"time"

	"github.com/tickback/tickback/session/membership"
)

// Log returns the membership log of the match: the newest entries, up to 256, without those after its last frame.
// The result is valid until the next call of Update and must not be modified.
func (m *Machine) Log() []Entry { return m.match.Entries() }

// Deciding reports whether, as far as is known here, the membership log has something to decide now: a peer wants
// to leave, to join or to pause, or is silent.
func (m *Machine) Deciding() bool { return m.logged() && !m.match.Log().Quiet() }

// dropMembers gives up the machines that an entry removes.
func (m *members) dropMembers(e *membership.Entry, what What) {
	for _, l := range m.links {
		if l.players&^e.Players != 0 || m.at[l.List[0]] != l {
			continue // it left before, and its players are back on another machine
		}
		what, first := what, Frame(0)
		switch {
		case l.said:
			what = Left
		case !m.cfg.continues():
			what = Lost
		}
		for _, p := range l.List {
			first = max(first, e.Cut(p))
		}
		switch {
		case l.why != "" || e.Kind != membership.Drop:
		case m.stuckPeers()&l.players != 0:
			l.why = "it has joined, and plays nothing"
		default:
			l.why = "silent for " + (m.now - l.Heard).Round(time.Millisecond).String()
		}
		l.beginFarewell()
		m.events.Add(Event{What: what, Players: l.players, Frame: first, Text: l.why})
	}
}
