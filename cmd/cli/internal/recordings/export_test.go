package recordings

import "testing"

// SetMaxSpooled changes the limit on what is copied from streams, until the test is over.
func SetMaxSpooled(t *testing.T, bytes int64) {
	was := maxSpooled
	maxSpooled = bytes
	t.Cleanup(func() { maxSpooled = was })
}
