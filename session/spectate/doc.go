// Package spectate lets machines that do not play follow a match. It is the protocol
// between a host, which is any peer of the match, and spectators, without sockets,
// clocks or goroutines.
//
//   - [Host]: the host's side. It gives each spectator a state, in chunks, and the
//     agreed stream from there on; or the stream from frame 0 on, for games that
//     cannot marshal their state.
//   - [Follower]: the spectator's side. It finds a host, continues at the next one if
//     that is lost, and yields what it gets in order.
//   - [JoinRequest]: what a spectator that wants to play asks for. A host lets it in if it knows
//     the host's token and the match has room ([Match]), and sends it the member list of the
//     match: [Host.SendMemberList], [Follower.MemberList].
//
// The match never waits for a spectator. Nothing is kept for one that is too slow, the
// traffic to all of them is bounded, and nothing that they send reaches the players.
package spectate
