// Package peer implements one end of the connection between two machines.
//
//   - [Conn]: keys, numbers, the round trip and losses
//   - [Link]: the connection to a peer, with a handshake, path widths and address changes
//   - [Window]: which datagrams have arrived
//   - [RoundTrip]: how long an answer takes
//   - [Pipe]: a connection between a host and a spectator, or a server and a client, with a
//     control stream and, optionally, bodies of its owners
//   - [Outbox]: datagrams waiting to be sent
package peer
