//go:build desktop && (linux || freebsd || openbsd || netbsd)

package display

// Go initialises packages in the order of their import paths, each as soon as its own imports are initialised.
// Ebitengine needs all of these, and others with later paths, so this package is initialised before it. A test starts
// the program.
import (
	_ "embed"
	"os"
)

const message = "tickback-play: there is no display (DISPLAY is not set): start it on a desktop, or under xvfb-run\n"

// help is what the program prints with -help: TestNoDisplayIsSaid compares them.
//
//go:embed help.txt
var help string

func init() {
	if os.Getenv("DISPLAY") != "" {
		return
	}
	code, text := 1, message
	if len(os.Args) > 1 && (os.Args[1] == "-help" || os.Args[1] == "--help" || os.Args[1] == "-h") {
		code, text = 0, help
	}
	_, _ = os.Stderr.WriteString(text) // there is no other way to report it
	os.Exit(code)
}
