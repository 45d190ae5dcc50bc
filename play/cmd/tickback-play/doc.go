// Command tickback-play is the client: all games, the netcode lab and a player of recordings in a
// window, alone, online, or on a local network:
//
//	tickback-play -host "" -game arena -players 4
//	tickback-play -join 192.168.1.5
//
// -help lists the flags. In a browser it is the page's program, and takes its settings from the
// address: ?mode=lab&auto=1&seed=7.
//
// For a window, build it with "-tags desktop"; make play-desktop does that, and says what it needs on Linux.
package main
