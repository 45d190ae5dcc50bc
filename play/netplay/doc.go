// Package netplay is the online mode of the client: rooms that are joined by a link, and games between the machines
// in them, for players and spectators.
//
//   - [Mode] adds it to an app.
//   - [Machine] is what a page or a desktop contributes, such as a clipboard.
//
// Its scenes are "online" (what to make or to join), "connecting", "room", "match" and "failed". All of them run on
// the goroutine of the pictures; only calls that wait for a server run on others.
package netplay
