package live

import (
	"time"

	"github.com/tickback/tickback/netem/realtime"
)

// Drained is an impaired transport that sends what is still delayed when it is closed: if a goodbye were lost, the
// others would keep waiting.
type Drained struct{ *realtime.Impaired }

const (
	// longestDrain limits how long that may take: several times what any profile usually needs.
	longestDrain = 500 * time.Millisecond
	drainEvery   = 5 * time.Millisecond
)

// Close sends what is delayed, and closes the transport.
func (d Drained) Close() error {
	for end := time.Now().Add(longestDrain); d.Stats().InFlight() > 0 && time.Now().Before(end); {
		time.Sleep(drainEvery)
	}
	return d.Impaired.Close()
}
