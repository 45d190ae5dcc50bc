// Package udp moves datagrams over UDP, for LANs and between hosts that trust
// each other. It knows no game, no session and no peer: bytes go out to an
// address, and bytes come in from one.
//
//   - Open a socket: [Open] for a game with its peers, [Listen] for everything else. Which port it got: [Conn.LocalAddr].
//   - Find the other side: [Conn.Resolve], or [Resolve] without a socket.
//   - Send, which never waits for the other side: [Conn.Send]; to several addresses with one call of
//     the system: [Conn.SendBatch].
//   - Receive, which never blocks: [Conn.Receive]. Sleep until there is something, or a frame is due:
//     [Conn.Wait], or, at a higher cost, [Conn.Notify] of a socket of Listen.
//   - See what it does: [Conn.Stats]. Stop: [Conn.Close].
//
// # Addresses
//
// An IPv4 address is always one of four bytes, in and out, also on a socket for
// both families: two addresses are the same if they are equal. The zone of a
// link-local IPv6 address is kept.
//
// # Loss
//
// A datagram can be lost anywhere, including here: datagrams not yet received are held in a queue of [QueueDatagrams],
// and when that is full an old one is dropped. Programs that send in real time repeat what matters until it is
// acknowledged, so that the newest datagram is worth more than the oldest. Every loss that can be detected here is
// counted.
//
// # Floods
//
// This applies to a socket of [Listen] from the first call of [Conn.Notify] on: until then, and for other sockets, the
// system drops datagrams that arrive when its buffer is full. The choice of the dropped datagram is fair. Addresses to
// which the socket has sent are its correspondents; all others are strangers, whose datagrams are dropped first. If there
// are none, the correspondent with the most datagrams in the queue loses its oldest one. So a flood from elsewhere takes
// nothing from correspondents, and a flood in the name of one of them takes nothing from the others. This cannot control
// what the operating system drops before that, when more arrives than one goroutine can read (some hundred thousand
// datagrams a second).
//
// # Limitations
//
//   - No encryption and no authentication. Anybody who can reach the port can send to it,
//     and anybody on the path can read, change and forge datagrams. Use it in a LAN, or
//     between trusted hosts over a network that protects them. Over the internet, put
//     package online/dtls over it.
//   - At most [MaxDatagram] bytes in a datagram, both ways. Keep to 1200 where
//     routers are between.
//   - No NAT traversal and no discovery: at least one side must know the address of the
//     other.
//   - On js/wasm it builds, but browsers have no UDP.
package udp
