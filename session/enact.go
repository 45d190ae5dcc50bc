package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/tickback/tickback/session/membership"
)

// entryLog holds the newest entries of the membership log, in the form shown to the application.
type entryLog struct {
	list    []Entry
	changes uint64 // number of all entries of the match
}

// maxLog is the maximum number of entries kept.
const maxLog = 256

// begin clears the log for a new match.
func (h *entryLog) begin() { h.list, h.changes = h.list[:0], 0 }

func (h *entryLog) note(kind EntryKind, players PlayerSet, f Frame) {
	h.changes++
	if len(h.list) == maxLog {
		h.list = append(h.list[:0], h.list[1:]...)
	}
	h.list = append(h.list, Entry{Kind: kind, Players: players, Frame: f})
}

// before returns the entries that belong to a match of limit frames. A newcomer still needs the others.
func (h *entryLog) before(limit Frame) []Entry {
	behind := func(e Entry) bool { return e.Kind != EntryEnd && e.Frame >= limit }
	if !slices.ContainsFunc(h.list, behind) {
		return h.list
	}
	return slices.DeleteFunc(slices.Clone(h.list), behind)
}

// Log returns the membership log of the match: the newest entries, up to 256, without those after its last frame.
// The result is valid until the next call of Update and must not be modified.
func (m *Machine) Log() []Entry { return m.log.before(m.match.limit) }

// Deciding reports whether, as far as is known here, the membership log has something to decide now: a peer wants
// to leave, to join or to pause, or is silent.
func (m *Machine) Deciding() bool { return m.logged() && !m.core.Quiet() }

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

// RemovedError means that the other peers continue without us, or have ended the match. With Config.Join we can
// come back to a match that continues.
type RemovedError struct {
	Frame  Frame // the first frame without us
	Kicked bool  // on purpose
	Reason string
}

// Error gives the reason and the first frame without us.
func (e *RemovedError) Error() string {
	how := "the others have gone on without us"
	if e.Kicked {
		how = "we were kicked"
	}
	if e.Reason != "" {
		how += ": " + e.Reason
	}
	return fmt.Sprintf("%s (frame %d)", how, e.Frame)
}

// QuorumError means that the rest of the match cannot be reached and too few peers are left to continue.
type QuorumError struct {
	Players PlayerSet // those who cannot be reached
	After   time.Duration
}

// Error names who is missing.
func (e *QuorumError) Error() string {
	return fmt.Sprintf("waited %v for %v: without them we are no majority of the match", e.After.Round(time.Millisecond), e.Players)
}
