package desync

import (
	"math/bits"
	"time"
)

// Investigation finds out how the states of the peers came to differ: at most once in
// a match. Its owner
//
//  1. calls [Investigation.Begin] for each match;
//  2. passes on what is suspected, who is gone and what arrives:
//     [Investigation.Suspect], [Investigation.Lost], [Investigation.Receive];
//  3. calls [Investigation.Update] unless it is [Investigation.Quiet], and takes the
//     [Investigation.Result] when there is one.
type Investigation struct {
	setup   Setup
	facts   Facts
	phase   phase
	noticed uint32 // the state whose comparison showed a difference
	members []member
	own     *member
	now     time.Duration
	next    time.Duration // when something is done again
	until   time.Duration // when it is given up

	restoring restoring
	leading   *leading // as coordinator

	report []byte
	why    string // there is none
	fresh  bool   // Result has not been taken
}

type phase uint8

const (
	quiet phase = iota
	running
	closed
)

// member is a machine, ours included.
type member struct {
	players  byte
	peer     int // index of it; -1 is ours
	gone     bool
	question ask // waits for our answer
	asking   bool

	// As the coordinator sees it.
	awaited bool
	since   time.Duration
	mute    bool // it has not answered
	machine string
	entries []uint64
	state   answer
	parts   answer // nodes or leaves

	arriving []byte // of its report
	giving   bool   // it gets ours
	given    int    // bytes of it
}

// patience is how much longer than for an answer all of it may take.
const patience = 12

// New makes an investigation, which is quiet until something is suspected.
func New(s Setup) *Investigation {
	v := &Investigation{setup: s}
	for i, players := range s.Peers {
		v.members = append(v.members, member{players: players, peer: i})
	}
	v.members = append(v.members, member{players: s.Own, peer: -1})
	v.own = &v.members[len(s.Peers)]
	return v
}

// Begin begins with another match. What was found out of the last one is forgotten.
func (v *Investigation) Begin(f Facts) {
	for i := range v.members {
		m := &v.members[i]
		*m = member{players: m.players, peer: m.peer}
	}
	v.facts, v.phase, v.noticed = f, quiet, 0
	v.restoring, v.leading = restoring{}, nil
	v.report, v.why, v.fresh = nil, "", false
}

// Suspect says that a comparison has shown a difference in this state or before.
func (v *Investigation) Suspect(state uint32, now time.Duration) {
	if v.phase != quiet || state == 0 {
		return
	}
	v.phase, v.noticed = running, state
	v.now, v.next, v.until = now, now, now+patience*v.setup.Patience
	v.setup.Evidence.Freeze()
	for i := range v.members {
		v.send(&v.members[i], Suspect, appendUint32(nil, state))
	}
}

// Lost says that a peer is gone.
func (v *Investigation) Lost(peer int) {
	m := &v.members[peer]
	m.gone, m.asking, m.awaited, m.giving, m.arriving = true, false, false, false, nil
}

// Quiet reports whether nothing was suspected in this match.
func (v *Investigation) Quiet() bool { return v.phase == quiet }

// Busy reports whether there is something to do, or to wait for.
func (v *Investigation) Busy() bool {
	if v.phase == running {
		return true
	}
	for i := range v.members {
		if v.members[i].giving {
			return true
		}
	}
	return false
}

// Result returns the report, which is not to be changed, or why there is none, once
// after it has come to an end.
func (v *Investigation) Result() (report []byte, why string, ok bool) {
	ok, v.fresh = v.fresh, false
	return v.report, v.why, ok
}

// Report returns the report, or nil.
func (v *Investigation) Report() []byte { return v.report }

// Update does what is due, and returns when to call it again.
func (v *Investigation) Update(now time.Duration) (next time.Duration) {
	if v.now = max(v.now, now); v.now < v.next {
		return v.next
	}
	v.next = v.now + v.setup.Period
	if v.phase == running && v.now > v.until {
		v.close(nil, "it took too long")
	}
	if v.phase == running {
		v.restoring.work(v)
		v.answerAll()
	}
	if v.coordinates() {
		v.lead()
	}
	v.give()
	return v.next
}

// coordinates reports whether we are the lowest of those who are left.
func (v *Investigation) coordinates() bool {
	for i := range v.members {
		if m := &v.members[i]; !m.gone && lowest(m.players) < lowest(v.own.players) {
			return false
		}
	}
	return true
}

func lowest(players byte) int { return bits.TrailingZeros8(players) }

// close ends it, with a report or the reason for having none.
func (v *Investigation) close(report []byte, why string) {
	v.phase, v.fresh, v.report, v.why = closed, true, report, why
	v.restoring, v.leading = restoring{}, nil
	for i := range v.members {
		v.members[i].asking, v.members[i].awaited, v.members[i].arriving = false, false, nil
	}
	v.setup.Evidence.Release()
}

// send sends a message to a member, if it is another machine that is there.
func (v *Investigation) send(m *member, kind Kind, body []byte) {
	if m.peer >= 0 && !m.gone {
		v.setup.Send(m.peer, kind, body)
	}
}

// Receive takes a message of a peer. An error means that the peer is broken.
func (v *Investigation) Receive(peer int, kind Kind, body []byte, now time.Duration) error {
	m := &v.members[peer]
	switch kind {
	case Suspect:
		r := reader{b: body}
		state := r.uint32()
		r.check(state > 0 && state < None)
		if err := r.end(); err != nil {
			return err
		}
		v.Suspect(state, now)
	case Ask:
		var a ask
		if err := a.consume(body); err != nil {
			return err
		}
		v.asked(m, a)
	case Answer:
		var a answer
		if err := a.consume(body); err != nil {
			return err
		}
		v.answered(m, &a)
	case Piece:
		var p piece
		if err := p.consume(body); err != nil {
			return err
		}
		return v.receivePiece(m, &p)
	default:
		return ErrRange
	}
	return nil
}

// asked takes a question of a peer that may coordinate. A newer one replaces it.
func (v *Investigation) asked(m *member, a ask) {
	switch {
	case m.gone || lowest(m.players) > lowest(v.own.players):
	case v.report != nil:
		m.give() // it cannot know that there is one already
	case v.phase == running:
		m.question, m.asking = a, true
	}
}
