// Package online is play over the internet for any game: one player makes a room and
// sends its link, the others open it, and they play from machine to machine, in browsers
// or natively. Players can leave and come back; latecomers take a free seat, or watch.
//
//   - Make a room or join one, depending on the address: [Open]. Only make one: [Create].
//     Only join one: [Join], with its [Room.Link].
//   - See who is there and how it goes: [Room.State], [Room.Peers], [Room.Receive].
//   - Begin: [Room.Start], by the host. Wait for that: [Room.Wait].
//   - Play, or join a running match: [Play]. Watch: [Spectate].
//   - Own the match, for more players than there are seats: [Serve]. Play in such a match:
//     [Connect].
//   - Play on in a hidden page: [Room.Background].
//   - Say why a player is missing: [Room.Explain]. Leave: [Room.Close].
//
// Package rooms is the server and its client, package webrtc the transport, and package
// serve a web server for a page and the rooms. Package lan needs no server, on a local
// network. Package metrics exports the statistics of matches to Prometheus. docs/online.md
// is the guide.
package online
