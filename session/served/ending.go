package served

import (
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/stream"
)

// ending is how the match ended, and whether the server leaves.
type ending struct {
	outcome  stream.Outcome
	finished bool
	leaves   bool // leave as soon as all clients have the outcome
	reason   string
}

// conclude ends the server when it has stayed long enough after the match, or after Leave when all clients have the
// outcome.
func conclude(h *Host) {
	if h.phase != session.Ending {
		return
	}
	ended := h.since
	switch late := h.now >= ended+h.cfg.Linger; {
	case h.leaves && (late || h.clients.told(h.world.Frame())):
		h.leave(session.ErrClosed, h.reason)
		h.since = ended // Linger counts from the end of the match
	case late:
		h.over(ErrEnd)
	}
}

// told reports whether every client has the last state and the outcome.
func (c *clients) told(last Frame) bool {
	for _, one := range c.list {
		if !one.view.any || one.view.newest < last || one.pipe.Channel.Pending() > 0 {
			return false
		}
	}
	return true
}

// retell sends clients the last state and the outcome again, once per tick period, until they have both: nothing
// follows that would make up for a loss, and the server does not stay for long.
func (h *Host) retell() {
	if h.phase != session.Ending || h.now < h.due {
		return
	}
	h.due = h.now + h.cfg.nominal()
	for _, c := range h.clients.list {
		c.unsentNews.ticks = uint32(h.cfg.TickRate) // at once
		switch {
		case !h.updater.due(c):
		case !c.view.any || c.view.newest < h.world.Frame():
			h.updater.tell(c, h.now)
		case c.pipe.Channel.Pending() > 0:
			c.send(h.now, nil)
		}
	}
}
