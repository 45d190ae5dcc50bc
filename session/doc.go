// Package session is the protocol of a match between machines, without a socket, a
// clock or a goroutine: datagrams and time go in, datagrams and events come out. So
// a whole mesh of peers can run in virtual time (package fleet), and any transport
// will do.
//
// Games use it through the front door, package tickback, which supplies time and a
// transport.
//
// # Run a session
//
//   - Make one: [New] with a [Config] and the [Hooks] of the game.
//   - The loop of its owner: [Machine.Receive] for what has arrived,
//     [Machine.Update], [Machine.Outgoing], [Machine.Events], in this order; wait as
//     long as Update says, or, if [Machine.Urgent], until something arrives.
//   - An owner that keeps the time itself: [Machine.Step] instead of Update. No frames
//     for a while: [Machine.Poll].
//   - Time is that of its owner, from any epoch. It may jump, forwards or back: a gap
//     between two calls of Update counts as [pace.MaxDebt] at most, half a second, so
//     that no peer is blamed for it.
//   - Draw: [Session.State], [Session.StateAt], [Machine.Progress],
//     [Session.Effects].
//   - A lobby: [Machine.Send], [Machine.Propose], [Machine.Accept],
//     [Machine.Refuse], [Machine.Ready].
//   - The end: [Machine.Outcome], [Session.Final]; leave: [Machine.Leave], and go on
//     until [Machine.Done].
//   - See what it does: [Machine.Stats], [Machine.Health], [Machine.Log].
//
// # Peers and phases
//
// Each peer is connected to each other one. The peer of player 0 is the host, which
// proposes matches and kicks players, and is like the others in all else. A session goes
// through the phases [Connecting], [Lobby], [Starting], [Playing], [Ending], and back to the
// lobby; it is [Over] when it is left or cannot go on ([Machine.Err]).
//
// A log of the members (package membership) decides who is in the match from which frame on.
// With [End] the match ends at the first frame that lacks a member, with [Continue] it goes on.
// Then [Config.Token] also lets newcomers join: they watch first, as spectators do, and become
// peers on the same connection, at a frame that the log names.
//
// # Parts
//
// [Machine] conducts parts that do not know it: connections (package peer) and their messages
// (reliable), the schedule of frames (pace), the members (membership), what is agreed and who
// reads it (stream), spectators (spectate), and the search for the cause of a desync (desync).
// It is built in layers, of which each knows those below alone; docs/architecture.md has the map.
//
//   - A datagram: Machine.Receive finds its peer and opens it; play takes its inputs, and each of its
//     messages goes to the layer that it is for. An answer waits in the outbox of base.
//   - A frame: Machine.Update has play sample, run and agree, and sender puts what is new into one datagram
//     for each peer; agreed frames go to readers.
//   - A decision about the members: the log (membership) has an entry, decisions says what follows from it, one order
//     after another, and members carries it out.
//   - A peer that is lost and a session that fails are noted by base, at any depth, and count from then on. What
//     follows for the others is done once, at the end of the call (handleLosses).
//
// # What a peer may believe
//
// A machine that is not a peer changes nothing but a count ([Stats]): each datagram carries a
// tag that takes both sides' nonces to make, and a number that counts once. A peer can choose
// its inputs and make the others wait. It cannot change what it has said once, and a datagram
// with impossible positions is ignored, so that a peer that sends nothing else is silent, and is
// lost after a while.
//
// # Limitations
//
//   - The peers that begin a match know each other's addresses from the start. A newcomer knows
//     one of them, and is told the others.
//   - Nothing is encrypted: that is for the transport, such as package online/dtls.
//   - With [End], which is the default, a match ends for all when somebody leaves or is
//     lost, and no further one begins.
//   - A side without a majority of the match decides nothing: it waits for the others, and
//     ends alone after QuorumTimeout ([Outcome].Unagreed). Two peers that lose each other
//     each go on, or end, alone.
//   - A session is for one goroutine.
package session
