package realtime

import "github.com/tickback/tickback/netem"

// Stats has the statistics for all destinations together.
type Stats struct {
	// Stats are the statistics of the links. Delivered counts the datagrams given to the transport. Dropped includes those
	// that exceeded [MaxWaiting].
	netem.Stats
	// Failed counts the delivered datagrams for which the transport returned an error; [Impaired.Err] returns the latest
	// one.
	Failed uint64
}

// Stats returns the statistics so far.
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
