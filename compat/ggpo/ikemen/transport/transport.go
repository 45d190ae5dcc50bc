// Package transport has the types by which a session and its transport speak of players: [PlayerHandle] and [Transport].
// Package udp below it opens a socket, and package webrtc takes channels that are open already.
package transport

import "github.com/tickback/tickback/compat/ggpo"

// PlayerHandle names a player to a transport: the number by which AddPeer said where its machine is.
type PlayerHandle = ggpo.PlayerHandle

// Transport carries the datagrams of a match: a tickback.Transport with a method Address, which returns the address that
// stands for a handle. A transport of your own for one of the ports of GGPO, with SendTo and Read, becomes one by sending
// bytes to an address instead of messages to a handle.
type Transport = ggpo.Transport
