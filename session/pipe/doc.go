// Package pipe is the way between two machines that one end of a session sees.
//
//   - [Window]: which datagrams have come
//   - [RoundTrip]: how long an answer takes
//   - [Pipe]: a control stream over datagrams that carry nothing else, between a host
//     and a spectator
package pipe
