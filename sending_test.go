package tickback_test

import (
	"bytes"
	"net/netip"
	"sync"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/trace"
	"github.com/tickback/tickback/transport/udp"
)

// tallied is a socket that counts datagrams that are sent one by one, and those that are sent at once.
type tallied struct {
	*udp.Conn
	mu      sync.Mutex
	single  int
	batches []int
}

func (c *tallied) Send(to netip.AddrPort, b []byte) error {
	c.mu.Lock()
	c.single++
	c.mu.Unlock()
	return c.Conn.Send(to, b)
}

func (c *tallied) SendBatch(to []netip.AddrPort, datagrams [][]byte) error {
	c.mu.Lock()
	c.batches = append(c.batches, len(datagrams))
	c.mu.Unlock()
	return c.Conn.SendBatch(to, datagrams)
}

// single is a transport that sends one datagram at a time.
type single struct{ tickback.Transport }

// Rule: a server sends to all its clients at once if its transport can do that, traced or not, at most once in an
// update with a tick. If it cannot, the match is the same. Nothing waits for a later update: a client that gets its
// datagram individually knows the newest state.
func TestAServerSendsAllAtOnce(t *testing.T) {
	for _, way := range []string{"batch", "traced", "single"} {
		t.Run(way, func(t *testing.T) {
			conn, err := udp.ListenPolled("127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			c := &tallied{Conn: conn}
			var traced bytes.Buffer
			x := serve(t, func(o *serverOpts) {
				_ = o.Transport.Close()
				switch o.Transport = c; way {
				case "single":
					o.Transport = single{c}
				case "traced":
					o.Trace = trace.NewWriter(&traced)
				}
			})
			x.at = conn.LocalAddr()
			clients := []*potClient{x.join(nil), x.join(nil), x.join(nil)}
			for _, k := range clients {
				x.until("it plays", knows(k, 30))
			}
			frames := x.server.View().Frame
			x.ticking = 0
			c.mu.Lock()
			c.single, c.batches = 0, nil
			c.mu.Unlock()
			for _, k := range clients {
				x.until("it knows more", knows(k, frames+100))
			}
			ran := x.ticking // a slow machine runs several ticks in one
			c.mu.Lock()
			defer c.mu.Unlock()
			sent := c.single
			for _, n := range c.batches {
				sent += n
			}
			if sent < 2*ran {
				t.Errorf("%d datagrams were sent in %d updates with ticks", sent, ran)
			}
			switch {
			case way == "single" && len(c.batches) > 0, way != "single" && c.single > 0:
				t.Errorf("%d datagrams by themselves, %d batches", c.single, len(c.batches))
			case way != "single" && len(c.batches) > ran+ran/2:
				t.Errorf("%d batches in %d updates with ticks", len(c.batches), ran)
			}
		})
	}
}
