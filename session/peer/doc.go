// Package peer is one end of the connection between two machines.
//
//   - [Conn]: keys, numbers, the round trip and losses
//   - [Link]: the connection to a peer, with a handshake, path widths and address changes
//   - [Window]: which datagrams have arrived
//   - [RoundTrip]: how long an answer takes
//   - [Pipe]: a connection between a host and a spectator, with a control stream and
//     nothing else
//   - [Outbox]: datagrams that wait to be sent
package peer
