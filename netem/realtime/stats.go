package realtime

import "github.com/tickback/tickback/netem"

// Stats is what has happened so far, to all destinations together.
type Stats struct {
	// Stats are the numbers of the links. Delivered is what was given to the
	// transport. Dropped includes what exceeded [MaxWaiting].
	netem.Stats
	// Failed is for how many of the delivered datagrams the transport returned an
	// error; the latest one is that of [Impaired.Err].
	Failed uint64
}

// Stats returns what has happened so far.
func (t *Impaired) Stats() Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Stats{Stats: t.known.stats(), Failed: t.failed}
}

// Err returns the latest error of the transport for a datagram that was delayed,
// or nil.
func (t *Impaired) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}
