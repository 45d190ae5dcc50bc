//go:build desktop && (linux || freebsd || openbsd || netbsd)

package display

// Go runs the init functions of packages whose imports are initialised in the order of
// their paths. Syscall is initialised before all that Ebitengine needs, so that this one
// comes before Ebitengine's, as long as it imports nothing else.
import "syscall"

const message = "tickback-play: there is no display (DISPLAY is not set): start it on a desktop, or under xvfb-run\n"

func init() {
	if name, ok := syscall.Getenv("DISPLAY"); ok && name != "" {
		return
	}
	_, _ = syscall.Write(2, []byte(message)) // there is nobody else to tell
	syscall.Exit(1)
}
