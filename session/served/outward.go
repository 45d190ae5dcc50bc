package served

import "time"

// post queues a message on a client's control stream.
func (c *client) post(m []byte) {
	if err := c.pipe.Channel.Send(m); err != nil {
		c.gone = err.Error()
	}
}

// send sends a datagram with this body, or without one if it is nil.
func (c *client) send(now time.Duration, body []byte) {
	if c.out.Full() {
		return
	}
	b := c.out.Bytes
	if body == nil {
		b = c.pipe.Append(b, now)
	} else {
		b = c.pipe.AppendBody(b, now, body)
	}
	c.out.Seal(b, c.pipe.Addr)
}

const (
	// backlog is how many bytes of a whole state may wait in a client's stream.
	backlog = 64 << 10
	// maxServed is the maximum number of datagrams without an update that are sent to a client at a time.
	maxServed = 8
)

// serve sends a client what is waiting for it, except updates.
func (c *client) serve(now time.Duration) {
	for c.gone == "" && c.pipe.Channel.Pending() < backlog {
		m := c.message()
		if m == nil {
			break
		}
		c.post(m)
	}
	if c.pipe.ProbeDue(now) && !c.out.Full() {
		c.out.Seal(c.pipe.AppendProbe(c.out.Bytes, now), c.pipe.Addr)
	}
	for range maxServed {
		if c.gone != "" || c.out.Full() || c.pipe.Due(now) > now {
			return
		}
		c.send(now, nil)
	}
}

// message returns the next message waiting for a client, or nil: the chunks of a whole state, and then, once the
// client holds one and so plays on, the parts of the state that it has requested.
func (c *client) message() []byte {
	if chunk := c.fullStates.left.Next(); chunk != nil {
		return append([]byte{messageChunk}, chunk...)
	}
	if !c.view.any || !c.view.plain {
		return nil
	}
	return c.stateReply.next()
}

// dismiss tells a client why nothing more comes; the client is removed once it has acknowledged that.
func (c *client) dismiss(now time.Duration, why string) {
	c.bye, c.gone = true, ""
	c.post(append([]byte{messageBye}, why[:min(len(why), maxText)]...))
	c.send(now, nil)
}
