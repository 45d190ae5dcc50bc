package served

import (
	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// inquiry explains why a state here differs from the server's: it keeps our state when that is noticed, asks the
// server for its version, and writes a report on both.
type inquiry[S any, I comparable] struct {
	states *canon.Plan[S] // nil if the game's states are not plain values
	inputs *canon.Plan[I]
	shape  agreed.Shape

	equal Frame // the newest state that was compared and equal to the server's
	begun Frame // all ticks from this one on are known, without a gap
	next  Frame // the next tick expected

	stage  stage
	state  Frame // number of the state that differs
	check  uint16
	ours   []byte
	report desync.Report
	bytes  []byte // the encoded report, once it is written
	why    string // why there is no report
}

// stage is the stage of an inquiry.
type stage uint8

const (
	unnoticed stage = iota // no difference has been found
	noticed                // the server has yet to be asked
	asked                  // the server has yet to answer
	ended                  // bytes or why is set, but not taken yet
	reported               // taken
)

// retraced is the maximum number of ticks before a difference that the report covers.
const retraced = 64

// knows notes that tick f is completely known.
func (q *inquiry[S, I]) knows(f Frame) {
	if f != q.next {
		q.begun = f
	}
	q.next = f + 1
}

// notice starts an inquiry about a state whose hash here ends differently from the server's.
func (q *inquiry[S, I]) notice(f Frame, check uint16, s *S) {
	if q.stage != unnoticed {
		return
	}
	q.state, q.check = f, check
	switch {
	case q.states == nil:
		q.fail("the states of this game are no values")
		return
	case q.shape.Players < 2:
		q.fail("a match of one place has no other players to stand for the server")
		return
	case s == nil:
		q.fail("our state is not held any more")
		return
	}
	q.stage = noticed
	q.ours = q.states.Append(nil, s)
	every := uint32(f - q.equal)
	q.report = desync.Report{Shape: q.shape, HashEvery: every, Every: every, Equal: uint32(q.equal), Noticed: uint32(f), State: uint32(f), First: uint32(f)}
}

// retrace adds the states and inputs before the difference, as far as the engine holds them.
func (q *inquiry[S, I]) retrace(e *rollback.Engine[S, I]) {
	if q.stage != noticed {
		return
	}
	first := q.state
	for first > q.begun && q.state-first < retraced && e.StateAt(first-1) != nil {
		first--
	}
	if s := e.StateAt(first); s != nil && first < q.state {
		q.report.Retrace(uint32(first), q.states.Append(nil, s), func(n uint32) *agreed.Frame { return q.frame(e, Frame(n)) })
	}
}

// frame returns the inputs of all players for a tick that is held.
func (q *inquiry[S, I]) frame(e *rollback.Engine[S, I], f Frame) *agreed.Frame {
	a := &agreed.Frame{Number: uint32(f)}
	for p := range Player(q.shape.Players) {
		in, orders, status := e.Input(p, f)
		a.Inputs = q.inputs.Append(a.Inputs, &in)
		if status == rollback.Disconnected {
			a.Gone |= 1 << p
		}
		if len(orders) > 0 {
			if a.Orders == nil {
				a.Orders = make([][]byte, q.shape.Players)
			}
			a.Orders[p] = orders
		}
	}
	return a
}

// answered handles the server's state and writes the report.
func (q *inquiry[S, I]) answered(g *given, own Player, cfg *ClientConfig, match uint32, p *stream.Parameters) {
	switch {
	case len(g.Bytes()) == 0:
		q.fail("the server does not hold that state any more")
		return
	case uint16(xxh3.Hash(g.Bytes())) != q.check:
		q.fail("the server has told another state than it had")
		return
	}
	r := &q.report
	r.Game, r.Build, r.Match, r.TickRate, r.Rate = cfg.Game.ID, cfg.Build, match, uint16(cfg.TickRate), cfg.Rate
	r.Seed, r.Limit, r.Content, r.Data, r.Whole = p.Seed, uint32(p.Frames), p.Content, p.Data, true
	us := uint16(rollback.SetOf(own))
	err := r.Compare(q.states.ScalarAt, q.states.Size(), []desync.Side{
		{Players: us, Machine: cfg.Machine, State: q.ours},
		{Players: (uint16(1)<<q.shape.Players - 1) &^ us, Machine: "the server: " + g.machine, State: g.Bytes()},
	})
	if err != nil {
		q.fail(err.Error())
		return
	}
	for i := range r.Peers {
		if len(r.Inputs) > 0 { // ours are those that the server sent
			r.Peers[i].Inputs = desync.Same
		}
	}
	q.stage, q.bytes, q.ours = ended, r.Bytes(), nil
}

// fail ends the inquiry without a report.
func (q *inquiry[S, I]) fail(why string) { q.stage, q.why, q.ours = ended, why, nil }

// take returns the report, or why there is none; ok is true only once.
func (q *inquiry[S, I]) take() (report []byte, why string, ok bool) {
	if q.stage != ended {
		return nil, "", false
	}
	q.stage = reported
	return q.bytes, q.why, true
}
