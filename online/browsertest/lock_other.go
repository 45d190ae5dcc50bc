//go:build !js && !linux && !darwin && !freebsd && !netbsd && !openbsd

package browsertest

// lock does nothing: this system has no locks that end with a program.
func lock(string) (unlock func(), err error) { return func() {}, nil }
