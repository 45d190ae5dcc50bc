package fleet

import (
	"fmt"

	"github.com/tickback/tickback/session"
)

// Rejoin switches a peer on again, as a machine without any memory. change, if given, adds a Join to its configuration,
// which is otherwise that of the setup. Use [Fleet.Move] to give it another address.
func (f *Fleet[S, I]) Rejoin(peer int, change func(c *session.Config)) error {
	p := f.Peers[peer]
	p.lives++
	if err := p.switchOn(&f.setup, change); err != nil {
		return fmt.Errorf("peer %d: %w", peer, err)
	}
	p.Down, p.hung, p.stopped, p.socket = false, false, false, nil
	p.clock.Late, p.wake = f.Now, f.Now
	return nil
}
