package spectate

import (
	"bytes"
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/session/bulk"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// received is what has come of a match, from any host: it checks what a host sends, and queues it in order.
type received struct {
	maxState  int
	match     uint32          // the current match, or 0
	offer     *datagram.Offer // its offer, if that has come
	next      uint32          // the frame expected next
	live      uint32          // how many frames are agreed, as far as is known
	over      bool            // whether the match has ended
	host      int             // index of the host that sends
	at        uint32          // the frame that it sends next
	following bool            // whether it has announced where its frames begin
	trust     trust
	partial   partial
	queue     queue
}

// partial is a state that has arrived in part, or that waits for its frames.
type partial struct {
	transfer
	bulk.Receiver
	here bool // the current host has announced it, and will say when its frame is agreed
}

// connect starts to receive from a host.
func (r *received) connect(host int) { r.host, r.following, r.partial.here = host, false, false }

// request returns what to ask a host for: everything, or what has not come yet.
func (r *received) request() request {
	p := &r.partial
	return request{r.match, r.next, r.trust.marked, r.trust.chain, p.transfer, uint32(len(p.Bytes()))}
}

// discard discards everything that has not been taken. The next host has to continue this match at this frame; match
// 0 means from the start of any match.
func (r *received) discard(match, next uint32) {
	r.queue = queue{source: r.queue.source}
	r.match, r.next, r.over, r.partial, r.following = match, next, false, partial{}, false
	if match == 0 {
		r.trust = trust{}
	}
	if r.offer != nil && r.offer.Match != match {
		r.offer = nil
	}
}

// discardFrom discards what has come if it depends on a host that is at fault, unless the whole match was taken.
func (r *received) discardFrom(host int) {
	if r.trust.dependsOn(host) && !(r.over && r.queue.front() == nil) {
		r.discard(0, 0)
		r.trust.reset()
	}
}

// message handles a message of a match. An error means that the host violates the protocol. fed reports whether it
// had frames.
func (r *received) message(kind byte, b []byte, sets datagram.Sets) (fed bool, err error) {
	switch {
	case r.match == 0:
		return false, datagram.ErrKind
	case r.over:
		return false, nil // the next host shows the match that we have seen to its end
	}
	switch kind {
	case messageState:
		return false, r.state(b)
	case messageChunk, messagePacked:
		return false, r.partial.add(b, kind == messagePacked)
	case messageFrom:
		return false, r.from(b)
	case messageFrames:
		err = r.frames(b)
		return err == nil, err
	case messageEnd:
		return false, r.ended(b, sets)
	}
	return false, datagram.ErrKind
}

// begin handles the announcement of a match, which may be the one that we know. A restarted host may play another
// match with the same parameters: without a comparison nothing shows which one it is.
func (r *received) begin(o *datagram.Offer, restarted bool) {
	r.following = false
	another := restarted && r.trust.marked == 0
	if r.match != 0 && r.offer != nil && sameOffer(r.offer, o) && !another {
		return
	}
	o.Data = append([]byte(nil), o.Data...)
	r.restart(o)
}

// restart starts a match at frame 0.
func (r *received) restart(o *datagram.Offer) {
	r.offer = o
	r.match, r.next, r.over, r.live, r.partial = o.Match, 0, false, 0, partial{}
	r.trust.compared(0, 0)
	r.push(Item{Begin: o})
}

func sameOffer(a, b *datagram.Offer) bool {
	return a.Match == b.Match && a.State == b.State && a.Seed == b.Seed && a.Frames == b.Frames &&
		a.Content == b.Content && bytes.Equal(a.Data, b.Data)
}

// push queues an item from the current host.
func (r *received) push(i Item) {
	i.host = r.host
	r.trust.noteItem(&i)
	r.queue.push(i)
}

func (r *received) state(b []byte) error {
	if len(b) != transferSize+4 {
		return datagram.ErrShort
	}
	var t transfer
	t.consume(b)
	p := &r.partial
	if t != p.transfer || t.size == 0 {
		*p = partial{}
		if err := p.Begin(int(t.size), r.maxState); err != nil {
			return err
		}
	}
	if t.frame == 1<<32-1 || p.Rewind(int(le.Uint32(b[transferSize:]))) != nil {
		if p.transfer != t {
			*p = partial{}
		}
		return datagram.ErrRange
	}
	p.transfer, p.here = t, true
	r.following = false
	return nil
}

// add adds the next bytes.
func (p *partial) add(b []byte, packed bool) (err error) {
	if packed {
		err = p.AddPacked(b)
	} else {
		err = p.Add(b)
	}
	if err == nil && p.Whole() && canon.HashBytes(p.Bytes()) != p.digest {
		*p = partial{}
		return fmt.Errorf("%w: the state does not have the announced digest", datagram.ErrRange)
	}
	return err
}

// from handles the message that says where frames begin: at the state that has arrived, which may be before what
// another host has sent; at frame 0 again; or where we are.
func (r *received) from(b []byte) error {
	if len(b) != 4 && len(b) != 12 {
		return datagram.ErrShort
	}
	start, chain, chained := le.Uint32(b), uint64(0), len(b) > 4
	if chained {
		chain = le.Uint64(b[4:])
	}
	// A spectator that has received no comparison yet cannot prove which match it has seen. It is sent again what
	// it knows, and skips that. After a comparison, it is another match.
	again := r.trust.marked == 0 && r.next > 0
	p := &r.partial
	whole := p.here && p.Whole()
	switch {
	case chained && !whole:
		return datagram.ErrRange
	case whole && start <= p.frame && p.frame-start < agreed.BlockFrames:
		if !again || p.frame >= r.next {
			r.push(Item{State: p.Bytes(), Frame: p.frame, Chain: chain, Chained: chained})
			r.next = p.frame
		}
	case start == 0 && r.next >= agreed.BlockFrames && r.offer != nil && !again:
		r.restart(r.offer)
	}
	// If this host does not use the partial state from another host, that state is useless now.
	r.partial = partial{}
	if start > r.next || r.next-start >= agreed.BlockFrames && !again || start%agreed.BlockFrames != 0 {
		return datagram.ErrRange
	}
	r.at, r.following = start, true
	r.push(Item{From: true, Frame: start})
	return nil
}

func (r *received) frames(b []byte) error {
	if len(b) < framesHead {
		return datagram.ErrShort
	}
	live, count := le.Uint32(b), le.Uint16(b[4:])
	list := b[framesHead:]
	end := r.at + uint32(count)
	if !r.following || count == 0 || int(count) > len(list) || end < r.at || live < end {
		return datagram.ErrRange
	}
	r.push(Item{Frames: r.queue.copy(list), Count: int(count)})
	r.at, r.live, r.next = end, live, max(r.next, end)
	return nil
}

// ended handles the end of the match.
func (r *received) ended(b []byte, sets datagram.Sets) error {
	var e End
	if err := e.consume(b, sets); err != nil {
		return err
	}
	if !r.following || e.Frames != r.at {
		return datagram.ErrRange
	}
	r.over, r.live = true, e.Frames
	r.push(Item{End: &e})
	return nil
}
