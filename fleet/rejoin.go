package fleet

import (
	"fmt"

	"github.com/tickback/tickback/session"
)

// Rejoin switches a peer on anew, as a machine that knows nothing of what it did before:
// a session that joins the match. change makes its configuration one with a Join; what
// else there is of it is that of the setup. [Fleet.Move] gives it another address.
func (f *Fleet[S, I]) Rejoin(peer int, change func(c *session.Config)) error {
	p := f.Peers[peer]
	p.lives++
	s, err := newSession(&f.setup, p, change)
	if err != nil {
		return fmt.Errorf("peer %d: %w", peer, err)
	}
	p.Session, p.Down, p.hung, p.stopped, p.socket = s, false, false, false, nil
	p.late, p.wake = f.Now, f.Now
	return nil
}
