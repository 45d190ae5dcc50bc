//go:build !desktop

// Command window is the console in a window: people meet in a room, as in the page, and play from machine to machine. Build it
// by
//
//	go build -tags desktop -o nes-window ./window
//
// and give it the address of a page, or of a room in it. Without the tag it needs no graphics, and only says so.
package main

import "log"

func main() {
	log.SetFlags(0)
	log.Fatal(`this was built without a window: build it by "go build -tags desktop"`)
}
