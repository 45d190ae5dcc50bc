package spectate

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
)

// state is an encoded state that is held for those who come late.
type state struct {
	transfer
	bytes []byte
}

const (
	// reuse is how many frames old a state may be for the next who comes.
	reuse = 120
	// keep is how many frames a state is held for who was interrupted, and keepFrames
	// how many are held for who comes from another host.
	keep       = 600
	keepFrames = 1800
	// maxStates bounds the states that are held.
	maxStates = 6
)

// stateFor returns a state that spectators may see: the one that a guest has begun to
// get, or a new one. It is nil if there is none.
func (a *Audience) stateFor(r *request) *state {
	visible := a.visible()
	if a.cfg.Delay > 0 && !a.ended {
		return a.newest(visible)
	}
	for _, s := range a.states {
		if r.match == a.offer.Match && s.transfer == r.state && r.have > 0 {
			return s
		}
	}
	if s := a.newest(visible + reuse); s != nil && s.frame+reuse >= visible && (!a.ended || s.frame <= a.end.Frames) {
		return s
	}
	return a.take()
}

// newest returns the newest state of a frame up to f.
func (a *Audience) newest(f uint32) (found *state) {
	for _, s := range a.states {
		if s.frame <= f {
			found = s
		}
	}
	return found
}

// take encodes the newest state.
func (a *Audience) take() *state {
	if len(a.states) >= maxStates || !a.source.Marshals() {
		return nil
	}
	bytes, frame, err := a.source.Marshal(nil)
	if err != nil || len(bytes) == 0 || len(bytes) > MaxState {
		return nil
	}
	a.stats.States++
	s := &state{transfer{frame, uint32(len(bytes)), canon.HashBytes(bytes)}, bytes}
	a.states = append(a.states, s)
	return s
}

// keepStates takes a state in advance where spectators see what is old, and forgets
// those that nobody needs.
func (a *Audience) keepStates() {
	if a.offer == nil || !a.source.Marshals() {
		return
	}
	if every := uint32(max(a.cfg.Delay/2, agreed.BlockFrames)); a.cfg.Delay > 0 && !a.ended {
		if n := len(a.states); n == 0 || a.log.Next() >= a.states[n-1].frame+every {
			a.take()
		}
	}
	visible := a.visible()
	kept := a.states[:0]
	for i, s := range a.states {
		superseded := i+1 < len(a.states) && a.states[i+1].frame <= visible
		if a.used(s) || !superseded && (s.frame+keep > visible || a.cfg.Delay > 0) {
			kept = append(kept, s)
		}
	}
	clear(a.states[len(kept):])
	a.states = kept
}

// used reports whether somebody is sent a state.
func (a *Audience) used(s *state) bool {
	for _, g := range a.guests {
		if g.state == s {
			return true
		}
	}
	return false
}

// drop forgets a state.
func (a *Audience) drop(s *state) {
	for i := range a.states {
		if a.states[i] == s {
			a.states = append(a.states[:i], a.states[i+1:]...)
			return
		}
	}
}

// forget drops frames that nobody will need. A game that cannot encode its state needs
// all.
func (a *Audience) forget() {
	if a.offer == nil || !a.source.Marshals() {
		return
	}
	first := a.visible()
	for _, s := range a.states {
		first = min(first, s.frame)
	}
	first -= min(first, keepFrames)
	for _, g := range a.guests {
		if g.placed {
			first = min(first, g.next)
		}
	}
	a.log.Forget(first)
}

// marks are the newest comparisons of the match, in a ring.
type marks struct {
	list [256]struct {
		frame uint32
		chain uint64
	}
	count int
}

func (m *marks) add(frame uint32, chain uint64) {
	at := &m.list[m.count%len(m.list)]
	at.frame, at.chain = frame, chain
	m.count++
}

// at returns the chain after so many frames.
func (m *marks) at(frame uint32) (chain uint64, ok bool) {
	for i := range min(m.count, len(m.list)) {
		if m.list[i].frame == frame {
			return m.list[i].chain, true
		}
	}
	return 0, false
}
