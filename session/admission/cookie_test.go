package admission

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// ask is a host as a stranger sees it: it answers a nonce from an address with the host's
// nonce, sent to that address.
type ask func(from netip.AddrPort, theirs uint64) uint64

// cookieHost answers with cookies.
func cookieHost(seed, interval uint64) ask {
	var c cookies
	c.init(counting(seed * 1_000_003))
	return func(from netip.AddrPort, theirs uint64) uint64 { return c.nonce(from, theirs, interval) }
}

// chainHost answers as hosts once did: with a chain of XXH3, whose secret goes in first.
func chainHost(secret, interval uint64) ask {
	return func(from netip.AddrPort, theirs uint64) uint64 {
		ip := from.Addr().As16()
		k := uint64(datagram.KeyOf(secret, binary.LittleEndian.Uint64(ip[:])))
		k = uint64(datagram.KeyOf(k, binary.LittleEndian.Uint64(ip[8:])))
		k = uint64(datagram.KeyOf(k, uint64(from.Port())|interval<<16))
		return uint64(datagram.KeyOf(k, theirs))
	}
}

// XXH3 of two words x and y is, with these constants, a bijection of
//
//	16 + swap(a) + b + fold(a*b),  a = x^xorX, b = y^xorY
//
// where fold is the exclusive or of both halves of the product.
const (
	xorX = 0x1f67b3b7a4a44072 ^ 0x78e5c0cc4ee679cb
	xorY = 0x2172ffcc7dd05a82 ^ 0x8e2443f7744608b8
)

// uncover undoes the bijection.
func uncover(h uint64) uint64 {
	h ^= h >> 32
	h *= inverse(0x165667919e3779f9)
	return h ^ h>>37
}

// inverse returns the inverse of an odd number modulo 2^64.
func inverse(n uint64) uint64 {
	x := n
	for range 6 {
		x *= 2 - n*x
	}
	return x
}

// innerKey is what XXH3 was given first, if it is given what makes the product vanish
// second.
func innerKey(answer uint64) uint64 { return bits.ReverseBytes64(uncover(answer)-16) ^ xorX }

// portKey finds what XXH3 was given first from its values with eight second words that
// differ in their last three bits alone: base ^ 0 to base ^ 7. The product for base+t is
// that for base plus t times a, so its low half is L + t*a, and its high half H plus a
// carry, which is guessed. The rest follows from the lowest bit upwards.
func portKey(h [8]uint64, base uint64) (x uint64, ok bool) {
	b := (base ^ xorY) &^ 7
	var f [8]uint64 // by t: swap(a) + fold
	for i, v := range h {
		t := (base ^ uint64(i) ^ xorY) & 7
		f[t] = uncover(v) - 16 - (b + t)
	}
	for carry := range carries() {
		if a, ok := grow(&f, &carry, b, 0, [3]uint64{}); ok {
			return a ^ xorX, true
		}
	}
	return 0, false
}

// carries yields how often t*a and what is there before can overflow, for t up to 7.
func carries() map[[8]uint64]bool {
	all := map[[8]uint64]bool{}
	for a := range uint64(128) {
		for low := range uint64(128) {
			var c [8]uint64
			for t := range c {
				c[t] = (low + uint64(t)*a) >> 7
			}
			all[c] = true
		}
	}
	return all
}

// grow finds the bits of a, of swap(a), and of H from bit n on.
func grow(f, carry *[8]uint64, b uint64, n int, known [3]uint64) (a uint64, ok bool) {
	if n == 64 {
		return known[0], known[1] == bits.ReverseBytes64(known[0])
	}
	for guess := range uint64(8) {
		a, s, h := known[0]|guess&1<<n, known[1]|guess>>1&1<<n, known[2]|guess>>2<<n
		fits := true
		for t := range uint64(8) {
			v := s + (a*(b+t) ^ (h + carry[t]))
			fits = fits && (v^f[t])<<(63-n) == 0
		}
		if !fits {
			continue
		}
		if found, ok := grow(f, carry, b, n+1, [3]uint64{a, s, h}); ok {
			return found, true
		}
	}
	return 0, false
}

