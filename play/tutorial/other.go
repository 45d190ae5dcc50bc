//go:build !js && !desktop

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This is built for a browser, or with -tags desktop for a window: see docs/first-game.md.")
	os.Exit(1)
}
