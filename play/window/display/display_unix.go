//go:build desktop && (linux || freebsd || openbsd || netbsd)

package display

// Go initialises packages in the order of their import paths, after their own imports. Package syscall is
// initialised before everything that Ebitengine needs, so this package comes before Ebitengine as long as it imports
// nothing else.
import "syscall"

const message = "tickback-play: there is no display (DISPLAY is not set): start it on a desktop, or under xvfb-run\n"

func init() {
	if name, ok := syscall.Getenv("DISPLAY"); ok && name != "" {
		return
	}
	_, _ = syscall.Write(2, []byte(message)) // there is no other way to tell
	syscall.Exit(1)
}
