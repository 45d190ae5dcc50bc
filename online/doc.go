// Package online is play over the internet for any game: somebody makes a room and sends
// its link, the others open it, and they play from machine to machine, in browsers or
// natively. Who leaves may come back, and who comes late plays on a free seat, or watches.
//
//   - Make a room or join one, as the address says: [Open]. One of both: [Create]; [Join],
//     with its [Room.Link].
//   - See who is there and how it goes: [Room.State], [Room.Peers], [Room.Receive].
//   - Begin: [Room.Start], by the host. Wait for that: [Room.Wait].
//   - Play, or join what is played: [Play]. Watch: [Watch]. With options of your own:
//     [Options], [SpectatorOptions].
//   - Play on in a hidden page: [Room.Background].
//   - Say why somebody is missing: [Room.Explain]. Go: [Room.Close].
//
// Package rooms is the server and its client, package webrtc the transport, and package
// serve a whole web server with both a page and the rooms. Package lan does without a server,
// on a local network. docs/online.md is the guide.
package online
