package served

import (
	"time"

	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/wire/datagram"
)

// hear takes a datagram from the address of a client.
func (h *Host) hear(c *client, at time.Duration, b []byte) {
	ok, err := c.pipe.Receive(at, b)
	switch {
	case !ok:
		h.counts.rejected++
		return
	case err == nil:
		err = h.messages(c)
	}
	if err == nil && c.pipe.Body != nil && c.plays {
		err = h.inputs(c, at, c.pipe.Body)
	}
	if err != nil {
		h.remove(c, event.Lost, "it does not follow the protocol: "+err.Error())
		return
	}
	if c.pipe.Asked() {
		h.send(c, nil)
	}
}

// messages takes a client's messages.
func (h *Host) messages(c *client) error {
	for c.gone == "" {
		b, ok := c.pipe.Channel.Next()
		if !ok {
			return nil
		}
		switch kind := b[0]; kind {
		case messageBye:
			if !c.bye {
				h.remove(c, event.Left, "it has left")
			}
			h.send(c, nil) // so that it knows
			c.gone = "it has left"
		case messageOrders:
			f, orders, err := consumeOrders(b[1:], h.cfg.MaxOrders)
			if err != nil {
				return err
			}
			if c.plays && len(c.orders) < maxOrders && f <= h.sequencer.Next()+maxAhead {
				c.orders = append(c.orders, order{f, append([]byte(nil), orders...)})
			}
		default:
			return datagram.ErrKind
		}
	}
	return nil
}

// longLost is how many inputs are new in one datagram only if the path was cut. No lead helps against
// that, so all of them but the last one say nothing about the way.
const longLost = 8

// inputs takes the body of a datagram: what the client holds, and its inputs.
func (h *Host) inputs(c *client, at time.Duration, b []byte) error {
	var u upward
	next := h.sequencer.Next()
	if err := u.consume(b, uint32(next)); err != nil {
		return err
	}
	if u.plain && !c.view.plain {
		c.view = view{plain: true} // it has forgotten what it held
	}
	if u.any && u.plain == c.view.plain && Frame(u.state) <= h.world.Frame() && (!c.view.any || Frame(u.state) > c.view.newest) {
		c.view.any, c.view.newest = true, Frame(u.state)
	}
	if u.count == 0 || h.world.InputSize() == 0 {
		return nil
	}
	first := u.next - u.count
	if !c.began {
		if Frame(u.next) > next+maxAhead || Frame(first) < c.from {
			return nil
		}
		c.inputs.Start(h.world.InputSize(), first, nil)
		c.began = true
	}
	fresh, err := c.inputs.ConsumeBlock(u.block, first, int(u.count))
	if err != nil {
		return err
	}
	end := c.inputs.Next()
	for f := end - uint32(fresh); f != end; f++ {
		add := h.sequencer.Add
		if fresh > longLost && f+1 != end {
			add = h.sequencer.AddLost
		}
		add(c.player, Frame(f), c.inputs.At(f), at)
	}
	return nil
}

// backlog is how many bytes of a whole state wait in a client's stream.
const backlog = 64 << 10

// serve sends a client what waits for it, but no update.
func (h *Host) serve(c *client) {
	for c.state != nil && c.pipe.Channel.Pending() < backlog {
		n := min(len(c.state)-c.sent, maxChunk)
		h.post(c, append([]byte{messageChunk}, c.state[c.sent:c.sent+n]...))
		if c.sent += n; c.sent == len(c.state) {
			c.state = nil
		}
	}
	if c.pipe.ProbeDue(h.now) && !h.out.Full() {
		h.out.Seal(c.pipe.AppendProbe(h.out.Bytes, h.now), c.pipe.Addr)
	}
	for range maxServed {
		if c.gone != "" || h.out.Full() || c.pipe.Due(h.now) > h.now {
			return
		}
		h.send(c, nil)
	}
}

// maxServed is how many datagrams a client gets at a time without an update.
const maxServed = 8

// tell sends a client what it may know of the state after the tick that has run.
func (h *Host) tell(c *client) {
	if c.gone != "" || c.bye || !c.plays {
		return
	}
	if c.updates++; c.updates*uint32(h.cfg.States) < uint32(h.cfg.TickRate) {
		return
	}
	c.updates = 0
	d := downward{next: uint32(h.sequencer.Next()), any: c.began, margins: c.margins[:0]}
	if c.began {
		d.taken = c.inputs.Next()
	}
	for len(d.margins) < downMargins {
		m, ok := h.sequencer.TakeMargin(c.player)
		if !ok {
			break
		}
		d.margins = append(d.margins, m)
	}
	c.margins = d.margins
	update := c.view.any
	d.update = nothing[:0]
	if !update {
		d.update = nil
	}
	b := d.append(h.body[:0])
	head := len(b)
	if update {
		told, ok := h.world.update(b, c.player, &c.view, c.pipe.Room()-head)
		if ok {
			b = told
		} else {
			b, update = b[:head], false
			b[0] &^= downUpdate
		}
	}
	if !update {
		h.offerWhole(c)
	}
	h.body = b
	h.send(c, b)
}

var nothing [1]byte

// offerWhole begins to send a client the newest state as a whole, unless one is on its way, or has
// come so lately that the client may not have said so. A client that is silent gets none: it would be
// old when it comes.
func (h *Host) offerWhole(c *client) {
	if c.silentFor(h.now) > max(time.Second, 4*h.cfg.nominal()) {
		return
	}
	if c.state != nil || c.whole && (c.pipe.Channel.Pending() > 0 || h.now < c.wholeAt+max(c.pipe.Timeout(), wholeEvery)) {
		return
	}
	f := h.world.Frame()
	if c.state, c.sent = h.world.whole(nil, c.player), 0; len(c.state) == 0 {
		c.state = nil
		return
	}
	c.whole, c.wholeAt = true, h.now
	h.post(c, appendState(nil, f, len(c.state)))
	h.serve(c)
}

// wholeEvery is how far apart whole states begin at least.
const wholeEvery = 250 * time.Millisecond

// post puts a message into a client's stream.
func (h *Host) post(c *client, m []byte) {
	if err := c.pipe.Channel.Send(m); err != nil {
		c.gone = err.Error()
	}
}

// send sends a datagram with this body, or without one.
func (h *Host) send(c *client, body []byte) {
	if h.out.Full() {
		return
	}
	b := h.out.Bytes
	if body == nil {
		b = c.pipe.Append(b, h.now)
	} else {
		b = c.pipe.AppendBody(b, h.now, body)
	}
	h.out.Seal(b, c.pipe.Addr)
}
