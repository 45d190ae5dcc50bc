// Package dtls moves datagrams over UDP, encrypted and authenticated, for native play over
// the internet without a server: a tickback.Transport over DTLS 1.2, one socket for all
// peers, IPv4 and IPv6.
//
//   - Make a secret for those who play: [NewToken]. Read it: [ParseToken].
//   - Open a socket: [Listen]. Put it over one that is there, of package udp or another:
//     [New].
//   - Give each machine a key of its own, where something that everybody trusts can tell the
//     fingerprints: [NewIdentity], [Transport.Trust], [Transport.Distrust].
//   - Send, which also connects: [Transport.Send]. Receive: [Transport.Receive].
//   - See how it goes, and what is in the way: [Transport.Peers], [Transport.Stats].
//   - Tell datagrams of this package from others: [Recognize].
//
// docs/transports.md says which transport is for what, and what attackers can do with each.
//
// # Connections
//
// Nothing has to be set up but the secret. Who sends to an address looks for the peer there:
// both sides greet each other until they have proved their addresses, one of them begins a
// DTLS handshake, and datagrams travel once that is done. It does not matter who begins, or
// whether both do: of two random numbers the lower one is the client. Whatever is lost is
// said again. A peer that was started again has another number, and is connected again; until
// then the old connection stays. The round trips: one for greetings, two for the handshake.
//
// # The secret
//
// A [Token] is 128 random bits, made here and never by people, written as 32 letters and
// digits with a checksum of 32 bits. From it an Ed25519 key is derived (HKDF-SHA256), whose
// certificate both sides present and demand; there is no authority, and nothing else in a
// certificate counts. The session's keys come from an ephemeral X25519 exchange, so that
// whoever gets hold of the token later cannot read what was recorded before.
//
// Why not a pre-shared key of TLS: those suites of the library either have no ephemeral
// exchange, and then the token opens all old recordings, or encrypt with AES-CBC, which is
// fragile and adds twice the bytes. Here there is one suite, with no choice for anybody to
// talk down: ECDHE_ECDSA with X25519, Ed25519 and ChaCha20-Poly1305, extended master secret.
//
// A token is a secret of a group. It keeps out everybody else, and does not tell its members
// apart: a member that stands on the way between two others can pretend to be one of them.
// Where players must not be able to do that, each machine has an [Identity], and something
// that all trust, such as a room, passes on the fingerprints; then a peer is the owner of
// its key, whatever the others know.
//
// # Greetings
//
// DTLS protects no datagram before its keys are there, and its library keeps a state for
// whoever asks. So all that comes before is wrapped: greetings, and envelopes around the
// records of a handshake, carry a code (HMAC-SHA256, 128 bits) under a key that is derived
// from the token, or from both fingerprints. What is not sealed never reaches the DTLS
// library: no forged alert ends a connection or a handshake, and a flood of strangers costs
// a look at 8 bytes each. (Fingerprints are no secrets: who knows two of them gets as far as
// an outsider does with DTLS alone.)
//
// A greeting proves an address by a cookie, which costs no memory: an HMAC of the address
// under a key that only this transport has, for 15 to 30 seconds. It does what
// HelloVerifyRequest of DTLS is for, which is therefore left out. Before it, nothing is
// remembered, and nothing is answered with more bytes than came.
//
// # Addresses
//
// Addresses are real ones, as with package udp. Every record names its connection by a
// random number of 32 bits (RFC 9146), not by its address. So a peer whose address changes
// goes on, and [Transport.Receive] tells the address that each single datagram came from.
// That this is the peer's, and not that of somebody who sends its datagrams on, the session
// finds out, with a challenge that is encrypted for the peer alone; until then it goes on
// sending to the old one. Datagrams that come from the address of another peer are dropped.
//
// # Limits
//
// Strangers with the token have at most 16 handshakes at the same time, 4 of one network
// (a /24 or /56), and 20 a second. There are at most [MaxPeers] peers. Each has a queue of
// [QueueDatagrams], of which the oldest goes when it is full, and 32 datagrams that wait for
// being decrypted. Everything dropped is counted. A record is taken once, and none that is
// more than 1024 behind the newest.
//
// # Cost
//
// A datagram gets [Overhead], 34, bytes longer. The longest, 1200 bytes, is 1262 with the
// headers of IPv4 and 1282 with those of IPv6: one Ethernet frame, but not a path that
// carries only the 1280 that IPv6 demands. docs/benchmarks.md has the time it takes.
//
// # Limitations
//
//   - How long datagrams are, when they are sent and between which addresses stays visible,
//     and so does, in a greeting, a name of the token that does not give it away: who sees
//     two matches with one token knows that they belong together.
//   - Somebody on the way can drop and delay everything. Nothing can be done about that.
//   - No NAT traversal and no discovery: somebody has to know an address. Packages webrtc
//     and lan do that.
//   - Browsers have no UDP.
package dtls
