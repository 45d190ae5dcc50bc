package spectate

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// partial is a state of which not all has come, or that waits for its frames.
type partial struct {
	transfer
	bytes []byte
}

// message takes what the host says. An error means that it does not follow the
// protocol.
func (v *Viewer) message(b []byte) error {
	kind, b := b[0], b[1:]
	switch kind {
	case messageBegin:
		return v.begin(b)
	case messageBye:
		v.lose(&ByeError{string(b[:min(len(b), maxText)])}, false)
		return nil
	}
	if v.match == 0 {
		return datagram.ErrKind
	}
	switch kind {
	case messageState:
		return v.state(b)
	case messageChunk:
		return v.chunk(b)
	case messageFrom:
		return v.from(b)
	case messageFrames:
		return v.frames(b)
	case messageEnd:
		return v.ended(b)
	}
	return datagram.ErrKind
}

// begin is a match, which may be the one that we know.
func (v *Viewer) begin(b []byte) error {
	var o datagram.Offer
	if err := o.Consume(b); err != nil {
		return err
	}
	switch {
	case o.Match == 0:
		return datagram.ErrRange
	case o.Match < v.match:
		return fmt.Errorf("it is behind: it plays match %d, and we know match %d", o.Match, v.match)
	}
	v.following = false
	if o.Match == v.match {
		return nil
	}
	o.Data = append([]byte(nil), o.Data...)
	v.match, v.next, v.marked, v.chain, v.over, v.live = o.Match, 0, 0, 0, false, 0
	v.partial = partial{}
	v.queue.push(Item{Begin: &o})
	return nil
}

func (v *Viewer) state(b []byte) error {
	if len(b) != transferSize+4 {
		return datagram.ErrShort
	}
	var t transfer
	t.consume(b)
	offset := le.Uint32(b[transferSize:])
	p := &v.partial
	if t != p.transfer || int(offset) != len(p.bytes) {
		if offset != 0 {
			return datagram.ErrRange
		}
		*p = partial{transfer: t}
	}
	switch {
	case t.size == 0 || uint64(t.size) > uint64(v.cfg.MaxState):
		return fmt.Errorf("its state has %d bytes, and we take 1 to %d", t.size, v.cfg.MaxState)
	case t.frame >= 1<<32-1:
		return datagram.ErrRange
	}
	v.following = false
	return nil
}

func (v *Viewer) chunk(b []byte) error {
	p := &v.partial
	if len(b) == 0 || len(b) > int(p.size)-len(p.bytes) {
		return datagram.ErrRange
	}
	p.bytes = append(p.bytes, b...)
	if len(p.bytes) == int(p.size) && canon.HashBytes(p.bytes) != p.digest {
		*p = partial{}
		return fmt.Errorf("%w: the state is not what was announced", datagram.ErrRange)
	}
	return nil
}

// from says where frames begin: at the state that has come, or where we are.
func (v *Viewer) from(b []byte) error {
	if len(b) != 4 {
		return datagram.ErrShort
	}
	start := le.Uint32(b)
	if p := &v.partial; p.size > 0 && len(p.bytes) == int(p.size) {
		if p.frame < v.next {
			return datagram.ErrRange // it would go back
		}
		v.queue.push(Item{State: p.bytes, Frame: p.frame})
		v.next = p.frame
		v.partial = partial{}
	}
	if start > v.next || v.next-start >= agreed.BlockFrames || start%agreed.BlockFrames != 0 {
		return datagram.ErrRange
	}
	v.at, v.following = start, true
	v.queue.push(Item{From: true, Frame: start})
	return nil
}

func (v *Viewer) frames(b []byte) error {
	if len(b) < framesHead {
		return datagram.ErrShort
	}
	live, count := le.Uint32(b), le.Uint16(b[4:])
	bytes := b[framesHead:]
	end := v.at + uint32(count)
	if !v.following || v.over || count == 0 || int(count) > len(bytes) || end < v.at || live < end {
		return datagram.ErrRange
	}
	v.queue.push(Item{Frames: append([]byte(nil), bytes...), Count: int(count)})
	v.at, v.live, v.search.failures = end, live, 0
	v.search.final[v.search.host] = false
	v.next = max(v.next, end)
	return nil
}

// ended is the end of the match.
func (v *Viewer) ended(b []byte) error {
	var e End
	if err := e.consume(b); err != nil {
		return err
	}
	if v.over {
		return nil // from the next host
	}
	if !v.following || e.Frames != v.at {
		return datagram.ErrRange
	}
	v.over, v.live = true, e.Frames
	v.queue.push(Item{End: &e})
	return nil
}

// Marked says which comparison was met last among the frames that were taken: another
// host has to know it.
func (v *Viewer) Marked(frame uint32, chain uint64) { v.marked, v.chain = frame, chain }
