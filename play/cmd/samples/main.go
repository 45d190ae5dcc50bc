// Command samples makes the recordings that come with the client from their seeds. Run it in the root of the
// repository after a change of the rules of the duel or the arena:
//
//	go run ./play/cmd/samples
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tickback/tickback/play/samples"
)

func main() {
	for _, name := range samples.Names {
		b, err := record(name)
		if err == nil {
			err = os.WriteFile(filepath.Join("play", "samples", name), b, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "samples:", err)
			os.Exit(1)
		}
		fmt.Printf("%s: %d bytes\n", name, len(b))
	}
}
