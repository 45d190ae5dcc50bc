package spectate

import (
	"bytes"
	"fmt"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/internal/pieces"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// partial is a state that has arrived in part, or that waits for its frames.
type partial struct {
	transfer
	bytes []byte
	here  bool // the current host has announced it, and will say when its frame is agreed
	pieces.Unpacker
}

// message handles a message from the host. An error means that the host violates the protocol.
func (v *Follower) message(b []byte) error {
	kind, b := b[0], b[1:]
	switch kind {
	case messageBegin:
		return v.begin(b)
	case messageBye:
		v.lose(&ByeError{string(b[:min(len(b), maxText)])}, false)
		return nil
	case messageRevoked, messageUninvited:
		errUninvited(v, b, kind == messageRevoked)
		return nil
	case messageRoll:
		return v.receiveMemberList(b)
	}
	switch {
	case v.match == 0:
		return datagram.ErrKind
	case v.over:
		return nil // the next host shows the match that we have seen to its end
	}
	switch kind {
	case messageState:
		return v.state(b)
	case messageChunk, messagePacked:
		return v.chunk(b, kind == messagePacked)
	case messageFrom:
		return v.from(b)
	case messageFrames:
		return v.frames(b)
	case messageEnd:
		return v.ended(b)
	}
	return datagram.ErrKind
}

// begin handles the announcement of a match, which may be the one that we know.
func (v *Follower) begin(b []byte) error {
	var o datagram.Offer
	if err := o.Consume(b); err != nil {
		return err
	}
	switch {
	case o.Match == 0:
		return datagram.ErrRange
	case v.behind(o.Match):
		return fmt.Errorf("%w: it plays match %d, and we know match %d", errBehind, o.Match, v.match)
	}
	v.following = false
	// A restarted host may play another match with the same parameters: without a comparison nothing shows which
	// one it is.
	another := v.search.forgetful(v.search.host) && v.trust.marked == 0
	if v.match != 0 && v.offer != nil && sameOffer(v.offer, &o) && !another {
		return nil
	}
	o.Data = append([]byte(nil), o.Data...)
	v.restart(&o)
	return nil
}

// restart starts a match at frame 0.
func (v *Follower) restart(o *datagram.Offer) {
	v.offer = o
	v.match, v.next, v.trust.marked, v.trust.chain, v.over, v.live = o.Match, 0, 0, 0, false, 0
	v.partial = partial{}
	v.push(Item{Begin: o})
}

func sameOffer(a, b *datagram.Offer) bool {
	return a.Match == b.Match && a.State == b.State && a.Seed == b.Seed && a.Frames == b.Frames &&
		a.Content == b.Content && bytes.Equal(a.Data, b.Data)
}

// believeAfter is how long a host may lag behind the others because it has not noticed the end of a match. After
// that we assume that the host that announced a later match was wrong.
const believeAfter = 5 * time.Second

// behind reports whether the host plays an earlier match than the one that we know, and should be asked again
// later.
func (v *Follower) behind(match uint32) bool {
	since := &v.search.behind[v.search.host]
	if match >= v.match || len(v.cfg.Hosts) == 1 && v.search.forgetful(0) { // no other host knows the later one
		*since = 0
		return false
	}
	if *since == 0 {
		*since = v.now
	}
	return v.now-*since < believeAfter
}

// push queues an item from the current host.
func (v *Follower) push(i Item) {
	i.host = v.search.host
	v.trust.noteItem(&i)
	v.queue.push(i)
}

func (v *Follower) state(b []byte) error {
	if len(b) != transferSize+4 {
		return datagram.ErrShort
	}
	var t transfer
	t.consume(b)
	offset := le.Uint32(b[transferSize:])
	p := &v.partial
	if t != p.transfer {
		*p = partial{}
	}
	switch {
	case t.size == 0 || uint64(t.size) > uint64(v.cfg.MaxState):
		return fmt.Errorf("its state has %d bytes, and we take 1 to %d", t.size, v.cfg.MaxState)
	case t.frame >= 1<<32-1 || uint64(offset) > uint64(len(p.bytes)):
		return datagram.ErrRange
	}
	p.transfer, p.bytes, p.here = t, p.bytes[:offset], true
	v.following = false
	return nil
}

func (v *Follower) chunk(b []byte, packed bool) (err error) {
	p := &v.partial
	left := int(p.size) - len(p.bytes)
	switch {
	case len(b) == 0 || left == 0 || len(b) > left && !packed:
		return datagram.ErrRange
	case !packed:
		p.bytes = append(p.bytes, b...)
	default:
		if p.bytes, err = p.Unpack(p.bytes, b, left); err != nil {
			return fmt.Errorf("%w: %w", datagram.ErrRange, err)
		}
	}
	if len(p.bytes) == int(p.size) && canon.HashBytes(p.bytes) != p.digest {
		*p = partial{}
		return fmt.Errorf("%w: the state does not have the announced digest", datagram.ErrRange)
	}
	return nil
}

// from handles the message that says where frames begin: at the state that has arrived, which may be before what
// another host has sent; at frame 0 again; or where we are.
func (v *Follower) from(b []byte) error {
	if len(b) != 4 && len(b) != 12 {
		return datagram.ErrShort
	}
	start, chain, chained := le.Uint32(b), uint64(0), len(b) > 4
	if chained {
		chain = le.Uint64(b[4:])
	}
	// A spectator that has received no comparison yet cannot prove which match it has seen. It is sent again what
	// it knows, and skips that. After a comparison, it is another match.
	again := v.trust.marked == 0 && v.next > 0
	p := &v.partial
	whole := p.here && len(p.bytes) == int(p.size)
	switch {
	case chained && !whole:
		return datagram.ErrRange
	case whole && start <= p.frame && p.frame-start < agreed.BlockFrames:
		if !again || p.frame >= v.next {
			v.push(Item{State: p.bytes, Frame: p.frame, Chain: chain, Chained: chained})
			v.next = p.frame
		}
	case start == 0 && v.next >= agreed.BlockFrames && v.offer != nil && !again:
		v.restart(v.offer)
	}
	// If this host does not use the partial state from another host, that state is useless now.
	v.partial = partial{}
	if start > v.next || v.next-start >= agreed.BlockFrames && !again || start%agreed.BlockFrames != 0 {
		return datagram.ErrRange
	}
	v.at, v.following = start, true
	v.push(Item{From: true, Frame: start})
	return nil
}

func (v *Follower) frames(b []byte) error {
	if len(b) < framesHead {
		return datagram.ErrShort
	}
	live, count := le.Uint32(b), le.Uint16(b[4:])
	list := b[framesHead:]
	end := v.at + uint32(count)
	if !v.following || count == 0 || int(count) > len(list) || end < v.at || live < end {
		return datagram.ErrRange
	}
	v.push(Item{Frames: v.queue.copy(list), Count: int(count)})
	v.at, v.live, v.search.failures = end, live, 0
	v.search.final[v.search.host] = false
	if v.search.forgetful(v.search.host) {
		v.search.reasons[v.search.host] = nil
	}
	v.next = max(v.next, end)
	return nil
}

// ended handles the end of the match.
func (v *Follower) ended(b []byte) error {
	var e End
	if err := e.consume(b, v.search.sets); err != nil {
		return err
	}
	if !v.following || e.Frames != v.at {
		return datagram.ErrRange
	}
	v.over, v.live = true, e.Frames
	v.push(Item{End: &e})
	return nil
}
