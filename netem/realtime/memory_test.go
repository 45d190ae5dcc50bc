package realtime_test

import (
	"errors"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/netem/realtime"
)

const ms = time.Millisecond

var (
	alice = netip.MustParseAddrPort("127.0.0.1:1")
	bob   = netip.MustParseAddrPort("127.0.0.1:2")
)

// memory is a transport that stores sent datagrams, and receives the ones that a test provides.
type memory struct {
	mu     sync.Mutex
	begin  time.Time
	sent   []sending
	fail   error         // of Send
	hang   chan struct{} // Send waits for it
	notify chan struct{}
	closes int
}

type sending struct {
	at   time.Duration
	to   netip.AddrPort
	text string
}

var errClose = errors.New("an error of Close")

func newMemory() *memory { return &memory{begin: time.Now(), notify: make(chan struct{}, 1)} }

func (m *memory) Send(to netip.AddrPort, datagram []byte) error {
	if m.hang != nil {
		<-m.hang
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent = append(m.sent, sending{time.Since(m.begin), to, string(datagram)})
	return m.fail
}

func (m *memory) Receive(buf []byte) (int, netip.AddrPort, time.Time, bool) {
	return copy(buf, "received"), bob, m.begin, true
}

func (m *memory) Notify() <-chan struct{} { return m.notify }

func (m *memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closes++
	if m.hang != nil {
		close(m.hang)
	}
	return errClose
}

func (m *memory) all() []sending {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]sending(nil), m.sent...)
}

// wrap wraps a new transport, and closes it at the end of the test.
func wrap(t *testing.T, l netem.Link) (*realtime.Impaired, *memory) {
	t.Helper()
	m := newMemory()
	i, err := realtime.Wrap(m, l, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { i.Close() })
	return i, m
}

func send(t *testing.T, i *realtime.Impaired, to netip.AddrPort, text string) {
	t.Helper()
	if err := i.Send(to, []byte(text)); err != nil {
		t.Fatal(err)
	}
}
