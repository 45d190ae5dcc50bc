// Package session implements the protocol of a match between machines, without a socket, a clock or a goroutine:
// datagrams and time go in, datagrams and events come out. So a whole mesh of peers can run in virtual time
// (package fleet), over any transport.
//
// Games use it through package tickback, which supplies time and a transport.
//
// # Run a session
//
//   - Make one: [New] with a [Config] and the [Hooks] of the game.
//   - The loop of its owner: [Machine.Receive] for incoming datagrams,
//     [Machine.Update], [Machine.Outgoing], [Machine.Events], in this order; then wait as
//     long as Update says, or, if [Machine.Urgent], until something arrives.
//   - An owner that does its own timing calls [Machine.Step] instead of Update, and
//     [Machine.Poll] while it runs no frames.
//   - Time is given by the owner, from any epoch. It may jump, forwards or back: a gap
//     between two calls of Update counts as [pace.MaxDebt] at most, half a second from 60
//     frames per second on, so that no peer is blamed for it.
//   - Draw: [Session.State], [Session.StateAt], [Machine.Progress],
//     [Session.Effects].
//   - A lobby: [Machine.Send], [Machine.Propose], [Machine.Accept],
//     [Machine.Refuse], [Machine.Ready].
//   - The end: [Machine.Outcome], [Session.Final]. To leave: [Machine.Leave], then keep
//     calling until [Machine.Done].
//   - Diagnosis: [Machine.Stats], [Machine.Health], [Machine.Log].
//
// # Peers and phases
//
// Each peer is connected to each other peer. The peer of player 0 is the host, which proposes matches and kicks
// players, and is otherwise equal to the others. A session goes through the phases [Connecting], [Lobby],
// [Starting], [Playing], [Ending], and back to the lobby; it is [Over] after leaving or after a failure
// ([Machine.Err]).
//
// A log of the members (package membership) decides which players are in the match from which frame on. With [End]
// the match ends at the first frame that lacks a member, with [Continue] it goes on. Then [Config.Token] also lets
// newcomers join: they watch first, as spectators do, and become peers on the same connection, at a frame chosen by
// the log.
//
// # Parts
//
// [Machine] coordinates parts that do not depend on it: connections (package peer) and their messages (reliable),
// the schedule of frames (pace), the members (membership, match), agreed frames and their consumers (stream), spectators
// (spectate), and the search for the cause of a desync (desync). It is built in layers, each of which knows only
// those below it; docs/architecture.md has the map.
//
//   - A datagram: Machine.Receive finds its peer and opens it; play reads its inputs, and each of its
//     messages goes to the layer that handles it. An answer waits in the outbox of base.
//   - A frame: Machine.Update makes play sample, run and agree, and sender puts what is new into one datagram
//     for each peer; agreed frames go to readers.
//   - A membership decision: the log (membership) has an entry, match derives orders from it, one after
//     another, and members carries them out.
//   - A lost peer or a failed session is noted by base, at any depth, and takes effect at once. The
//     consequences for others are handled once, at the end of the call (handleLosses).
//
// # What a peer can do
//
// A machine that is not a peer can change nothing but a counter ([Stats]): each datagram carries a tag that depends
// on the nonces of both sides, and a number that is accepted only once. A peer can choose its inputs and make the
// others wait. It cannot change what it has sent before. A datagram with impossible positions is ignored, so a peer
// that sends nothing else counts as silent, and is lost after a while.
//
// # Limitations
//
//   - The peers that begin a match know each other's addresses from the start. A newcomer knows
//     one of them, and gets the others from it.
//   - Nothing is encrypted: that is for the transport, such as package online/dtls.
//   - With [End], which is the default, a match ends for all when somebody leaves or is
//     lost, and no further match begins.
//   - A side without a majority of the match decides nothing: it waits for the others, and
//     ends alone after QuorumTimeout ([Outcome].Unagreed). Two peers that lose each other
//     each continue, or end, alone.
//   - A session must be used by one goroutine at a time.
package session
