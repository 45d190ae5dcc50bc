//go:build !js

package webrtc

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/online/internal/turntest"
)

// A STUN server returns the address that others see: it is one of the candidates that
// are offered.
func TestSTUN(t *testing.T) {
	server := turntest.Start(t, "")
	for _, ice := range [][]ICEServer{nil, {{URLs: []string{server.STUN}}}} {
		x := newExchange()
		reflexive := 0
		x.lose = func(from, _ uint32, m *message) bool {
			x.mu.Lock()
			defer x.mu.Unlock()
			if m.Kind == sayCandidate && from == 1 && strings.Contains(m.Candidate.Text, "typ srflx") {
				reflexive++
			}
			return false
		}
		a, err := New(Config{Self: 1, Signaler: desk{x, 1}, Loopback: true, ICE: ice})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		x.mu.Lock()
		x.all[1] = a
		x.mu.Unlock()
		a.SetPeers(2)
		b := x.open(t, 2, 1)
		eventually(t, "connected", func() bool { return connected(a, 1) && connected(b, 1) })
		seen := func() int { x.mu.Lock(); defer x.mu.Unlock(); return reflexive }
		if ice == nil && seen() != 0 { // the negative control
			t.Error("without a server there is a reflexive address")
		} else if ice != nil {
			eventually(t, "a reflexive address", func() bool { return seen() > 0 })
		}
	}
}
