// Package spectate lets machines that do not play follow a match: the protocol between
// a host, which is any peer of the match, and spectators, without a socket, a clock or
// a goroutine.
//
//   - [Audience]: the host's side. It gives each spectator a state, in chunks, and the
//     agreed stream from there on; or the stream from frame 0 on, for games that
//     cannot marshal their state.
//   - [Viewer]: the spectator's side. It finds a host, goes on at the next one if
//     that is lost, and yields what it gets in order.
//   - [Seat]: what a spectator asks for that wants to play. A host lets it in if it
//     knows the [Config.Token] and the match has room ([Source]), and both can say
//     something: [Audience.SendSeat], [Audience.SeatMessages], [Viewer.SendSeat],
//     [Viewer.Seat].
//
// The match never waits for a spectator: what one does not take in time is not kept
// for it, what all of them get is bounded, and nothing that they send reaches the
// players.
package spectate
