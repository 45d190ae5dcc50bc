package live

import (
	"time"

	"github.com/tickback/tickback/netem/realtime"
)

// Drained is an impaired transport that, when it is closed, first sends the datagrams that are still delayed: if a
// goodbye were lost, the others would keep waiting.
type Drained struct{ *realtime.Impaired }

const (
	// longestDrain is the maximum time for which Close sends what is delayed: several times what any profile usually
	// needs.
	longestDrain = 500 * time.Millisecond
	drainEvery   = 5 * time.Millisecond
)

// Close sends the delayed datagrams, and closes the transport.
func (d Drained) Close() error {
	for end := time.Now().Add(longestDrain); d.Stats().InFlight() > 0 && time.Now().Before(end); {
		time.Sleep(drainEvery)
	}
	return d.Impaired.Close()
}
