package spectate

import (
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

const (
	// backlog is how many bytes may wait in a spectator's stream: enough to fill its window.
	backlog = 96 << 10
	// liveBacklog is how many bytes may wait for a spectator that is up to date.
	liveBacklog = 4 << 10
)

// spans are durations in frames of the match.
type spans struct {
	together  uint32 // frames sent at a time, so that a spectator costs 20 datagrams a second
	piled     uint32 // the same while more is waiting than for a spectator that is up to date
	fresh     uint32 // within this many frames of the start of a match, frames are sent instead of a state
	farBehind uint32 // a spectator this far behind catches up at the shared rate
	ahead     uint32 // how far a spectator that comes from another host may be ahead of us
	reuse     uint32 // maximum age of a state that is sent to another spectator
	keep      uint32 // how many frames before the oldest state are kept, for spectators that come from another host
}

func spansOf(period time.Duration) spans {
	in := func(d time.Duration) uint32 { return uint32(max(d/period, 1)) }
	return spans{
		together: in(50 * time.Millisecond), piled: in(250 * time.Millisecond), fresh: in(2 * time.Second), farBehind: in(5 * time.Second),
		ahead: in(10 * time.Second), reuse: in(2 * time.Second), keep: in(30 * time.Second),
	}
}

// bulk reports whether a spectator is catching up.
func (a *Host) bulk(g *spectator) bool {
	return g.state != nil || g.placed && a.visibleTo(g) > g.next+a.spans.farBehind || g.pipe.Channel.Pending() > liveBacklog
}

// feed fills a spectator's stream while there is room.
func (a *Host) feed(g *spectator) {
	for !g.bye && g.pipe.Channel.Pending() < backlog {
		if !a.post(g) {
			return
		}
	}
}

// post queues one message on a spectator's stream, and reports whether there was one.
func (a *Host) post(g *spectator) bool {
	m := a.message[:0]
	switch {
	case !g.asked:
		if a.closing {
			return a.dismiss(g, a.reason)
		}
		return false
	case a.offer == nil || !g.begun && early(a, g):
		if a.closing {
			return a.dismiss(g, a.reason)
		}
		return false
	case !g.begun:
		g.begun = true
		m = a.offer.Append(append(m, messageBegin))
	case !g.placed && g.state == nil:
		var why string
		if m, why = a.place(g, m); why != "" {
			return a.dismiss(g, why)
		}
	case g.state != nil:
		m = a.chunk(g, m)
	default:
		return a.frames(g, m)
	}
	if len(m) == 0 {
		return false
	}
	return a.put(g, m)
}

// early reports whether it is too early to send a spectator the match: with a delay, spectators get the seed
// together with their first frame, since it determines what a game draws in the frames that they may not see yet.
func early(a *Host, g *spectator) bool {
	return a.cfg.Delay > 0 && !a.ended && !g.isNewcomer() && a.visible() == 0
}

// put queues a message on a spectator's stream.
func (a *Host) put(g *spectator, m []byte) bool {
	a.message = m
	if err := g.pipe.Channel.Send(m); err != nil {
		g.gone = err.Error()
		return false
	}
	return true
}

// dismiss tells a spectator why nothing more will come. It returns false.
func (a *Host) dismiss(g *spectator, why string) bool { return a.sendAway(g, messageBye, why) }

// sendAway does what dismiss does, with a message of the given kind.
func (a *Host) sendAway(g *spectator, kind byte, why string) bool {
	g.bye, g.why = true, why
	a.put(g, append(append(a.message[:0], kind), why...))
	return false
}

// place decides where a spectator begins: where it stopped before, at frame 0, or with a state. It returns the
// message, or why it must be dismissed.
func (a *Host) place(g *spectator, m []byte) (message []byte, why string) {
	r := &g.request
	if a.resumes(r) {
		if start, err := a.log.Start(r.next); err == nil {
			return a.from(g, m, start), ""
		} else if r.next > a.log.Next() {
			return nil, "" // wait until we have that frame as well
		}
	}
	if a.log.First() == 0 && (a.visibleTo(g) <= a.spans.fresh || !a.match.Marshals()) {
		return a.from(g, m, 0), ""
	}
	s := a.stateFor(g)
	switch {
	case s != nil:
		g.state, g.sent, s.proves = s, 0, s.proves || g.isNewcomer()
		if r.state == s.transfer && r.match == a.offer.Match {
			g.sent = int(r.have)
		}
		m = s.append(append(m, messageState))
		return le.AppendUint32(m, uint32(g.sent)), ""
	case a.log.First() == 0:
		return a.from(g, m, 0), ""
	case a.failed != nil:
		return nil, "its state cannot be sent: " + a.failed.Error()
	case a.match.Marshals():
		return nil, "" // a state will come
	}
	return nil, "the frames it needs are no longer held"
}

// resumes reports whether a spectator has seen the same match at another host.
func (a *Host) resumes(r *request) bool {
	if r.match != a.offer.Match || r.next > a.log.Next()+a.spans.ahead || r.marked > r.next {
		return false
	}
	chain, held := a.marks.at(r.marked) // at 0 nothing is held: it has seen hardly anything
	if m, is := a.marks.recent.at(r.marked); !held && is {
		chain, held = m.chain, true // it began with a state, and has met no comparison since
	}
	return held && chain == r.chain || !held && r.marked > a.log.Next()
}

// from begins with the frames from start on.
func (a *Host) from(g *spectator, m []byte, start uint32) []byte {
	g.placed, g.next = true, start
	return le.AppendUint32(append(m, messageFrom), start)
}

// chunk returns the next part of a state; after the last part, it returns where the frames begin.
func (a *Host) chunk(g *spectator, m []byte) []byte {
	s := g.state
	if g.sent < len(s.bytes) {
		if b, wait := a.packing.chunk(g, m); wait || len(b) > len(m) {
			return b
		}
		n := min(len(s.bytes)-g.sent, maxChunk-g.sent%pieceSize)
		m = append(append(m, messageChunk), s.bytes[g.sent:g.sent+n]...)
		g.sent += n
		return m
	}
	if a.ended && s.frame > a.end.Frames {
		g.state = nil // the match ended before this state; send another one
		a.drop(s)
		return nil
	}
	if a.visibleTo(g) < s.frame {
		if a.closing { // it never will be
			a.dismiss(g, a.reason)
		}
		return nil // the state is final, but its frame is not agreed yet
	}
	start, err := a.log.Start(s.frame)
	if err != nil {
		g.state = nil // the transfer took so long that the frames after the state are gone
		a.drop(s)
		return nil
	}
	g.state = nil
	if m = a.from(g, m, start); s.mark.frame != 0 {
		m = le.AppendUint64(m, s.mark.chain)
	}
	return m
}

// atATime returns the minimum number of frames per message to a spectator. A newcomer gets each frame at once. But
// while it receives them more slowly than they come, the window is small and counts messages, however short they
// are: then they have to be long, or it would never catch up.
func (s *spans) atATime(g *spectator) uint32 {
	switch {
	case g.pipe.Channel.Pending() > liveBacklog:
		return s.piled
	case g.isNewcomer():
		return 1
	}
	return s.together
}

// frames sends the next frames, or the end.
func (a *Host) frames(g *spectator, m []byte) bool {
	visible := a.visibleTo(g)
	if g.next >= visible {
		switch {
		case a.ended && !g.ended:
			g.ended = true
			return a.put(g, a.end.append(m, datagram.SetsOf(a.shape.Players)))
		case a.closing:
			return a.dismiss(g, a.reason)
		}
		return false
	}
	if !a.ended && !a.closing && visible-g.next < a.spans.atATime(g) {
		return false
	}
	bytes, next := a.log.Bytes(g.next, visible, maxFrames)
	if len(bytes) == 0 {
		return a.dismiss(g, "it is too slow: the frames it needs are no longer held")
	}
	m = le.AppendUint32(append(m, messageFrames), visible)
	m = le.AppendUint16(m, uint16(next-g.next))
	g.next = next
	return a.put(g, append(m, bytes...))
}
