// Package hall is the mode of the tanks: on this machine against bots, and with others at a server that owns
// the match.
//
//   - [Mode] adds it to an app.
//   - A page or a window that hosts runs the server itself, in a room with one seat, and plays at it through
//     memory; the others come by the room's link, over WebRTC. They come and go at any time.
//   - A server of its own (`tickback tanks serve`) is joined in the same way, by its room's link, or by a
//     window over UDP, at its address.
//
// Its scenes are "tanks setup", "connecting", "hall" (a match with others) and "failed". All of them live in the
// goroutine of the pictures; only what waits for somebody runs in others.
package hall
