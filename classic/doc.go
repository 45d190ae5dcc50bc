// Package classic is one side of the classic two-player LAN match over RBN1: the simplest protocol that rollback can be
// played over, and one that other programs speak. Its inputs are bytes and time, its output is bytes: it opens no
// socket, starts no goroutine and reads no clock.
//
//   - Make one side of a match: [New] with a [Config].
//   - The loop of its owner, in four steps: [Match].
//   - How far it is: [Match.Phase], [Match.Done], [Match.Err].
//   - Draw and play sounds: [Match.State], [Match.Effects].
//   - How it ended: [Match.Result]. What it did: [Match.Stats].
//
// # The protocol
//
// The joiner says HELLO every half second until it hears ACK. The host answers every HELLO with ACK. The joiner
// answers ACK with START, and repeats that until the host's inputs come. The host begins with START, or with inputs.
// Then each side sends one packet (package rbn1) in each tick period, with all inputs that the other has not
// acknowledged, also while it cannot go on. A match of a fixed length is over when all inputs have arrived and been
// acknowledged; then each side continues to send for one second, to inform the other side.
//
// Nothing is negotiated: both sides must be given the same game, seed, tick rate and length.
//
// # Trust
//
// Only the peer's address counts, and addresses can be forged: play in a LAN. A packet that cannot be true (inputs
// that contradict earlier ones, that are too far ahead, or acknowledge what was never sent) is counted in [Ignored]
// and changes nothing. So a peer that is broken, or has been restarted, is lost after [Config.Silence], whatever it
// sends: only datagrams that advance the match count as a sign of life.
//
// # Limitations
//
//   - Two players, and inputs of 16 bits.
//   - No ping and no pacing: RBN1 has no timestamps. The side that is ahead
//     stalls at the end of its window.
//   - Nobody says goodbye: a side that leaves in the middle counts as lost.
//   - Checksums of states are compared, and a difference is reported but not
//     explained: see [Stats.Health]. The other side may never send any.
package classic
