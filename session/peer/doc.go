// Package peer is the connection between two machines, as one end of it sees it.
//
//   - [Conn]: keys, numbers, the round trip, what was lost
//   - [Window]: which datagrams have come
//   - [RoundTrip]: how long an answer takes
//   - [Pipe]: a connection with a control stream and nothing else, between a host and a
//     spectator
//   - [Outbox]: datagrams that wait to be taken
package peer
