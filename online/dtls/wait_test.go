package dtls

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/transport/udp"
)

// patient is a socket that notes how it is asked to wait, and does not.
type patient struct {
	tickback.Transport
	waits []time.Duration
}

func (p *patient) Wait(d time.Duration, wake bool) {
	if wake {
		d = -d
	}
	p.waits = append(p.waits, d)
}

// Rule: a wait that no datagram ends is that of the transport below. One that a datagram ends is not: what arrives there
// may be no datagram of a peer, and another goroutine receives it.
func TestAWaitIsThatOfTheSocket(t *testing.T) {
	conn, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	under := &patient{Transport: conn}
	tr, err := New(under, Config{Token: tickback.NewToken()})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	tickback.WaitFor(tr, time.Hour, false)
	tickback.WaitFor(tr, time.Millisecond, true)
	if len(under.waits) != 1 || under.waits[0] != time.Hour {
		t.Errorf("the socket waited for %v", under.waits)
	}
	bare, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := New(told{bare}, Config{Token: tickback.NewToken()})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	begin := time.Now()
	tickback.WaitFor(plain, 10*time.Millisecond, false)
	if d := time.Since(begin); d < 10*time.Millisecond {
		t.Errorf("over a transport that cannot wait, it returned after %v", d)
	}
}
