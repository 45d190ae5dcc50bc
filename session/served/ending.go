package served

import "github.com/tickback/tickback/session"

// retell tells clients the last state and the outcome again, once in a tick period, until they have both:
// nothing else follows that would make up for a loss, and the server does not stay for long.
func (h *Host) retell() {
	if h.phase != session.Ending || h.now < h.due {
		return
	}
	h.due = h.now + h.cfg.nominal()
	for _, c := range h.clients.list {
		c.untold.ticks = uint32(h.cfg.TickRate) // at once
		switch {
		case !h.teller.due(c):
		case !c.view.any || c.view.newest < h.world.Frame():
			h.teller.tell(c, h.now)
		case c.pipe.Channel.Pending() > 0:
			c.send(h.now, nil)
		}
	}
}
