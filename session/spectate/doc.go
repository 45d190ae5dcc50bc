// Package spectate lets machines that do not play follow a match. It implements the protocol between a host, which
// is any peer of the match, and spectators, without sockets, clocks or goroutines.
//
//   - [Host]: the host's side. It sends each spectator a state, in chunks, and the
//     agreed stream from there on; or the stream from frame 0 on, for games that
//     cannot marshal their state.
//   - [Follower]: the spectator's side. It finds a host, continues at the next one if
//     that is lost, and yields what it receives in order.
//   - [JoinRequest]: the request of a spectator that wants to play. A host admits it if it knows
//     the host's token and the match has room ([Match]), and sends it the member list of the
//     match: [Host.SendMemberList], [Follower.MemberList].
//
// The match never waits for a spectator. Nothing is kept for a spectator that is too slow, the traffic to all of
// them is limited, and nothing that they send reaches the players.
package spectate
