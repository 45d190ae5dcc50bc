package served

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/event"
)

// takeBody handles a datagram from the address of a client.
func (h *Host) takeBody(c *client, at time.Duration, b []byte) {
	if c.budget.over(h.now, h.cfg.nominal()) {
		c.faults.Flooded++
		return
	}
	repeated := c.pipe.Counts.Duplicates
	ok, err := c.pipe.Receive(at, b)
	switch {
	case !ok:
		h.counts.rejected++
		if c.pipe.Counts.Duplicates > repeated {
			c.faults.Repeated++
		} else {
			c.faults.Forged++
		}
		return
	case err == nil && c.pipe.Streamed:
		err = h.messages(c)
	}
	if err == nil && c.pipe.Body != nil && c.plays {
		err = h.inbox.inputs(c, at, c.pipe.Body)
	}
	c.budget.spend(h.now, h.cfg.nominal())
	switch {
	case err != nil:
		h.counts.broken++
		h.remove(c, event.Lost, "it does not follow the protocol: "+err.Error())
	case c.pipe.Asked():
		c.send(h.now, nil)
	}
}

// messages handles a client's messages.
func (h *Host) messages(c *client) error {
	if c.gone != "" {
		return nil
	}
	asked := c.stateReply.asked
	leaves, err := h.inbox.messages(c)
	if c.stateReply.asked && !asked {
		h.events.Add(Event{What: event.Desync, Players: rollback.SetOf(c.player), Frame: c.stateReply.of})
	}
	if leaves {
		if !c.bye {
			h.remove(c, event.Left, "it has left")
		}
		c.send(h.now, nil) // so that it can stop sending
		c.gone = "it has left"
	}
	return err
}
