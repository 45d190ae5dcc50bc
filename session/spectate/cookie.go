package spectate

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"net/netip"
)

// cookies makes what a stranger must have received at its address, from nothing but the
// address and a secret, so that the host keeps nothing of a machine that has proved nothing.
//
// A cookie is HMAC-SHA256, cut off. It has to be a MAC: a stranger chooses addresses and
// nonces and is told the results, as many as it likes, and must not learn from them the
// result for an address that is not its own. A fast hash with a key, such as XXH3, gives its
// key away under such questions.
type cookies struct {
	mac     hash.Hash
	message [35]byte // what it is for, address, port, nonce, interval
	sum     [sha256.Size]byte
}

// The first byte of a message says what its MAC is for.
const (
	cookieNonce = 1
	cookiePlace = 2
)

// init takes a key of 256 bits.
func (c *cookies) init(random func() uint64) {
	key := make([]byte, 0, sha256.Size)
	for range sha256.Size / 8 {
		key = le.AppendUint64(key, random())
	}
	c.mac = hmac.New(sha256.New, key)
}

// nonce returns the host's nonce for a spectator at an address that has sent a nonce of
// its own, in an interval.
func (c *cookies) nonce(from netip.AddrPort, theirs, interval uint64) uint64 {
	return c.tag(cookieNonce, from, theirs, interval)
}

// place returns a number for an IP address: nobody can look for two addresses with the
// same one.
func (c *cookies) place(from netip.Addr) uint64 {
	return c.tag(cookiePlace, netip.AddrPortFrom(from, 0), 0, 0)
}

// tag is the first 64 bits of the MAC. It allocates nothing.
func (c *cookies) tag(what byte, from netip.AddrPort, theirs, interval uint64) uint64 {
	ip := from.Addr().As16()
	b := append(append(c.message[:0], what), ip[:]...)
	b = le.AppendUint16(b, from.Port())
	b = le.AppendUint64(le.AppendUint64(b, theirs), interval)
	c.mac.Reset()
	c.mac.Write(b)
	return le.Uint64(c.mac.Sum(c.sum[:0]))
}
