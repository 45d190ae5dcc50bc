// Package membership is the replicated log of a match: which players are in it, from which frame on, and whether it
// is paused. It does no input or output.
//
// Each entry of the log is decided by single-decree Paxos among the members according to the entries before it; the
// next slot begins when this one is decided. So all members apply the same entries in the same order, whatever is
// lost, late or silent, and a side without a quorum decides nothing. docs/membership.md has the reasons, the rules
// and their proof.
//
// A member is a peer with the players of its machine, named by its lowest player. It
// lives for one incarnation: a peer that comes back is a new member with a new ID.
//
// To drive a [Core]:
//
//  1. Report what is known, whenever it changes: [Core.Accuse], [Core.MarkGone],
//     [Core.Ready], [Core.Unready], [Core.Ask], [Core.Withdraw].
//  2. Pass it what arrives ([Core.Receive]), in the order in which each peer sent
//     it, and call [Core.Poll] at least once per frame.
//  3. After each of these calls: apply what is decided ([Core.Next]), send the
//     messages ([Core.Outgoing]) and the inputs that others lack ([Core.Fills]), and
//     respect [Core.Limit], [Core.Takes] and [Core.Gate].
package membership
