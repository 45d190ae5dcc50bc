package live

import (
	"time"

	"github.com/tickback/tickback/netem/realtime"
)

// Drained is an impaired transport that sends what still waits when it is closed:
// a goodbye that never leaves would keep the others waiting for it.
type Drained struct{ *realtime.Impaired }

const (
	// longestDrain bounds how long that may take: several times what any profile
	// usually needs.
	longestDrain = 500 * time.Millisecond
	drainEvery   = 5 * time.Millisecond
)

// Close sends what waits, and closes the transport.
func (d Drained) Close() error {
	for end := time.Now().Add(longestDrain); d.Stats().InFlight() > 0 && time.Now().Before(end); {
		time.Sleep(drainEvery)
	}
	return d.Impaired.Close()
}
