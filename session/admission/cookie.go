package admission

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"net/netip"
)

// cookies generates numbers that only a machine at a certain address can know, from nothing but that address and a
// secret. So the host stores nothing about a machine that has proved nothing.
//
// A cookie is a truncated HMAC-SHA256. It has to be a MAC: a stranger can choose any number of addresses and nonces
// and see the results, but must not learn from them the result for another address. A fast keyed hash such as XXH3
// would reveal its key to such a stranger.
type cookies struct {
	mac     hash.Hash
	message [35]byte // purpose, address, port, nonce, interval
	sum     [sha256.Size]byte
}

// The first byte of a message is the purpose of its MAC.
const (
	cookieNonce = 1
	cookiePlace = 2
	cookieRun   = 3
)

// init generates a key of 256 bits.
func (c *cookies) init(random func() uint64) {
	key := make([]byte, 0, sha256.Size)
	for range sha256.Size / 8 {
		key = binary.LittleEndian.AppendUint64(key, random())
	}
	c.mac = hmac.New(sha256.New, key)
}

// nonce returns the host's nonce, in an interval, for a machine at an address that has sent the nonce theirs.
func (c *cookies) nonce(from netip.AddrPort, theirs, interval uint64) uint64 {
	return c.tag(cookieNonce, from, theirs, interval)
}

// place returns a number for an IP address. Without the key, it is impossible to search for two addresses with the
// same number.
func (c *cookies) place(from netip.Addr) uint64 {
	return c.tag(cookiePlace, netip.AddrPortFrom(from, 0), 0, 0)
}

// run returns a number derived from the key: it is different after a restart of the process. It is never 0.
func (c *cookies) run() uint64 { return max(c.tag(cookieRun, netip.AddrPort{}, 0, 0), 1) }

// tag returns the first 64 bits of the MAC. It allocates nothing.
func (c *cookies) tag(what byte, from netip.AddrPort, theirs, interval uint64) uint64 {
	ip := from.Addr().As16()
	b := append(append(c.message[:0], what), ip[:]...)
	b = binary.LittleEndian.AppendUint16(b, from.Port())
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, theirs), interval)
	c.mac.Reset()
	c.mac.Write(b)
	return binary.LittleEndian.Uint64(c.mac.Sum(c.sum[:0]))
}
