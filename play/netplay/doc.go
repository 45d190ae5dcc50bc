// Package netplay is the online mode of the client: a room by link, the duel and the arena
// from machine to machine, for who plays and who watches.
//
//   - Add it to an app: [Mode].
//   - What a page or a desktop lends it, such as a clipboard: [Machine].
//
// Its scenes are "online" (what to make or to join), "connecting", "room", "match" and
// "failed". All of them live in the picture's goroutine; only what waits for a server runs
// beside it.
package netplay
