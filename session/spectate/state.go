package spectate

import (
	"fmt"
	"slices"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
)

// heldState is an encoded state that is kept for late joiners.
type heldState struct {
	transfer
	bytes    []byte
	taken    time.Duration
	needed   time.Duration // when a spectator last needed it, or 0
	proves   bool          // a newcomer begins with it, and has to prove that its game continues in the same way
	followed bool          // a frame after it has a mark
	later    later         // the hash for that mark, if the match hashes no state by then
	mark     mark          // the mark at this state; its frame is 0 until it is known
	packed
}

// later is the hash of a state that is final but whose frame is not agreed yet.
type later struct {
	frame uint32 // its number; 0: none
	hash  uint64
}

// hashLater hashes, for each state that a newcomer begins with, a state that comes soon after it and whose number
// is greater than after, so that it becomes a mark: otherwise the newcomer would have to wait for the next state
// that the match hashes to know whether its game reaches the same states.
func hashLater(a *Host, after uint32) {
	for _, s := range a.states {
		if !s.proves || s.followed || s.later.frame != 0 {
			continue
		}
		if hash, frame, ok := a.match.Hash(max(after, s.frame)); ok {
			s.later = later{frame, hash}
		}
	}
}

const (
	// keepState is how long an unused state is kept: for the next spectator, or for one that was interrupted.
	keepState = 10 * time.Second
	// maxStates is the maximum number of states kept.
	maxStates = 6
)

// stateFor returns a state that a spectator may see: the one that it has received in part, or a new one. It returns
// nil if there is none.
func (a *Host) stateFor(g *spectator) *heldState {
	r, visible := &g.request, a.visibleTo(g)
	hidden := a.cfg.Delay > 0 && !a.ended && !g.isNewcomer()
	for _, s := range a.states {
		if r.match == a.offer.Match && s.transfer == r.state && r.have > 0 && (!hidden || s.frame <= visible) {
			return s
		}
	}
	if hidden {
		return a.newest(visible)
	}
	s := a.newest(visible + a.spans.reuse)
	if s != nil && s.frame+a.spans.reuse >= visible && (!a.ended || s.frame <= a.end.Frames) {
		return s
	}
	if fresh := a.take(); fresh != nil {
		return fresh
	}
	return s
}

// newest returns the newest state at or before frame f.
func (a *Host) newest(f uint32) (found *heldState) {
	for _, s := range a.states {
		if s.frame <= f {
			found = s
		}
	}
	return found
}

// take encodes the newest final state, and keeps it.
func (a *Host) take() *heldState {
	if !a.match.Marshals() || a.now < a.retryAt || !a.makeRoomForState() {
		return nil
	}
	bytes, frame, err := a.match.Marshal(nil)
	if err == nil && len(bytes) > MaxState {
		err = fmt.Errorf("it has %d bytes, more than %d", len(bytes), MaxState)
	}
	if a.failed = err; err != nil || len(bytes) == 0 {
		a.retryAt = a.now + time.Second
		return nil
	}
	if frame < a.log.First() {
		a.retryAt = a.now + a.period // a spectator cannot start there: we lack the frames that follow
		return nil
	}
	a.stats.States++
	s := &heldState{transfer: transfer{frame, uint32(len(bytes)), canon.HashBytes(bytes)}, bytes: bytes, taken: a.now}
	s.mark, _ = a.marks.recent.at(frame) // if that is agreed already
	if a.cfg.Delay == 0 {
		s.needed = a.now
	}
	a.states = append(a.states, s)
	a.packing.rest()
	return s
}

// makeRoomForState makes room for another state. If slow spectators hold too many, the oldest one is dropped, and
// the spectators that were receiving it start over; but not so often that none ever finishes. With a delay, the
// oldest is kept if it is the only one that spectators may see: the states taken for newcomers are too new for
// them.
func (a *Host) makeRoomForState() bool {
	n := len(a.states)
	if n < maxStates {
		return true
	}
	switch {
	case a.cfg.Delay == 0 && a.now-a.states[n-1].taken < keepState:
		return false
	case a.cfg.Delay > 0 && a.states[1].frame > a.visible():
		return false
	}
	for _, g := range a.spectators {
		if g.state == a.states[0] {
			g.state = nil
		}
	}
	a.drop(a.states[0])
	return true
}

// keepStates takes a state in advance if spectators see the match with a delay, and drops the states that are no
// longer needed.
func (a *Host) keepStates() {
	if a.offer == nil {
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
		if a.used(s) {
			s.needed = a.now
		}
		superseded := a.cfg.Delay == 0 || i+1 < len(a.states) && a.states[i+1].frame <= visible
		if !superseded || s.needed != 0 && a.now-s.needed < keepState {
			kept = append(kept, s)
		}
	}
	clear(a.states[len(kept):])
	a.states = kept
}

// used reports whether a state is being sent to a spectator.
func (a *Host) used(s *heldState) bool {
	for _, g := range a.spectators {
		if g.state == s {
			return true
		}
	}
	return false
}

// drop removes a state.
func (a *Host) drop(s *heldState) {
	if i := slices.Index(a.states, s); i >= 0 {
		a.states = slices.Delete(a.states, i, i+1)
	}
}

// forget drops frames that are no longer needed. A game that cannot encode its state needs all of them.
func (a *Host) forget() {
	if a.offer == nil || !a.match.Marshals() {
		return
	}
	first := a.visible()
	for _, s := range a.states {
		first = min(first, s.frame)
	}
	first -= min(first, a.spans.keep)
	for _, g := range a.spectators {
		if g.placed {
			first = min(first, g.next)
		}
	}
	a.log.Forget(first)
}
