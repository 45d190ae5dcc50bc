//go:build !js

package browsertest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// turn makes sure that only one test program of the machine uses browsers at a time. The go command runs the tests of
// several packages at once; drawing pages of two of them on the processor is half as fast, and too slow for their
// clocks.
var turn struct {
	sync.Mutex
	held   int // how many tests have taken the turn
	unlock func()
}

// takeTurn waits until it is this program's turn, which lasts until the test ends.
func takeTurn(t testing.TB) {
	t.Helper()
	turn.Lock()
	defer turn.Unlock()
	if turn.held == 0 {
		unlock, err := lock(filepath.Join(os.TempDir(), "tickback-browser.lock"))
		if err != nil { // for example because the file belongs to another user
			t.Logf("this test does not wait for those of other packages: %v", err)
		}
		turn.unlock = unlock
	}
	turn.held++
	t.Cleanup(func() {
		turn.Lock()
		defer turn.Unlock()
		if turn.held--; turn.held == 0 {
			turn.unlock()
		}
	})
}