// steal asks a host from eight ports of one address, and predicts its answers there at
// any other port, to any nonce.
func steal(host ask, own netip.Addr, interval uint64) (predict ask, ok bool) {
	const base = 40000
	var keys [8]uint64
	for i := range keys {
		keys[i] = innerKey(host(netip.AddrPortFrom(own, base^uint16(i)), xorY))
	}
	k, ok := portKey(keys, base|interval<<16)
	return func(from netip.AddrPort, theirs uint64) uint64 {
		return uint64(datagram.KeyOf(uint64(datagram.KeyOf(k, uint64(from.Port())|interval<<16)), theirs))
	}, ok
}

// A machine that asks from its own addresses learns nothing about answers at another
// address. Against a chain of XXH3, eight answers gave the key of an address, and with it
// the answers at ports that have never asked: so it ended with the whole secret.
func TestACookieDoesNotTellAnotherOne(t *testing.T) {
	own := netip.MustParseAddr("192.0.2.7")
	other := netip.AddrPortFrom(own, 50001)
	for seed := range uint64(8) {
		interval := 3 + seed
		old := chainHost(seed*0x9E3779B97F4A7C15+1, interval)
		predict, ok := steal(old, own, interval)
		if !ok || predict(other, 12345) != old(other, 12345) {
			t.Errorf("seed %d: the attack fails where it must succeed: this tests nothing", seed)
		}
		host := cookieHost(seed, interval)
		if predict, ok = steal(host, own, interval); ok && predict(other, 12345) == host(other, 12345) {
			t.Errorf("seed %d: a cookie was forged", seed)
		}
	}
}

// Any change to an input of a cookie (an address, a port, a nonce, an interval, the key)
// changes half of its bits. The same inputs give the same cookie, and the numbers that
// limit answers are different ones.
func TestACookieDependsOnAll(t *testing.T) {
	var c, other cookies
	c.init(counting(1))
	other.init(counting(2))
	at := netip.MustParseAddrPort("192.0.2.7:40000")
	first := c.nonce(at, 5, 6)
	want(t, "the same again", c.nonce(at, 5, 6), first)
	ip := at.Addr().As16()
	ip[15] ^= 1
	for what, v := range map[string]uint64{
		"IP address": c.nonce(netip.AddrPortFrom(netip.AddrFrom16(ip).Unmap(), 40000), 5, 6),
		"port":       c.nonce(netip.AddrPortFrom(at.Addr(), 40001), 5, 6),
		"nonce":      c.nonce(at, 4, 6), "interval": c.nonce(at, 5, 7), "key": other.nonce(at, 5, 6),
		"purpose": c.place(at.Addr()),
	} {
		if d := bits.OnesCount64(v ^ first); d < 10 || d > 54 {
			t.Errorf("another %s changes %d bits", what, d)
		}
	}
	if c.nonce(netip.AddrPortFrom(at.Addr(), 0), 0, 0) == c.place(at.Addr()) {
		t.Error("a cookie is what bounds the answers")
	}
	seen := map[uint64]bool{}
	for i := range uint32(4096) { // a /20 of addresses
		a := netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, 0xC0000000|i)))
		seen[c.nonce(netip.AddrPortFrom(a, 1), 0, 0)] = true
	}
	want(t, "different cookies", len(seen), 4096)
}

// A cookie costs no allocation: strangers may ask as often as they like.
func TestACookieAllocatesNothing(t *testing.T) {
	var c cookies
	c.init(counting(1))
	at := netip.MustParseAddrPort("192.0.2.7:40000")
	if n := testing.AllocsPerRun(100, func() { c.nonce(at, 5, 6) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// One cookie, of which a Hello costs two, and an Attach two or three.
func BenchmarkCookie(b *testing.B) {
	var c cookies
	c.init(counting(1))
	at := netip.MustParseAddrPort("192.0.2.7:40000")
	for b.Loop() {
		c.nonce(at, 5, 6)
	}
}
