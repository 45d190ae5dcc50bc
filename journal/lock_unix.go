//go:build unix && !solaris && !illumos && !aix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps other processes away from the file, until it is closed.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	if errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EOPNOTSUPP) {
		return nil // a file system that cannot
	}
	return err
}
