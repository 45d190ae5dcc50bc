package udp

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// post has what a batch sends: datagrams to several sockets, each of which knows what to expect.
type post struct {
	to        []netip.AddrPort
	datagrams [][]byte
}

func (p *post) add(to netip.AddrPort, text string) {
	p.to, p.datagrams = append(p.to, to), append(p.datagrams, []byte(text))
}

// listenPolled opens a socket with ListenPolled, which is the same as Listen where the system does not support polling.
func listenPolled(t testing.TB, address string) *Conn {
	t.Helper()
	return opened(t, ListenPolled, address)
}

// outcomes says in words what happened to a batch.
func outcomes(t *testing.T, c *Conn, p *post, receivers []*Conn, err error) string {
	t.Helper()
	var text strings.Builder
	fmt.Fprintln(&text, "error:", err != nil)
	for i, r := range receivers {
		send(t, c, p.to[i], "end")
		for n := 0; ; n++ {
			got, from, _ := receive(t, r)
			if got == "end" {
				break
			}
			if from.Port() != c.LocalAddr().Port() {
				t.Errorf("%q came from %v", got, from)
			}
			fmt.Fprintf(&text, "%d:%q ", i, got)
		}
		fmt.Fprintln(&text)
	}
	s := c.Stats()
	fmt.Fprintln(&text, s.Sent, s.SentBytes, s.SendErrors)
	return text.String()
}

// Rule: a batch has the effect of several calls of Send: to several addresses, of both families, with more datagrams
// than a system call accepts, and with some that cannot be sent; its error is the first one. This is also true where
// the system can only send one at a time.
func TestABatchIsOneSendAfterTheOther(t *testing.T) {
	for _, c := range []struct {
		address   string
		receivers []string
		loopback  []string
		bad       string // an address to which the socket cannot send
	}{
		{"127.0.0.1:0", []string{"127.0.0.1:0", "127.0.0.1:0", "0.0.0.0:0"}, []string{"127.0.0.1", "127.0.0.1", "127.0.0.1"}, "192.0.2.1:9"},
		{":0", []string{"127.0.0.1:0", "[::1]:0", "127.0.0.1:0"}, []string{"127.0.0.1", "::1", "::ffff:127.0.0.1"}, "127.0.0.1:0"},
		{"[::1]:0", []string{"[::1]:0", "[::1]:0"}, []string{"::1", "::1"}, "127.0.0.1:9"},
	} {
		t.Run(c.address, func(t *testing.T) {
			var seen [3]string
			for way := range seen {
				conn := listen(t, c.address)
				if way == 1 {
					conn = listenPolled(t, c.address)
				}
				if way == 2 {
					conn.batch = nil
				}
				var receivers []*Conn
				var p post
				for i, r := range c.receivers {
					receivers = append(receivers, listen(t, r))
					p.add(on(c.loopback[i], receivers[i]), "")
				}
				for i := range 3*batchDatagrams + 7 {
					p.add(p.to[i*(i+1)/2%len(receivers)], fmt.Sprintf("number %d", i))
					if i%17 == 5 {
						p.add(netip.MustParseAddrPort(c.bad), "nowhere")
						p.add(p.to[0], strings.Repeat("x", MaxDatagram+1))
					}
				}
				err := conn.SendBatch(p.to, p.datagrams)
				var wrong *Error
				if !errors.As(err, &wrong) || wrong.Address != c.bad {
					t.Errorf("way %d: %v", way, err)
				}
				seen[way] = outcomes(t, conn, &p, receivers, err)
			}
			if seen[0] != seen[2] || seen[1] != seen[2] {
				t.Errorf("read by a goroutine:\n%s\npolled:\n%s\none at a time:\n%s", seen[0], seen[1], seen[2])
			}
			if n := strings.Count(seen[0], "number"); n != 3*batchDatagrams+7 {
				t.Errorf("%d have come", n)
			}
		})
	}
}

// Rule: a closed socket reports that, whatever else is wrong.
func TestABatchOnAClosedSocket(t *testing.T) {
	for _, c := range []*Conn{listen(t, "127.0.0.1:0"), listenPolled(t, "127.0.0.1:0")} {
		var p post
		p.add(netip.AddrPort{}, "bad")
		p.add(c.LocalAddr(), "x")
		p.add(c.LocalAddr(), "y")
		c.Close()
		if err := c.SendBatch(p.to, p.datagrams); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		if err := c.SendBatch(nil, nil); err != nil {
			t.Errorf("nothing: %v", err)
		}
	}
}

// Rule: several goroutines may send batches at the same time. Each is complete and in order.
func TestBatchesOfSeveralGoroutines(t *testing.T) {
	a, b := listenPolled(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	const senders, each = 4, 45
	var all sync.WaitGroup
	for s := range senders {
		all.Go(func() {
			var p post
			for i := range each {
				p.add(b.LocalAddr(), fmt.Sprint(s, i))
			}
			if err := a.SendBatch(p.to, p.datagrams); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var next [senders]int
	for range senders * each {
		text, _, _ := receive(t, b)
		var s, i int
		if _, err := fmt.Sscan(text, &s, &i); err != nil || i != next[s] {
			t.Fatalf("%q came, and %d was next of %d", text, next[s], s)
		}
		next[s]++
	}
}
