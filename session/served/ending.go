package served

import "github.com/tickback/tickback/session"

// retell tells clients the last state again, once in a tick period, until they hold it: no other
// one follows that would make up for a loss.
func (h *Host) retell() {
	if h.phase != session.Ending || h.now < h.due {
		return
	}
	h.due = h.now + h.cfg.nominal()
	for _, c := range h.clients.list {
		if !c.view.any || c.view.newest < h.world.Frame() {
			c.updates = uint32(h.cfg.TickRate) // at once
			if h.teller.due(c) {
				h.teller.tell(c, h.now)
			}
		}
	}
}
