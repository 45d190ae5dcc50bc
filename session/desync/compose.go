package desync

import (
	"math"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/wire/agreed"
)

// framesTold is the minimum number of frames of inputs in a report, if they are held and there is room.
const framesTold = 64

// compose creates the report.
func (v *Investigation) compose() *Report {
	l, f, c := v.coordination, &v.facts, &v.setup.Evidence.cfg
	r := &Report{
		Game: f.Game, Build: f.Build, Match: f.Match, Shape: c.Shape, TickRate: f.TickRate,
		HashEvery: c.HashEvery, Every: c.Every, Seed: f.Seed, Limit: f.Limit, Content: f.Content,
		Data: f.Data[:min(len(f.Data), maxData)], Whole: len(f.Data) <= maxData,
		Equal: v.setup.Evidence.horizon, Noticed: v.noticed, State: l.state, Groups: l.groups,
		Fields: l.walk.sorted(), Total: l.walk.total, AtLeast: l.walk.atLeast,
	}
	ours := v.own.state.inputs
	v.inOrder(func(m *member) { r.Peers = append(r.Peers, m.peerOf(l.groups, ours)) })
	v.setup.Evidence.tell(r)
	return r
}

// peerOf returns the report's entry about a member.
func (m *member) peerOf(groups []uint64, inputs uint64) Peer {
	p := Peer{Players: m.players, Machine: m.machine, Group: None, Origin: Unavailable}
	if len(m.entries) == 0 {
		p.Why = "it did not send its hashes"
		if m.gone {
			p.Why = "it is gone"
		}
		return p
	}
	p.Group = groupOf(groups, m.entries[0])
	if m.state.source == 0 {
		p.Why = "it did not answer"
		return p
	}
	p.Origin, p.Base, p.Hash, p.Why = m.state.source, m.state.base, m.state.hash, string(m.state.why)
	switch {
	case inputs == 0 || m.state.inputs == 0:
	case m.state.inputs == inputs:
		p.Inputs = Same
	default:
		p.Inputs = Different
	}
	return p
}

// inputsFrom returns the first of the frames before a state whose inputs are compared.
func (e *Evidence) inputsFrom(state uint32) uint32 {
	return min(max(state-min(state, framesTold), e.inputs.First()), state)
}

// inputsDigest returns the digest of the agreed frames from one up to but not including another; 0 if they are not
// held.
func (e *Evidence) inputsDigest(from, to uint32) uint64 {
	if !e.on || from >= to || to-from > framesTold {
		return 0
	}
	b, ok := e.encode(from, to, math.MaxInt)
	if !ok {
		return 0
	}
	return xxh3.Hash(b)
}

// tell adds the inputs, and the state before them, to a report.
func (e *Evidence) tell(r *Report) {
	from := r.State - min(r.State, framesTold)
	s, ok := e.snapshots.at(from)
	if !ok && len(e.snapshots.list) > 0 {
		s = e.snapshots.list[0] // the oldest; the report then has fewer frames, or more
		ok = true
	}
	// All states before the first one that differs are the same at all peers.
	if ok && s.state < r.State && len(s.bytes) <= maxState {
		if b, ok := e.encode(s.state, r.State, maxInputs); ok {
			r.First, r.Inputs, r.Begin = s.state, b, s.bytes
			return
		}
	}
	for r.First = e.inputsFrom(r.State); ; r.First += (r.State - r.First + 1) / 2 {
		if b, ok := e.encode(r.First, r.State, maxInputs); ok { // in the worst case none fit, and Inputs is empty
			r.Inputs = b
			return
		}
	}
}

// encode encodes the frames from one up to but not including another, independently of earlier frames. ok is false
// if they are not all held, or take more than most bytes.
func (e *Evidence) encode(from, to uint32, most int) (b []byte, ok bool) {
	var w agreed.Writer
	w.Init(e.cfg.Shape)
	for n := from; n < to; n++ {
		f := e.inputs.Frame(n)
		if f == nil {
			return nil, false
		}
		if b = w.Append(b, f); len(b) > most {
			return nil, false
		}
	}
	return b, true
}

// fit encodes a report, with as many fields as fit.
func (r *Report) fit() []byte {
	for {
		b := r.Append(nil)
		if len(b) <= MaxReport || len(r.Fields) == 0 {
			return b
		}
		r.Fields, r.AtLeast = r.Fields[:len(r.Fields)-1], true
	}
}
