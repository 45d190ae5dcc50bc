//go:build linux || darwin || freebsd || netbsd || openbsd

package browsertest

import (
	"errors"
	"os"
	"syscall"
)

// lock waits until no other program has locked the file, and locks it. The lock is released at the latest when this
// program ends. After an error nothing is locked.
func lock(path string) (unlock func(), err error) {
	unlock = func() {}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return unlock, err
	}
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); {
		case err == nil:
			return func() { _ = f.Close() }, nil // closing the file unlocks it
		case !errors.Is(err, syscall.EINTR):
			_ = f.Close()
			return unlock, err
		}
	}
}
