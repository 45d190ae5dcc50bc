// Package lan is play on a local network, without a server: one machine hosts a room of package online, the others
// find it or enter its address, and matches go from machine to machine over UDP.
//
//   - Host: [Create]. The addresses for the others: [Host.Addresses].
//   - Find hosts: [NewSearch], [Search.Found]. Or ask at a given address: [Ask].
//   - Join a host: [Join].
//
// Both give an online.Room, which works as over the internet: seats, Start, Wait, Play, Spectate, and coming back.
//
// # Ports
//
// The host has one TCP port, for the room and for queries, and the UDP port of the same number for its matches.
// Guests use any free UDP port. Hosts answer searches at the same UDP port on all machines, [SearchPort].
//
// # Ways
//
// Through the room, each machine sends the others its possible addresses and a random key. They probe all of these
// with both keys, and use the address that answers first; so it does not matter which networks two machines share.
// Datagrams are accepted only from an address that has presented both keys. When a path falls silent, all addresses
// are probed again.
//
// # Limitations
//
// Nothing is encrypted: like package transport/udp, on which it is built, it is for networks whose users trust each
// other. Browsers have no UDP: for js this package is empty.
package lan
