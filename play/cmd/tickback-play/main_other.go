//go:build !desktop && !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "tickback-play: this was built without a window: build it with -tags desktop (make play-desktop)")
	os.Exit(1)
}
