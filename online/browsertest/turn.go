//go:build !js

package browsertest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// turn is had by one test program of the machine at a time, for as long as one of its tests
// uses a browser. The go command runs the tests of several packages at once; pages that the
// processor draws for two of them are half as quick, and hold no clock.
var turn struct {
	sync.Mutex
	held   int // how many times it was taken
	unlock func()
}

// takeTurn waits until it is this program's turn, until the test ends.
func takeTurn(t testing.TB) {
	t.Helper()
	turn.Lock()
	defer turn.Unlock()
	if turn.held == 0 {
		unlock, err := lock(filepath.Join(os.TempDir(), "tickback-browser.lock"))
		if err != nil { // the file is somebody else's, say
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
