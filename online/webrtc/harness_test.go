//go:build !js

package webrtc

import (
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
)

var _ tickback.Transport = (*Transport)(nil)

// exchange carries signals between the transports of a test.
type exchange struct {
	mu   sync.Mutex
	all  map[uint32]*Transport
	lose func(from, to uint32, m *message) bool // nil: nothing is lost
}

func newExchange() *exchange { return &exchange{all: map[uint32]*Transport{}} }

// desk is the exchange for one of them.
type desk struct {
	*exchange
	self uint32
}

func (d desk) Signal(to uint32, data string) error {
	d.mu.Lock()
	t, lose := d.all[to], d.lose
	d.mu.Unlock()
	if m, err := decodeSignal(data); t != nil && err == nil && (lose == nil || !lose(d.self, to, &m)) {
		t.Deliver(d.self, data)
	}
	return nil
}

// open makes a transport, which is closed at the end of the test.
func (x *exchange) open(t *testing.T, self uint32, peers ...uint32) *Transport {
	t.Helper()
	c, err := New(Config{Self: self, Signaler: desk{x, self}, Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	x.mu.Lock()
	x.all[self] = c
	x.mu.Unlock()
	c.SetPeers(peers...)
	return c
}

// patience bounds every wait of these tests, which end as soon as the awaited
// condition holds.
const patience = 40 * time.Second

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	deadline := time.After(patience)
	for !is() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatal("in vain: " + what)
		}
	}
}

// connected reports whether a transport has a given number of connected peers.
func connected(c *Transport, n int) bool {
	for _, p := range c.Peers() {
		if p.State == Connected {
			n--
		}
	}
	return n == 0
}
