package spectate

import (
	"fmt"
	"slices"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
)

// heldStates decides which encoded states are kept for late joiners, and which of them a spectator begins with.
type heldStates struct {
	match     Match
	broadcast *broadcast
	period    time.Duration // the tick period
	list      []*heldState  // by frame
	packing   packing
	failed    error         // why the newest state could not be encoded
	retryAt   time.Duration // when to retry the encoding
	encoded   uint64        // how many were
}

// heldState is an encoded state that is kept for late joiners.
type heldState struct {
	transfer
	bytes    []byte
	taken    time.Duration
	needed   time.Duration // when a spectator last needed it, or 0
	revoked  bool          // it is dropped to make room, and the spectators that it is sent to start over
	proves   bool          // a newcomer begins with it, and has to prove that its game continues in the same way
	followed bool          // a frame after it has a mark
	later    later         // the hash for that mark, if the match hashes no state by then
	mark     mark          // the mark at this state; its frame is 0 until it is known
	packed
}

// later is the hash of a state that is final but whose frame is not agreed yet.
type later struct {
	frame uint32 // the number of the state; 0: none
	hash  uint64
}

const (
	// keepState is how long an unused state is kept: for the next spectator, or for one that was interrupted.
	keepState = 10 * time.Second
	// maxStates is the maximum number of states kept.
	maxStates = 6
)

// clear drops all states.
func (h *heldStates) clear() {
	clear(h.list) // they may be large
	h.list, h.failed, h.retryAt = h.list[:0], nil, 0
}

// give notes that a spectator begins with a state.
func (s *heldState) give(newcomer bool) { s.proves = s.proves || newcomer }

// use notes that a state is being sent.
func (s *heldState) use(now time.Duration) { s.needed = now }

// hashLater hashes, for each state that a newcomer begins with, a state that comes soon after it and whose number
// is greater than after, so that it becomes a mark: otherwise the newcomer would have to wait for the next state
// that the match hashes to know whether its game reaches the same states.
func (h *heldStates) hashLater(after uint32) {
	for _, s := range h.list {
		if !s.proves || s.followed || s.later.frame != 0 {
			continue
		}
		if hash, frame, ok := h.match.Hash(max(after, s.frame)); ok {
			s.later = later{frame, hash}
		}
	}
}

// mark marks the next frame if it is the first with a hash after a state, and takes the chain for a state after it.
func (h *heldStates) mark(f *agreed.Frame) {
	h.hashLater(f.Number) // if frames are agreed as soon as they are final
	for _, s := range h.list {
		if s.later.frame == f.Number+1 && f.Mark.Hash == 0 {
			f.Mark.Hash = s.later.hash
		}
		switch {
		case s.frame == f.Number+1:
			s.mark = mark{s.frame, f.Mark.Chain}
		case s.frame <= f.Number && !s.followed && f.Mark.Hash != 0:
			s.followed, f.Marked = true, true
		}
	}
}

// stateFor returns a state that a spectator with this request may see: the one that it has received in part, or a
// new one. It returns nil if there is none.
func (h *heldStates) stateFor(r *request, newcomer bool, now time.Duration) *heldState {
	b := h.broadcast
	visible, hidden := b.visible(newcomer), b.hides(newcomer)
	for _, s := range h.list {
		if r.match == b.offer.Match && s.transfer == r.state && r.have > 0 && (!hidden || s.frame <= visible) {
			return s
		}
	}
	if hidden {
		return h.newest(visible)
	}
	s := h.newest(visible + b.spans.reuse)
	if s != nil && s.frame+b.spans.reuse >= visible && (!b.ended || s.frame <= b.end.Frames) {
		return s
	}
	if fresh := h.take(now); fresh != nil {
		return fresh
	}
	return s
}

// newest returns the newest state at or before frame f.
func (h *heldStates) newest(f uint32) (found *heldState) {
	for _, s := range h.list {
		if s.frame <= f {
			found = s
		}
	}
	return found
}

// take encodes the newest final state, and keeps it.
func (h *heldStates) take(now time.Duration) *heldState {
	if !h.match.Marshals() || now < h.retryAt || !h.makeRoom(now) {
		return nil
	}
	bytes, frame, err := h.match.Marshal(nil)
	if err == nil && len(bytes) > MaxState {
		err = fmt.Errorf("it has %d bytes, more than %d", len(bytes), MaxState)
	}
	if h.failed = err; err != nil || len(bytes) == 0 {
		h.retryAt = now + time.Second
		return nil
	}
	if frame < h.broadcast.log.First() {
		h.retryAt = now + h.period // a spectator cannot start there: we lack the frames that follow
		return nil
	}
	h.encoded++
	s := &heldState{transfer: transfer{frame, uint32(len(bytes)), canon.HashBytes(bytes)}, bytes: bytes, taken: now}
	s.mark, _ = h.broadcast.marks.recent.at(frame) // if that is agreed already
	if h.broadcast.delay == 0 {
		s.use(now)
	}
	h.list = append(h.list, s)
	h.packing.rest()
	return s
}

// makeRoom makes room for another state. If slow spectators hold too many, the oldest one is dropped, and the
// spectators that were receiving it start over; but not so often that none ever finishes. With a delay, the oldest
// is kept if it is the only one that spectators may see: the states taken for newcomers are too new for them.
func (h *heldStates) makeRoom(now time.Duration) bool {
	n, b := len(h.list), h.broadcast
	switch {
	case n < maxStates:
		return true
	case b.delay == 0 && now-h.list[n-1].taken < keepState:
		return false
	case b.delay > 0 && h.list[1].frame > b.visible(false):
		return false
	}
	h.list[0].revoked = true
	h.drop(h.list[0])
	return true
}

// update takes a state in advance if spectators see the match with a delay, and drops the states that are no longer
// needed.
func (h *heldStates) update(now time.Duration) {
	b := h.broadcast
	if b.offer == nil {
		return
	}
	if every := max(b.delay/2, agreed.BlockFrames); b.hides(false) {
		if n := len(h.list); n == 0 || b.log.Next() >= h.list[n-1].frame+every {
			h.take(now)
		}
	}
	visible := b.visible(false)
	kept := h.list[:0]
	for i, s := range h.list {
		superseded := b.delay == 0 || i+1 < len(h.list) && h.list[i+1].frame <= visible
		if !superseded || s.needed != 0 && now-s.needed < keepState {
			kept = append(kept, s)
		}
	}
	clear(h.list[len(kept):])
	h.list = kept
}

// drop removes a state.
func (h *heldStates) drop(s *heldState) {
	if i := slices.Index(h.list, s); i >= 0 {
		h.list = slices.Delete(h.list, i, i+1)
	}
}

// first returns the first frame that a spectator may need that begins now, or comes from another host.
func (h *heldStates) first() uint32 {
	first := h.broadcast.visible(false)
	for _, s := range h.list {
		first = min(first, s.frame)
	}
	return first - min(first, h.broadcast.spans.keep)
}
