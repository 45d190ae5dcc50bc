// Package lan is play on a local network, without any server elsewhere: one machine hosts
// a room of package online, the others find it or are told its address, and the matches
// go from machine to machine over UDP.
//
//   - Host: [Create]. The addresses to tell the others: [Host.Addresses].
//   - Find hosts: [NewSearch], [Search.Found]. Or ask at an address that somebody has
//     typed: [Ask].
//   - Join what was found: [Join].
//
// Both give an online.Room, with which everything goes on as over the internet: seats,
// Start, Wait, Play, Watch, and coming back.
//
// # Ports
//
// The host has one TCP port, for the room and for the question what is hosted there, and
// the UDP port of the same number for its matches. Guests have any free UDP port. Hosts
// answer to those who look for them at one UDP port of all machines, [SearchPort].
//
// # Ways
//
// Each machine tells the others by way of the room at which addresses it may be, and a
// random key. They ask each other at all of these, with both keys, and take the address
// that answers first; so it does not matter which networks two machines have in common.
// Only from an address that has shown both keys datagrams are taken. A way that has become
// silent is looked for again.
//
// # Limitations
//
// Nothing is encrypted: it is for networks whose people trust each other, like package
// transport/udp, which it is made of. Browsers have no UDP: for js this package is empty.
package lan
