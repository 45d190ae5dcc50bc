// Command pace measures how quickly the page plays: frames of the game and pictures in a
// second, of several pages at a time, each in a browser (chromium, headless, drawing in
// software) of its own.
//
//	go run ./play/cmd/pace                                       two pages, each against a bot
//	go run ./play/cmd/pace -query "mode=online&game=duel&seats=2&start=2&auto=1"
//	go run ./play/cmd/pace -pages 1 -profile bin/page.cpuprofile where the time goes
//
// In the mode "online" the first page makes a room, and the others come by its link.
//
// It is run in the root of the repository, on a machine that does nothing else.
package main
