package desync

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"time"
)

// Investigation finds out how the states of the peers came to differ, at most once per match. To drive it:
//
//  1. Call [Investigation.Begin] for each match.
//  2. Report differences and lost peers, and pass on messages:
//     [Investigation.Suspect], [Investigation.Lost], [Investigation.Receive].
//  3. Call [Investigation.Update] unless it is [Investigation.Quiet], and take the
//     [Investigation.Result] when there is one.
type Investigation struct {
	setup   Setup
	match   Report // what a report says about the match
	phase   phase
	noticed uint32    // the state whose comparison showed a difference
	members []*member // in the order of their players
	peers   []*member // by index
	own     *member
	now     time.Duration
	next    time.Duration // when to continue
	until   time.Duration // when to give up

	restoring    restoring
	coordination *coordination // as coordinator

	report []byte
	why    string // why there is no report
	fresh  bool   // Result has not returned the result yet
}

type phase uint8

const (
	quiet phase = iota
	running
	closed
)

// member is a machine of the match; one of them is this one.
type member struct {
	players  uint16
	peer     int // index of the peer; -1 is this machine
	gone     bool
	question ask  // the query that waits for our answer
	asking   bool // whether there is one

	// What the coordinator knows about the member.
	awaited bool
	since   time.Duration
	mute    bool // it did not answer in time
	machine string
	entries []uint64
	state   answer
	parts   [][]byte // of its state, as requested last

	arriving []byte // the part of its report that has arrived
	giving   bool   // our report is being sent to it
	given    int    // bytes sent to it
}

// patience is the time limit of the whole investigation, as a multiple of that of one answer.
const patience = 12

// New creates an investigation. It does nothing until a difference is suspected.
func New(s Setup) *Investigation {
	v := &Investigation{setup: s, own: &member{players: s.Own, peer: -1}}
	for i, players := range s.Peers {
		v.peers = append(v.peers, &member{players: players, peer: i})
	}
	v.members = slices.SortedStableFunc(slices.Values(append(slices.Clone(v.peers), v.own)), func(a, b *member) int {
		return lowest(a.players) - lowest(b.players)
	})
	return v
}

// Begin starts another match, and discards the result of the last one. A report on it has what is in r: the fields from
// Game to Whole, apart from those that the evidence knows.
func (v *Investigation) Begin(r Report) {
	for _, m := range v.members {
		*m = member{players: m.players, peer: m.peer}
	}
	v.match, v.phase = r, quiet
	v.restoring.end()
	v.coordination = nil
	v.report, v.why, v.fresh = nil, "", false
}

// Suspect reports that a comparison has shown a difference in this state or an earlier one.
func (v *Investigation) Suspect(state uint32, now time.Duration) {
	if v.phase != quiet || state == 0 {
		return
	}
	v.phase, v.noticed = running, state
	v.now, v.next, v.until = now, now, now+patience*v.setup.Patience
	v.setup.Evidence.Freeze()
	for _, m := range v.members {
		v.send(m, Suspect, binary.LittleEndian.AppendUint32(nil, state))
	}
}

// Stop ends the investigation without a result: the session is over.
func (v *Investigation) Stop() {
	if v.phase == running {
		v.close(nil, "")
		v.fresh = false
	}
}

// Lost reports that a peer has left.
func (v *Investigation) Lost(peer int) {
	m := v.peers[peer]
	m.gone, m.asking, m.awaited, m.giving, m.arriving = true, false, false, false, nil
}

// Quiet reports whether no difference has been suspected in this match.
func (v *Investigation) Quiet() bool { return v.phase == quiet }

// Busy reports whether there is something to do or to wait for.
func (v *Investigation) Busy() bool {
	if v.phase == running {
		return true
	}
	for _, m := range v.members {
		if m.giving {
			return true
		}
	}
	return false
}

// Result returns the report, which must not be modified, or why there is none. ok is true once, after the
// investigation has ended.
func (v *Investigation) Result() (report []byte, why string, ok bool) {
	ok, v.fresh = v.fresh, false
	return v.report, v.why, ok
}

// Report returns the report, or nil if there is none.
func (v *Investigation) Report() []byte { return v.report }

// Update does what is due and returns when to call it again.
func (v *Investigation) Update(now time.Duration) (next time.Duration) {
	if v.now = max(v.now, now); v.now < v.next {
		return v.next
	}
	v.next = v.now + v.setup.Period
	if v.phase == running && v.now > v.until {
		v.close(nil, "it took too long")
	}
	if v.phase == running {
		v.restoring.slice()
		v.answerAll()
	}
	if v.coordinates() {
		v.lead()
	}
	v.sendReport()
	return v.next
}

// coordinates reports whether we are the first of the members that are left.
func (v *Investigation) coordinates() bool {
	for _, m := range v.members {
		if !m.gone {
			return m == v.own
		}
	}
	return false
}

func lowest(players uint16) int { return bits.TrailingZeros16(players) }

// close ends the investigation with a report, or with the reason for having none.
func (v *Investigation) close(report []byte, why string) {
	v.phase, v.fresh, v.report, v.why = closed, true, report, why
	v.restoring.end()
	v.coordination = nil
	v.setup.Evidence.Release()
}

// send sends a message to a member, if that is another machine and has not left.
func (v *Investigation) send(m *member, kind Kind, body []byte) {
	if m.peer >= 0 && !m.gone {
		v.setup.Send(m.peer, kind, body)
	}
}

// Receive handles a message from a peer. An error means that the peer violates the protocol.
func (v *Investigation) Receive(peer int, kind Kind, body []byte, now time.Duration) error {
	m := v.peers[peer]
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

// asked handles a query from a peer that may be the coordinator. A newer query replaces an older one.
func (v *Investigation) asked(m *member, a ask) {
	switch {
	case m.gone || lowest(m.players) > lowest(v.own.players):
	case v.report != nil:
		m.give() // it does not know that there is a report already
	case v.phase == running:
		m.question, m.asking = a, true
	}
}
