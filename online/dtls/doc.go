// Package dtls moves datagrams over UDP, encrypted and authenticated, for native play over the internet without a
// server: a tickback.Transport over DTLS 1.2, one socket for all peers, IPv4 and IPv6.
//
//   - Make a secret for the players: [tickback.NewToken]. Read it: [tickback.ParseToken].
//   - Open a socket: [Listen]. Use an existing transport, such as one of package udp: [New].
//   - Give each machine a key of its own, if something that all trust can distribute the
//     fingerprints: [NewIdentity], [Transport.Trust], [Transport.Distrust].
//   - Send, which also connects: [Transport.Send]. Receive: [Transport.Receive].
//   - See the state of each connection, and why a peer is not connected: [Transport.Peers],
//     [Transport.Stats].
//   - Tell datagrams of this package from others: [Recognize].
//
// docs/transports.md compares the transports, and says what attackers can do with each.
//
// # Connections
//
// Only the secret has to be set up. The first Send to an address looks for a peer there: both sides send greetings
// until they have proved their addresses, one of them begins a DTLS handshake, and datagrams travel once that is
// done. Either side may begin, or both: each has a random number, and the side with the lower one is the client. Lost
// messages are sent again. A peer that was restarted has another number, and is connected again; until then the old
// connection stays. Greetings take one round trip, and the handshake two.
//
// # The secret
//
// A [tickback.Token] is 128 random bits, made by the library and never by people, written as 32 letters and digits
// with a checksum of 32 bits. The token of the match can be used here, too: the keys derived for one purpose say
// nothing about the other. An Ed25519 key is derived from it (HKDF-SHA256). Both sides present and demand the
// certificate of this key; there is no authority, and nothing else in a certificate counts. The session's keys come
// from an ephemeral X25519 exchange, so that somebody who gets the token later cannot read recorded traffic.
//
// Why not a pre-shared key of TLS: those suites of the library either have no ephemeral exchange, so that the token
// opens all old recordings, or encrypt with AES-CBC, which is fragile and adds twice the bytes. Here there is only
// one suite, so there can be no downgrade: ECDHE_ECDSA with X25519, Ed25519 and ChaCha20-Poly1305, extended master
// secret.
//
// A token is the secret of a group. It keeps out everybody else, but does not tell its members apart: a member on the
// path between two others can pretend to be one of them. To prevent that, give each machine an [Identity], and let
// something that all trust, such as a room, pass on the fingerprints. Then only the owner of a key can be its peer.
//
// # Greetings
//
// DTLS does not protect datagrams before it has keys, and its library keeps state for every stranger. So everything
// before that is wrapped: greetings, and envelopes around the records of a handshake, carry a MAC (HMAC-SHA256, 128
// bits) under a key that is derived from the token, or from both fingerprints. Nothing without a valid MAC reaches
// the DTLS library: no forged alert ends a connection or a handshake, and a flood from strangers costs a look at 8
// bytes of each datagram. (Fingerprints are no secrets: a sender that knows two of them gets as far as with DTLS
// alone.)
//
// A greeting proves an address by a cookie, which costs no memory: an HMAC of the address under a key that only this
// transport has, for 15 to 30 seconds. It has the purpose of HelloVerifyRequest in DTLS, which is therefore left out.
// Without a valid cookie, nothing is stored, and no answer is longer than the request.
//
// # Addresses
//
// Addresses are real ones, as with package udp. Every record names its connection by a random number of 32 bits (RFC
// 9146), not by its address. So the connection survives a change of the peer's address, and [Transport.Receive]
// returns the address that each datagram came from. The address may also be that of an attacker who relays datagrams.
// So the session first sends a challenge there, encrypted for the peer alone; until it is answered, the session
// continues to send to the old address. Datagrams that come from the address of another peer are dropped.
//
// # Limits
//
// Strangers with the token have at most 16 concurrent handshakes, 4 from one network (a /24 or /56), and 20 a second.
// There are at most [MaxPeers] peers. Each has a queue of [QueueDatagrams], which drops the oldest when it is full,
// and up to 32 datagrams that wait to be decrypted. All drops are counted. A record is accepted once, and not if it
// is more than 1024 behind the newest.
//
// # Cost
//
// Encryption makes a datagram longer by [Overhead], 34 bytes. The longest, 1200 bytes, becomes 1262 with the headers
// of IPv4 and 1282 with those of IPv6: it fits one Ethernet frame, but not a path that carries only the 1280 bytes
// that IPv6 requires. docs/benchmarks.md has the time it takes.
//
// # Limitations
//
//   - The lengths, times and addresses of datagrams stay visible. So does, in a greeting, a
//     name that is derived from the token: an observer sees which matches share a token, but
//     not the token.
//   - Somebody with the token can take all [MaxPeers] places, with addresses in as many networks.
//     Peers that the owner sends to keep theirs, even while their connection is lost;
//     of the others, those from the network with the most peers are replaced first.
//   - An attacker on the path can drop and delay everything.
//   - No NAT traversal and no discovery: one side has to know the other's address. Packages
//     webrtc and lan do that.
//   - Browsers have no UDP.
package dtls
