package desync

import (
	"math"

	"github.com/zeebo/xxh3"
)

// framesTold is the minimum number of frames of inputs in a report, if they are held and there is room.
const framesTold = 64

// compose creates the report.
func (v *Investigation) compose() *Report {
	l, e, r := v.coordination, v.setup.Evidence, v.match
	r.Shape, r.HashEvery, r.Every = e.cfg.Shape, e.cfg.HashEvery, e.cfg.Every
	r.Equal, r.Noticed, r.State, r.Groups = e.horizon, v.noticed, l.state, l.groups
	r.Fields, r.Total, r.AtLeast = l.walk.sorted(), l.walk.total, l.walk.atLeast
	for _, m := range v.members {
		r.Peers = append(r.Peers, m.peerOf(l.groups, v.own.state.inputs))
	}
	e.tell(&r)
	return &r
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
	b, ok := encode(e.cfg.Shape, e.inputs.Frame, from, to, math.MaxInt)
	if !ok {
		return 0
	}
	return xxh3.Hash(b)
}

// tell adds the inputs, and the state before them, to a report.
func (e *Evidence) tell(r *Report) {
	s, ok := e.snapshots.at(r.State - min(r.State, framesTold))
	if !ok && len(e.snapshots.list) > 0 {
		s, ok = e.snapshots.list[0], true // the oldest; the report then has fewer frames, or more
	}
	// All states before the first one that differs are the same at all peers.
	if !ok || !r.begin(s.state, s.bytes, e.inputs.Frame) {
		r.retrace(e.inputsFrom(r.State), e.inputs.Frame)
	}
}
