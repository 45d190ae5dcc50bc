package recordings

import "testing"

// SetMaxSpooled bounds what is copied of streams, until the test is over.
func SetMaxSpooled(t *testing.T, bytes int64) {
	was := maxSpooled
	maxSpooled = bytes
	t.Cleanup(func() { maxSpooled = was })
}
