package programs_test

import (
	"runtime/debug"
	"testing"
)

// What these tests read is large and soon thrown away: collected as often as usual, that takes a quarter of their time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
