// Command pace measures how fast the page runs: frames of the game and pictures a second, of
// several pages at a time, each in its own browser (chromium, headless, with software rendering); and how long it takes
// from a key to the picture that shows it, in pages and in windows.
//
//	go run ./play/cmd/pace                                       two pages, each against a bot
//	go run ./play/cmd/pace -query "mode=online&game=duel&seats=2&start=2&auto=1"
//	go run ./play/cmd/pace -pages 1 -profile bin/page.cpuprofile shows where the time goes
//	go run ./play/cmd/pace -loads 7 -web bin/web                 how long a stranger waits for the title
//	go run ./play/cmd/pace -keys 40 -pages 2                     from a key to the pictures that show it, here and there
//	xvfb-run -a go run ./play/cmd/pace -keys 40 -window bin/tickback-play -size 320x180      the same in windows
//
// In the mode "online" the first page makes a room, and the others use its link.
//
// Run it in the root of the repository, on a machine that does nothing else.
package main
