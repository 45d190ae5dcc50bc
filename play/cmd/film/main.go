// Command film makes the moving picture of the README: two bots fight in the lab, over a virtual
// network that gets worse meanwhile. White ghosts show where a peer had predicted its opponent
// wrongly.
//
//	go run ./play/cmd/film -o docs/images/lab.gif
//
// It paints in memory and in virtual time, without a window, so that the same build always makes
// the same file. Run it in the root of the repository; it takes half a minute.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("o", "docs/images/lab.gif", "the file to write")
	flag.Parse()
	size, err := run(*out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "film:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: %d bytes\n", *out, size)
}

// most is the maximum size of the file: a larger one would load too slowly in the README.
const most = 1_500_000

func run(path string) (size int, err error) {
	pictures, err := shoot(theLab, func(done, of int) { fmt.Fprintf(os.Stderr, "\rpicture %d of %d", done, of) })
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return 0, err
	}
	var b bytes.Buffer
	if err := encode(&b, pictures, theLab.hundredths); err != nil {
		return 0, err
	}
	if b.Len() > most {
		return b.Len(), fmt.Errorf("the film has %d bytes, more than %d", b.Len(), most)
	}
	return b.Len(), os.WriteFile(path, b.Bytes(), 0o644)
}
