package dtls

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"time"
)

// cookieTime is how long the same period number is used for cookies; a cookie stays valid for one more period.
const cookieTime = 15 * time.Second

// cookieMaker makes and checks cookies without storing any: a request costs nothing but the answer.
type cookieMaker struct {
	key   [32]byte
	began time.Time
}

func newCookieMaker(now time.Time) *cookieMaker {
	b := &cookieMaker{began: now}
	rand.Read(b.key[:]) // never fails
	return b
}

func (b *cookieMaker) compute(to netip.AddrPort, period int64) cookie {
	m := hmac.New(sha256.New, b.key[:])
	ip := to.Addr().As16()
	m.Write(ip[:])
	var rest [10]byte
	binary.LittleEndian.PutUint16(rest[:], to.Port())
	binary.LittleEndian.PutUint64(rest[2:], uint64(period))
	m.Write(rest[:])
	m.Write([]byte(to.Addr().Zone()))
	return cookie(m.Sum(nil)[:len(cookie{})])
}

func (b *cookieMaker) period(now time.Time) int64 { return int64(now.Sub(b.began) / cookieTime) }

// give makes the cookie for an address.
func (b *cookieMaker) give(to netip.AddrPort, now time.Time) cookie {
	return b.compute(to, b.period(now))
}

// takes reports whether we gave this cookie to an address recently.
func (b *cookieMaker) takes(c cookie, from netip.AddrPort, now time.Time) bool {
	period := b.period(now)
	for p := max(period-1, 0); p <= period; p++ {
		if own := b.compute(from, p); hmac.Equal(own[:], c[:]) {
			return true
		}
	}
	return false
}
