// Package realtime makes a real transport as bad as a netem.Link describes, in real time. Use it to play as if over
// another network, or to find out how a game feels with a delay. It impairs what is sent; what is received is passed
// on unchanged, so wrap both ends, or put the whole delay on one end.
//
//   - Wrap a transport: [Wrap].
//   - Change the link while it runs: [Impaired.SetLink], for one destination
//     [Impaired.SetLinkTo].
//   - See what has happened: [Impaired.Stats], [Impaired.Err].
//
// For tests use virtual time, package netem: there a seed gives the same run each time. Here a seed gives the same
// losses, copies and jitter to the same sequence of datagrams, but the timer depends on the machine: it fires some 50
// µs late on an idle machine, more on a busy one.
//
// # Limitations
//
//   - At most [MaxWaiting] datagrams wait at once; more are dropped.
//   - The link is remembered for [MaxDestinations] destinations; the one that was
//     met first is forgotten for a new one.
//   - A datagram goes through a queue and another goroutine also when it is not
//     delayed.
package realtime
