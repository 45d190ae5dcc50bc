package joint_test

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/transport/joint"
	"github.com/tickback/tickback/transport/memory"
	"github.com/tickback/tickback/transport/udp"
)

var (
	_ tickback.Transport   = (*joint.Transport)(nil)
	_ tickback.BatchSender = (*joint.Transport)(nil)
)

// receive waits for a datagram.
func receive(t *testing.T, c joint.Part) (text string, from netip.AddrPort) {
	t.Helper()
	buf := make([]byte, 100)
	for range 100 {
		n, from, _, ok := c.Receive(buf)
		if ok {
			return string(buf[:n]), from
		}
		select {
		case <-c.Notify():
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatal("nothing has come")
	return "", from
}

func listen(t *testing.T) *udp.Conn {
	t.Helper()
	c, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// both is a transport over a network in memory and over UDP, with another machine in each of them.
func both(t *testing.T) (j *joint.Transport, inside, outside *udpOrMemory) {
	network, here := memory.New(), listen(t)
	home := network.Open()
	j = joint.New(
		joint.Route{Part: home, Owns: memory.Owns},
		joint.Route{Part: here, Owns: func(netip.AddrPort) bool { return true }},
	)
	t.Cleanup(func() { j.Close() })
	client, far := network.Open(), listen(t)
	return j, &udpOrMemory{client, client.LocalAddr(), home.LocalAddr()}, &udpOrMemory{far, far.LocalAddr(), here.LocalAddr()}
}

type udpOrMemory struct {
	joint.Part
	at, other netip.AddrPort
}

// Datagrams are sent and received by the part that owns the address.
func TestEachAddressHasItsPart(t *testing.T) {
	j, inside, outside := both(t)
	for range 3 {
		for name, c := range map[string]*udpOrMemory{"inside": inside, "outside": outside} {
			if err := c.Send(c.other, []byte("from "+name)); err != nil {
				t.Fatal(err)
			}
			if text, from := receive(t, j); text != "from "+name || from != c.at {
				t.Fatalf("%q from %v", text, from)
			}
			if err := j.Send(c.at, []byte("to "+name)); err != nil {
				t.Fatal(err)
			}
			if text, _ := receive(t, c); text != "to "+name {
				t.Fatalf("%q", text)
			}
		}
	}
	if err := joint.New().Send(inside.at, nil); !errors.Is(err, joint.ErrNoRoute) {
		t.Error(err)
	}
}

// A flood in one part does not affect the other.
func TestPartsTakeTurns(t *testing.T) {
	j, inside, outside := both(t)
	for range 50 {
		if err := inside.Send(inside.other, []byte("flood")); err != nil {
			t.Fatal(err)
		}
	}
	if err := outside.Send(outside.other, []byte("news")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond) // until it is there
	for i := range 2 {
		if text, _ := receive(t, j); text == "news" {
			return
		} else if i == 1 {
			t.Errorf("%q comes second", text)
		}
	}
}

// A datagram whose sender has an address of another part is dropped.
func TestForgedAddresses(t *testing.T) {
	network := memory.New()
	home, other := network.Open(), network.Open()
	j := joint.New(
		joint.Route{Part: listen(t), Owns: memory.Owns}, // the addresses are its own, and it never uses them
		joint.Route{Part: home, Owns: memory.Owns},
	)
	defer j.Close()
	if err := other.Send(home.LocalAddr(), []byte("I am somebody else")); err != nil {
		t.Fatal(err)
	}
	if _, _, _, ok := j.Receive(make([]byte, 100)); ok || j.Strays() != 1 {
		t.Errorf("it was received; %d strays", j.Strays())
	}
}

// A part that is closed does not end the others.
func TestAPartThatIsClosed(t *testing.T) {
	j, inside, outside := both(t)
	closed := memory.New().Open()
	closed.Close()
	k := joint.New(joint.Route{Part: closed, Owns: memory.Owns})
	if err := k.Send(inside.at, nil); !errors.Is(err, joint.ErrPart) || errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if err := errors.Join(j.Close(), j.Close()); err != nil {
		t.Error(err)
	}
	if err := j.Send(outside.at, nil); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// Rule: of a batch, each part sends its own datagrams, in order, whether it sends several at once or not. A datagram
// without a route does not delay the others; a closed part is not the end, and a closed transport is.
func TestABatchGoesToAllParts(t *testing.T) {
	j, inside, outside := both(t)
	to := []netip.AddrPort{outside.at, outside.at, inside.at, outside.at, inside.at, inside.at, outside.at}
	datagrams := [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("d"), []byte("e"), []byte("f"), []byte("g")}
	if err := j.SendBatch(to, datagrams); err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		where *udpOrMemory
		texts string
	}{{outside, "abdg"}, {inside, "cef"}} {
		for _, want := range k.texts {
			if got, from := receive(t, k.where.Part); got != string(want) || from != k.where.other {
				t.Errorf("%q came from %v, want %q", got, from, want)
			}
		}
	}
	lone := joint.New(joint.Route{Part: listen(t), Owns: func(a netip.AddrPort) bool { return a == outside.at }})
	err := lone.SendBatch([]netip.AddrPort{inside.at, outside.at, outside.at}, datagrams[:3])
	if first, _ := receive(t, outside.Part); first != "b" || !errors.Is(err, joint.ErrNoRoute) {
		t.Errorf("%q came, and the error is %v", first, err)
	}
	lone.Close()
	if err := lone.SendBatch(to[:2], datagrams[:2]); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	closed := listen(t)
	rest := joint.New(joint.Route{Part: closed, Owns: func(netip.AddrPort) bool { return true }})
	defer rest.Close()
	closed.Close()
	if err := rest.SendBatch(to[:2], datagrams[:2]); !errors.Is(err, joint.ErrPart) || errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// silent is a part that does not notify of arrivals.
type silent struct{ joint.Part }

func (silent) Notify() <-chan struct{} { return nil }

// Rule: a transport with a part that does not notify does not notify either, so that the caller polls; datagrams from
// all parts are received.
func TestAPartThatDoesNotTell(t *testing.T) {
	network, here := memory.New(), listen(t)
	home, client := network.Open(), network.Open()
	j := joint.New(
		joint.Route{Part: home, Owns: memory.Owns},
		joint.Route{Part: silent{here}, Owns: func(netip.AddrPort) bool { return true }},
	)
	t.Cleanup(func() { j.Close() })
	if j.Notify() != nil {
		t.Error("it tells of arrivals, of which it hears only some")
	}
	if err := client.Send(home.LocalAddr(), []byte("inside")); err != nil {
		t.Fatal(err)
	}
	if text, _ := receive(t, j); text != "inside" {
		t.Errorf("%q", text)
	}
	if err := listen(t).Send(here.LocalAddr(), []byte("outside")); err != nil {
		t.Fatal(err)
	}
	if text, _ := receive(t, j); text != "outside" {
		t.Errorf("%q", text)
	}
}
