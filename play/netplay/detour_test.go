//go:build !js

package netplay_test

import (
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// detour is another path to a server, which can be closed.
type detour struct {
	page string // by this way

	host, at string // of the server, and of the detour
	mu       sync.Mutex
	closed   bool
	all      []net.Conn
}

func newDetour(t *testing.T, page string) *detour {
	t.Helper()
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &detour{host: u.Host, at: l.Addr().String()}
	d.page = d.around(page)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { d.carry(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		d.close()
		running.Wait()
	})
	return d
}

// around returns a link for this path, and direct one without it.
func (d *detour) around(link string) string { return strings.Replace(link, d.host, d.at, 1) }
func (d *detour) direct(link string) string { return strings.Replace(link, d.at, d.host, 1) }

func (d *detour) carry(c net.Conn) {
	defer c.Close()
	s, err := net.Dial("tcp", d.host)
	if err != nil {
		return
	}
	defer s.Close()
	d.mu.Lock()
	closed := d.closed
	if !closed {
		d.all = append(d.all, c, s)
	}
	d.mu.Unlock()
	if closed {
		return
	}
	var back sync.WaitGroup
	back.Go(func() {
		io.Copy(s, c)
		s.Close()
	})
	io.Copy(c, s)
	c.Close()
	back.Wait()
}

// close breaks all connections, and refuses others until open.
func (d *detour) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for _, c := range d.all {
		c.Close()
	}
	d.all = nil
}

func (d *detour) open() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = false
}
