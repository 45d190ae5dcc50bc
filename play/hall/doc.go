// Package hall is the mode of the tanks: on this machine against bots, and with others at a server that owns the
// match.
//
//   - [Mode] adds it to an app.
//   - A page or a window that hosts runs the server itself, in a room with one seat, and plays at it through
//     memory; the others use the room's link, over WebRTC. They can join and leave at any time.
//   - A separate server (`tickback tanks serve`) is joined in the same way, by its room's link, or by a
//     window over UDP, at its address.
//
// Its scenes are "tanks setup", "connecting", "hall" (a match with others) and "failed". All of them run on the
// goroutine of the pictures; only what may block runs on others.
package hall
