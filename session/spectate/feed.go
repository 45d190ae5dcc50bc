package spectate

import (
	"time"

	"github.com/tickback/tickback/session/bulk"
	"github.com/tickback/tickback/wire/datagram"
)

const (
	// backlog is how many bytes may wait in a spectator's stream: enough to fill its window.
	backlog = 96 << 10
	// liveBacklog is how many bytes may wait for a spectator that is up to date.
	liveBacklog = 4 << 10
)

// feed decides what a spectator is sent next: the match, a state or where its frames begin, the frames, the end, and
// why nothing more will come.
type feed struct {
	newcomer bool
	asked    bool // its request has come
	request  request
	begun    bool        // it has been sent the match
	state    *heldState  // the state being sent to it, or nil; see sending
	left     bulk.Sender // what is left of it
	placed   bool        // it is being sent frames
	next     uint32      // the next frame to send
	ended    bool        // it has been sent the end of the match
	bye      bool        // it has been dismissed
	why      string      // the reason sent to it
}

// forget resets what a spectator has received of a match, for the next one.
func (f *feed) forget() { *f = feed{newcomer: f.newcomer, asked: f.asked, bye: f.bye, why: f.why} }

// ask handles the request.
func (f *feed) ask(b []byte) error {
	f.asked = true
	return f.request.consume(b)
}

// sending returns the state that is being sent, or nil.
func (f *feed) sending() *heldState {
	if f.state != nil && f.state.revoked {
		f.state = nil
	}
	return f.state
}

// bulk reports whether a spectator is catching up. pending is how many bytes wait in its stream.
func (f *feed) bulk(b *broadcast, pending int) bool {
	return f.sending() != nil || f.placed && b.visible(f.newcomer) > f.next+b.spans.farBehind || pending > liveBacklog
}

// message appends the next message, or nothing if there is none now. pending is how many bytes wait in the
// spectator's stream.
func (f *feed) message(m []byte, pending int, states *heldStates, now time.Duration) []byte {
	b := states.broadcast
	switch {
	case f.bye:
		return m
	case !f.asked, b.offer == nil, !f.begun && f.early(b):
		return f.atEnd(m, b)
	case !f.begun:
		f.begun = true
		return b.offer.Append(append(m, messageBegin))
	case f.sending() != nil:
		return f.chunk(m, states)
	case !f.placed:
		return f.place(m, states, now)
	}
	return f.frames(m, pending, b)
}

// early reports whether it is too early to send a spectator the match: with a delay, spectators get the seed
// together with their first frame, since it determines what a game draws in the frames that they may not see yet.
func (f *feed) early(b *broadcast) bool { return b.hides(f.newcomer) && b.visible(f.newcomer) == 0 }

// atEnd dismisses a spectator that has been sent everything if nothing follows.
func (f *feed) atEnd(m []byte, b *broadcast) []byte {
	if b.closed {
		return f.dismiss(m, messageBye, b.reason)
	}
	return m
}

// dismiss appends the message that says why nothing more will come.
func (f *feed) dismiss(m []byte, kind byte, why string) []byte {
	f.bye, f.why = true, why
	return append(append(m, kind), why...)
}

// place decides where a spectator begins: where it stopped before, at frame 0, or with a state.
func (f *feed) place(m []byte, states *heldStates, now time.Duration) []byte {
	r, b := &f.request, states.broadcast
	if b.resumes(r) {
		if start, err := b.log.Start(r.next); err == nil {
			return f.from(m, start)
		} else if r.next > b.log.Next() {
			return m // wait until we have that frame as well
		}
	}
	marshals := states.match.Marshals()
	if b.fresh(f.newcomer) || b.log.First() == 0 && !marshals {
		return f.from(m, 0)
	}
	s := states.stateFor(r, f.newcomer, now)
	switch {
	case s != nil:
		s.give(f.newcomer)
		have := uint32(0)
		if r.state == s.transfer && r.match == b.offer.Match {
			have = r.have
		}
		f.state = s
		f.left.Begin(s.bytes, int(have))
		return le.AppendUint32(s.append(append(m, messageState)), have)
	case b.log.First() == 0:
		return f.from(m, 0)
	case states.failed != nil:
		return f.dismiss(m, messageBye, "its state cannot be sent: "+states.failed.Error())
	case marshals:
		return m // a state will come
	}
	return f.dismiss(m, messageBye, "the frames it needs are no longer held")
}

// ahead returns the state that a spectator needs, or will need when its request comes.
func (f *feed) ahead(states *heldStates, now time.Duration) *heldState {
	s, b := f.sending(), states.broadcast
	if s == nil && f.newcomer && !f.asked && b.offer != nil && states.match.Marshals() && !b.fresh(true) {
		return states.stateFor(&f.request, true, now)
	}
	return s
}

// from begins to send the frames from start on.
func (f *feed) from(m []byte, start uint32) []byte {
	f.placed, f.next, f.state = true, start, nil
	return le.AppendUint32(append(m, messageFrom), start)
}

// chunk appends the next part of a state; after the last part, it appends where the frames begin.
func (f *feed) chunk(m []byte, states *heldStates) []byte {
	s, b := f.state, states.broadcast
	if !f.left.Done() {
		return f.part(m, s, &states.packing)
	}
	if !(b.ended && s.frame > b.end.Frames) { // else the match ended before this state
		if b.visible(f.newcomer) < s.frame {
			return f.atEnd(m, b) // the state is final, but its frame is not agreed yet
		}
		if start, err := b.log.Start(s.frame); err == nil {
			if m = f.from(m, start); s.mark.frame != 0 {
				m = le.AppendUint64(m, s.mark.chain)
			}
			return m
		}
		// The transfer took so long that the frames after the state are gone.
	}
	f.state = nil // send another one
	states.drop(s)
	return m
}

// part appends the next bytes of a state, or nothing if they have to be compressed first.
func (f *feed) part(m []byte, s *heldState, packing *packing) []byte {
	if n, ok := f.left.Piece(); ok && len(s.bytes) >= packFrom {
		switch b := packing.piece(s, n); {
		case b == nil:
			return m
		case len(b) > 0:
			f.left.Next()
			return append(append(m, messagePacked), b...)
		}
	}
	return append(append(m, messageChunk), f.left.Next()...)
}

// atATime returns the minimum number of frames per message. A newcomer gets each frame at once. But while it
// receives them more slowly than they come, the window is small and counts messages, however short they are: then
// they have to be long, or it would never catch up.
func (f *feed) atATime(s *spans, pending int) uint32 {
	switch {
	case pending > liveBacklog:
		return s.piled
	case f.newcomer:
		return 1
	}
	return s.together
}

// frames appends the next frames, or the end.
func (f *feed) frames(m []byte, pending int, b *broadcast) []byte {
	visible := b.visible(f.newcomer)
	switch {
	case f.next < visible:
	case b.ended && !f.ended:
		f.ended = true
		return b.end.append(m, datagram.SetsOf(b.shape.Players))
	default:
		return f.atEnd(m, b)
	}
	if !b.ended && !b.closed && visible-f.next < f.atATime(&b.spans, pending) {
		return m
	}
	bytes, next := b.log.Bytes(f.next, visible, maxFrames)
	if len(bytes) == 0 {
		return f.dismiss(m, messageBye, "it is too slow: the frames it needs are no longer held")
	}
	m = le.AppendUint32(append(m, messageFrames), visible)
	m = le.AppendUint16(m, uint16(next-f.next))
	f.next = next
	return append(m, bytes...)
}
