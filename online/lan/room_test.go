package lan

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/transport/udp"
)

// testTime bounds what a test waits for.
const testTime = 30 * time.Second

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), testTime)
	t.Cleanup(cancel)
	return ctx
}

func config(name string) online.Config {
	return online.Config{GameID: "duel", Build: "test", Name: name, Seats: 2, Spectators: 2}
}

// host makes a room on loopback that can be found at a port of its own.
func host(t *testing.T) (*Host, int) {
	t.Helper()
	free, err := net.ListenUDP("udp4", nil)
	if err != nil {
		t.Fatal(err)
	}
	port := free.LocalAddr().(*net.UDPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	h, err := Create(within(t), Options{Listen: "127.0.0.1:0", SearchPort: port}, config("Ada"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h, port
}

func join(t *testing.T, address, name string) *online.Room {
	t.Helper()
	o, err := Ask(within(t), address)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Join(within(t), o, config(name))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// until waits until a condition holds.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testTime); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// play plays the match of a room with a bot, to its end.
func play(ctx context.Context, r *online.Room, frames tickback.Frame) (o tickback.Outcome, err error) {
	if err := r.Wait(ctx); err != nil {
		return o, err
	}
	game, err := duel.Game(7)
	if err != nil {
		return o, err
	}
	var m *tickback.Match[duel.State, duel.Input]
	m, err = online.Play(r, game, tickback.Options[duel.State, duel.Input]{
		Match: tickback.Parameters{Seed: 7, Frames: frames},
		Sample: func(p tickback.Player) duel.Input {
			v := m.View()
			return duel.Bot{Seed: 3}.Input(p, v.Frame, v.Current)
		},
	})
	if err != nil {
		return o, err
	}
	defer m.Close()
	for ctx.Err() == nil {
		wait, err := m.Update()
		if o, over := m.Outcome(); over {
			return o, nil // the other one may have gone already
		} else if err != nil {
			return o, err
		}
		m.Wait(wait)
	}
	return o, ctx.Err()
}

// A host is found, and two play a match and another one over UDP, and agree.
func TestTwoPlayOnANetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays in real time")
	}
	h, port := host(t)
	s, err := NewSearch(port)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	until(t, "the host is found", func() bool { return len(s.Found()) == 1 })
	o := s.Found()[0]
	if o.Name != "Ada" || o.Seats != 2 || o.Taken != 1 || o.Address != h.Addresses()[0] || o.Room != "" {
		t.Errorf("found: %+v", o)
	}
	guest, err := Join(within(t), o, config("Bo"))
	if err != nil {
		t.Fatal(err)
	}
	defer guest.Close()
	for n := range 2 {
		until(t, "the guest is connected", func() bool {
			p := h.Room.Peers()
			return len(p) == 1 && p[0].State == peers.Connected && h.Room.State().Match == 0
		})
		if err := h.Room.Start(); err != nil {
			t.Fatal(err)
		}
		var ends [2]tickback.Outcome
		var errs [2]error
		var both sync.WaitGroup
		for i, r := range []*online.Room{h.Room, guest} {
			both.Go(func() { ends[i], errs[i] = play(within(t), r, 90) })
		}
		both.Wait()
		if a, b := ends[0], ends[1]; a.Frames != 90 || a.Hash != b.Hash || b.Frames != 90 || a.Health != tickback.Healthy || errs != [2]error{} {
			t.Errorf("match %d ends with %+v and %+v, %v", n+1, a, b, errs)
		}
	}
}

// Each reason for not getting in has its own error.
func TestErrorsOfGettingIn(t *testing.T) {
	if _, err := Ask(within(t), "nobody there"); !errors.Is(err, ErrAddress) {
		t.Errorf("no address: %v", err)
	}
	if _, err := Ask(within(t), "nobody.invalid"); !errors.Is(err, ErrNobody) {
		t.Errorf("no name: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	if _, err := Create(within(t), Options{Listen: at}, config("Ada")); !errors.Is(err, ErrInUse) {
		t.Errorf("a port in use: %v", err)
	}
	for _, nowhere := range []string{"192.0.2.77:0", "127.0.0.1:x", "127.0.0.1"} {
		if _, err := Create(within(t), Options{Listen: nowhere}, config("Ada")); !errors.Is(err, ErrListen) {
			t.Errorf("%s: %v", nowhere, err)
		}
	}
	go func() {
		if c, err := l.Accept(); err == nil {
			_, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = c.Write([]byte("HTTP/1.0 200 OK\r\n\r\n" + strings.Repeat("x", 1<<16)))
			_ = c.Close()
		}
	}()
	if _, err := Ask(within(t), at); !errors.Is(err, ErrNoHost) {
		t.Errorf("something else: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Ask(within(t), at); !errors.Is(err, ErrNobody) || err.Error() != "lan: nobody hosts there: "+at+": connection refused" {
		t.Errorf("nobody: %v", err)
	}
	h, _ := host(t)
	o, err := Ask(within(t), h.Addresses()[0])
	if err != nil {
		t.Fatal(err)
	}
	var mismatch *rooms.MismatchError
	other := config("Bo")
	other.Build = "older"
	if _, err := Join(within(t), o, other); !errors.As(err, &mismatch) || mismatch.Rooms != "test" {
		t.Errorf("another build: %v", err)
	}
	if _, err := online.Create(within(t), "http://"+h.Addresses()[0]+"/", config("Cy")); !errors.Is(err, rooms.ErrServerFull) {
		t.Errorf("a stranger's room: %v", err)
	}
	defer join(t, h.Addresses()[0], "Bo").Close()
	third := config("Cy")
	third.Role = rooms.Player
	if _, err := Join(within(t), o, third); !errors.Is(err, rooms.ErrFull) {
		t.Errorf("no seat: %v", err)
	}
}

// Members of a room whose host ends are notified.
func TestAHostThatEnds(t *testing.T) {
	h, err := Create(within(t), Options{Listen: "127.0.0.1:0", SearchPort: -1}, config("Ada"))
	if err != nil {
		t.Fatal(err)
	}
	guest := join(t, h.Addresses()[0], "Bo")
	defer guest.Close()
	for range 2 {
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "the guest knows", func() bool { return errors.Is(guest.Err(), rooms.ErrShutdown) })
	if _, err := Ask(within(t), h.Addresses()[0]); !errors.Is(err, ErrNobody) {
		t.Errorf("the port is still open: %v", err)
	}
}

// inbox collects the signals of a transport.
type box chan string

func (b box) Signal(_ uint32, text string) error { b <- text; return nil }

// Datagrams of strangers are ignored: those without a key, with a wrong one, and those that are no probe.
func TestStrangersAreNotHeard(t *testing.T) {
	const us, them = 1, 2
	signals := make(box, 64)
	a, err := NewTransport("127.0.0.1:0", us, signals, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.SetPeers(them, 0, us)
	g, err := decodeGreeting(<-signals)
	if err != nil || len(a.Peers()) != 1 {
		t.Fatal(err, a.Peers())
	}
	them1, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer them1.Close()
	send := func(b []byte) {
		if err := them1.Send(a.LocalAddr(), b); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []probe{{asks, 9, g.mine}, {asks, 5, g.mine + 1}, {3, 5, g.mine}, {answers, 0, g.mine}} {
		b := p.encode()
		send(b[:])
	}
	send([]byte("T"))
	send(bytes.Repeat([]byte{0x80}, 40))
	send(make([]byte, 1300))
	a.Deliver(them, "garbage")
	a.Deliver(7, (&greeting{mine: 5}).encode())
	until(t, "all have come", func() bool { return a.stats.strangers.Load() == 6 && a.stats.badSignals.Load() == 1 })
	if p := a.Peers()[0]; p.State != peers.Connecting {
		t.Errorf("%+v", p)
	}
	if err := a.Send(peers.AddrOf(them), []byte{1}); !errors.Is(err, ErrNotConnected) {
		t.Errorf("sent to nowhere: %v", err)
	}
	// The real one is heard, from then on.
	a.Deliver(them, (&greeting{5, g.mine, []netip.AddrPort{them1.LocalAddr()}}).encode())
	for _, p := range []probe{{answers, 5, g.mine + 1}, {answers, 6, g.mine}} { // for another, and of another
		b := p.encode()
		send(b[:])
	}
	until(t, "they have come", func() bool { return a.stats.strangers.Load() == 8 })
	if p := a.Peers()[0]; p.State != peers.Connecting {
		t.Errorf("%+v", p)
	}
	yes := probe{answers, 5, g.mine}.encode()
	send(yes[:])
	send([]byte{0x80, 7})
	var buf [64]byte
	n, from := 0, netip.AddrPort{}
	until(t, "the datagram is there", func() (ok bool) { n, from, _, ok = a.Receive(buf[:]); return ok })
	if n != 2 || buf[1] != 7 || from != peers.AddrOf(them) {
		t.Errorf("%d bytes from %v", n, from)
	}
	if n := a.stats.strangers.Load(); n != 8 {
		t.Errorf("the real one is counted among %d strangers", n)
	}
	if err := a.Send(peers.AddrOf(them), make([]byte, 1200)); err != nil {
		t.Error(err)
	}
	if err := a.Send(peers.AddrOf(them), make([]byte, 1201)); !errors.Is(err, ErrTooLong) {
		t.Errorf("a datagram of 1201 bytes: %v", err)
	}
	// With another key it is another transport: datagrams that still arrive from the earlier one are a stranger's.
	a.Deliver(them, (&greeting{mine: 6, yours: g.mine}).encode())
	send([]byte{0x80, 8})
	until(t, "what the earlier one sends has come", func() bool { return a.stats.strangers.Load() == 9 })
	if _, _, _, ok := a.Receive(buf[:]); ok {
		t.Error("a datagram of the earlier one is received")
	}
	a.SetPeers()
	if err := a.Send(peers.AddrOf(them), []byte{1}); !errors.Is(err, ErrNoPeer) {
		t.Errorf("sent to nobody: %v", err)
	}
}

// Sending and receiving allocate nothing.
func TestTrafficAllocatesNothing(t *testing.T) {
	lines := [2]box{make(box, 64), make(box, 64)}
	var ends [2]*Transport
	for i := range ends {
		a, err := NewTransport("127.0.0.1:0", uint32(i+1), lines[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		ends[i] = a
		a.SetPeers(1, 2)
	}
	until(t, "they are connected", func() bool {
		for i := range lines {
			for len(lines[i]) > 0 {
				ends[1-i].Deliver(uint32(i+1), <-lines[i])
			}
		}
		return ends[0].Peers()[0].State == peers.Connected && ends[1].Peers()[0].State == peers.Connected
	})
	datagram, buf := bytes.Repeat([]byte{0x80}, 300), make([]byte, 1200)
	got := 0
	if n := testing.AllocsPerRun(300, func() {
		_ = ends[0].Send(peers.AddrOf(2), datagram)
		for {
			if _, _, _, ok := ends[1].Receive(buf); !ok {
				break
			}
			got++
		}
	}); n > 0.5 { // probes once a second, and timers, may coincide with it
		t.Errorf("%v allocations", n)
	}
	until(t, "something has arrived", func() bool { _, _, _, ok := ends[1].Receive(buf); return ok || got > 0 })
}

// Addresses are listed in the order of their usefulness.
func TestNetworks(t *testing.T) {
	var n network
	for _, p := range []string{"127.0.0.1/8", "192.168.1.5/24", "fe80::1/64", "2001:db8::1/64", "10.0.0.1/31"} {
		n.add(netip.MustParsePrefix(p), "if"+strconv.Itoa(len(n.addrs)))
	}
	if len(n.casts) != 2 || n.casts[1] != netip.MustParseAddr("192.168.1.255") || n.casts[0] != netip.MustParseAddr("127.255.255.255") {
		t.Errorf("broadcasts: %v", n.casts)
	}
	if got := n.called(ways("[fe80::9]:1", "10.0.0.1:1")); len(got) != 2 || got[0].Addr().Zone() != "if2" {
		t.Errorf("called: %v", got)
	}
	if got, want := n.called(ways("[2001:db8::9]:1", "169.254.1.1:2")), ways("[2001:db8::9]:1", "169.254.1.1:2"); !slices.Equal(got, want) {
		t.Errorf("called: %v, want %v", got, want)
	}
	if got := n.ways(netip.MustParseAddrPort("0.0.0.0:9")); len(got) != 3 || got[0].Port() != 9 {
		t.Errorf("of a socket for IPv4: %v", got)
	}
	if got := n.ways(netip.MustParseAddrPort("127.0.0.1:9")); len(got) != 1 {
		t.Errorf("of a socket for one address: %v", got)
	}
	for _, p := range []string{"169.254.7.7/16", "203.0.113.9/24", "172.16.0.4/12", "2001:db8::2/64"} {
		n.add(netip.MustParsePrefix(p), "other")
	}
	var order, told []string
	for _, a := range n.addrs { // first those that are likely to be useful, and in their original order among these
		order = append(order, a.String())
	}
	if got, want := strings.Join(order, " "), "192.168.1.5 10.0.0.1 172.16.0.4 203.0.113.9 2001:db8::1 2001:db8::2 fe80::1 169.254.7.7 127.0.0.1"; got != want {
		t.Errorf("the addresses are %s, want %s", got, want)
	}
	for _, a := range n.elsewhere() {
		told = append(told, a.String())
	}
	if got, want := strings.Join(told, " "), "192.168.1.5 10.0.0.1 172.16.0.4 203.0.113.9 2001:db8::1 2001:db8::2 169.254.7.7"; got != want {
		t.Errorf("others are told %s, want %s", got, want)
	}
	for i := range 6 {
		n.add(netip.MustParsePrefix(fmt.Sprintf("fe80::%d/64", i+2)), fmt.Sprintf("more%d", i))
	}
	if got := n.called(ways("[fe80::9]:1")); len(got) != 4 {
		t.Errorf("on seven networks a link-local address is called %v, want four of them", got)
	}
	for i := range 9 {
		n.add(netip.MustParsePrefix(fmt.Sprintf("10.9.%d.1/24", i)), "even more")
	}
	if got := n.ways(netip.MustParseAddrPort("[::]:9")); len(got) != 16 {
		t.Errorf("with %d addresses it is reached at %d, want 16 of them", len(n.addrs), len(got))
	}
	if here := networks(); len(here.addrs) == 0 {
		t.Error("this machine has no address")
	}
	for what, list := range map[string][]net.Interface{"that tells of none": nil, "with one that is down": {{Index: 1, Name: "lo"}}} {
		if n := networksOf(list); !slices.Equal(n.addrs, []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}) {
			t.Errorf("a machine %s has the addresses %v", what, n.addrs)
		}
	}
}

// A machine has the addresses of each of its interfaces that is up.
func TestWhichInterfacesCount(t *testing.T) {
	list, err := net.Interfaces()
	i := slices.IndexFunc(list, func(i net.Interface) bool { return i.Flags&net.FlagLoopback != 0 && i.Flags&net.FlagUp != 0 })
	if i < 0 {
		t.Skip("there is no loopback interface: ", err)
	}
	up, down := list[i], list[i]
	down.Flags &^= net.FlagUp
	one := networksOf([]net.Interface{up}).addrs
	for what, c := range map[string]struct {
		list []net.Interface
		want int
	}{"two": {[]net.Interface{up, up}, 2 * len(one)}, "two, of which the first is down": {[]net.Interface{down, up}, len(one)}} {
		if got := networksOf(c.list).addrs; len(got) != c.want {
			t.Errorf("%s: %v, and of one they are %v", what, got, one)
		}
	}
}

// The broadcast address of a network is its last one; the smallest networks have none, and neither has IPv6.
func TestBroadcastAddresses(t *testing.T) {
	for of, want := range map[string]string{
		"192.168.1.4/24": "192.168.1.255", "10.0.0.0/8": "10.255.255.255", "172.16.6.2/20": "172.16.15.255", "192.168.1.128/25": "192.168.1.255",
		"192.168.1.4/30": "192.168.1.7", "192.168.1.4/31": "", "192.168.1.4/32": "", "2001:db8::/64": "", "0.0.0.0/0": "255.255.255.255",
	} {
		got, ok := broadcast(netip.MustParsePrefix(of))
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("%s has %v, %v, want %q", of, got, ok, want)
		}
	}
}

// Others are told where a server is on each network, and at the port of the server; on a machine without any, the one
// address that is left is that of the machine itself.
func TestWhatOthersAreTold(t *testing.T) {
	local := netip.MustParseAddrPort("127.0.0.1:7000")
	n := network{}
	n.add(netip.MustParsePrefix("127.0.0.1/8"), "lo")
	want := []string{"127.0.0.1:7000"}
	for i, p := range []string{"", "10.0.0.1/8", "10.0.0.2/8"} {
		if p != "" {
			n.add(netip.MustParsePrefix(p), "net")
			want = append(want[:i-1], strings.TrimSuffix(p, "/8")+":7000")
		}
		if got := n.told(local); !slices.Equal(got, want) {
			t.Errorf("with %d networks: %v, want %v", i, got, want)
		}
	}
}

// A room that cannot be made leaves nothing behind: its port is free.
func TestARoomThatCannotBeMadeFreesItsPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	cfg := config("host")
	cfg.Seats = -1
	if h, err := Create(within(t), Options{Listen: at, SearchPort: -1}, cfg); err == nil || errors.Is(err, ErrInUse) || h != nil {
		t.Fatalf("with seats that there cannot be: %v", err)
	}
	l, err = net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// A match that a server owns has one seat, and its room is found like any other.
func TestARoomOfAServerIsFound(t *testing.T) {
	cfg := config("server")
	cfg.Seats = 1
	h, err := Create(within(t), Options{Listen: "127.0.0.1:0", SearchPort: -1}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if o, err := Ask(within(t), h.Addresses()[0]); err != nil || o.Seats != 1 || o.Taken != 1 || o.Name != "server" {
		t.Errorf("%+v, %v", o, err)
	}
}

// A host answers searches at the usual port, unless another one or none is configured.
func TestWhoAnswersSearches(t *testing.T) {
	busy, err := net.ListenMulticastUDP("udp4", nil, &net.UDPAddr{IP: group.AsSlice(), Port: SearchPort})
	if err != nil {
		t.Skip("the usual port cannot be had here: ", err)
	}
	defer busy.Close()
	for port, want := range map[int]bool{0: true, -1: false} {
		h, err := Create(within(t), Options{Listen: "127.0.0.1:0", SearchPort: port}, config("host"))
		if err != nil {
			t.Fatal(err)
		}
		if (h.answerer != nil) != want {
			t.Errorf("with SearchPort %d it answers: %v", port, h.answerer != nil)
		}
		if h.answerer != nil {
			if at := h.answerer.socket.LocalAddr().(*net.UDPAddr).Port; at != SearchPort {
				t.Errorf("it answers at port %d", at)
			}
		}
		h.Close()
	}
}

// A transport that cannot listen is an error; of too many peers those with the lowest numbers are used, each once.
func TestTransportsThatCannotBe(t *testing.T) {
	if tr, err := NewTransport("256.0.0.1:0", 1, nil, nil); err == nil || tr != nil {
		t.Errorf("at an address that is none: %v, %v", tr, err)
	}
	tr, err := NewTransport("127.0.0.1:0", 3, make(box, 1<<12), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	var named []uint32
	for id := uint32(100); id > 0; id-- {
		named = append(named, id, id-1, id)
	}
	before := slices.Clone(named)
	tr.SetPeers(named...)
	if !slices.Equal(named, before) {
		t.Error("the caller's numbers were changed")
	}
	list := tr.Peers()
	if len(list) != 80 || list[0].ID != 1 || list[2].ID != 4 || list[79].ID != 81 {
		t.Errorf("%d peers, up to %d", len(list), list[len(list)-1].ID)
	}
}

// Rule: datagrams sent while a peer was one are received, and nothing that arrives after that; when the transport is
// closed, nothing is received.
func TestWhatIsLeftBehind(t *testing.T) {
	for _, closes := range []bool{false, true} {
		tr, err := NewTransport("127.0.0.1:0", 1, make(box, 1<<12), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		tr.SetPeers(2)
		from := netip.MustParseAddrPort("127.0.0.1:9")
		tr.mu.Lock()
		ring := tr.links[peers.AddrOf(2)].ring
		tr.routes[from] = peers.AddrOf(2)
		tr.mu.Unlock()
		var buf [64]byte
		tr.queue.Push(ring, peers.AddrOf(2), []byte("one"), time.Now())
		select {
		case <-tr.Notify():
		default:
			t.Error("nobody is told that something has arrived")
		}
		if n, from, _, ok := tr.Receive(buf[:]); !ok || from != peers.AddrOf(2) || string(buf[:n]) != "one" {
			t.Fatalf("%q from %v, %v", buf[:n], from, ok)
		}
		tr.queue.Push(ring, peers.AddrOf(2), []byte("two"), time.Now())
		if closes {
			tr.Close()
		} else {
			tr.SetPeers()
		}
		tr.queue.Push(ring, peers.AddrOf(2), []byte("three"), time.Now())
		if tr.arrived([]byte("four"), from, time.Now()); !closes && tr.stats.strangers.Load() != 1 {
			t.Error("who was a peer is no stranger")
		}
		if err, want := tr.Send(peers.AddrOf(2), []byte("five")), map[bool]error{false: ErrNoPeer, true: ErrClosed}[closes]; !errors.Is(err, want) {
			t.Errorf("closed: %v; sending says %v", closes, err)
		}
		got := ""
		for {
			n, _, _, ok := tr.Receive(buf[:])
			if !ok {
				break
			}
			got += string(buf[:n])
		}
		if want := map[bool]string{false: "two", true: ""}[closes]; got != want {
			t.Errorf("closed %v: it receives %q", closes, got)
		}
	}
}

// A room is played at its own port, so that a firewall needs one number, and at another one where that is used for UDP.
func TestAtWhichPortARoomIsPlayed(t *testing.T) {
	h, _ := host(t)
	if _, err := udp.Listen(h.local().String()); !errors.Is(err, ErrInUse) {
		t.Fatalf("it is not played at the port of the room: %v", err)
	}
	tr, err := h.transport(1, make(box, 64))
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	if at := tr.(*Transport).LocalAddr(); at == h.local() || at.Addr() != h.local().Addr() {
		t.Errorf("it is played at %v", at)
	}
}

// nowhere listens at an address that no machine has.
type nowhere struct{ net.Listener }

func (nowhere) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 7000} }

// A transport that cannot listen at the address of its room is an error.
func TestARoomThatCannotBePlayed(t *testing.T) {
	h := &Host{listener: nowhere{}}
	if _, err := h.transport(1, make(box, 64)); err == nil || errors.Is(err, ErrInUse) {
		t.Errorf("at an address that this machine does not have: %v", err)
	}
}

// A host closes a connection after 30 s without a request, or if its headers take longer than 5 s.
func TestHowLongAHostWaits(t *testing.T) {
	h, _ := host(t)
	if h.web.IdleTimeout != 30*time.Second || h.web.ReadHeaderTimeout != 5*time.Second {
		t.Errorf("%v and %v", h.web.IdleTimeout, h.web.ReadHeaderTimeout)
	}
}

// A host reads headers of 16 KB, and of no more than a browser sends.
func TestHowLongHeadersAreRead(t *testing.T) {
	h, _ := host(t)
	for size, want := range map[int]int{16 << 10: http.StatusOK, 24 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		r, err := http.NewRequestWithContext(within(t), http.MethodGet, pageOf(h.local().String())+"offer", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = askedAs
		r.Header.Set("Filler", strings.Repeat("x", size))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%d bytes: %v", size, answer.Status)
		}
	}
}

// Changes of a peer's connection are logged once, with its address and the reason.
func TestWhatHappensToAPeerIsLogged(t *testing.T) {
	var said bytes.Buffer
	tr := &Transport{log: slog.New(slog.NewTextHandler(&said, nil))}
	l := newLink(7, 1, nil, &count{}, time.Unix(0, 0))
	l.hears(&greeting{mine: 7, yours: 1}, ways("10.0.0.2:2"), time.Unix(0, 0))
	if tr.tell(l, l.status.State()); said.Len() > 0 {
		t.Errorf("nothing has happened: %s", said.String())
	}
	before := l.status.State()
	l.probed(probe{answers, 7, 1}, ways("10.0.0.2:2")[0], time.Unix(0, 0))
	tr.tell(l, before)
	for _, want := range []string{"peer connected", "peer=7", "address=10.0.0.2:2"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not in %s", want, said.String())
		}
	}
}

// Datagrams that nobody receives are dropped when there is no room, and each dropped datagram is counted once.
func TestOverflowsAreCounted(t *testing.T) {
	tr, err := NewTransport("127.0.0.1:0", 1, make(box, 1<<12), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	tr.SetPeers(2)
	from := netip.MustParseAddrPort("127.0.0.1:9")
	tr.mu.Lock()
	tr.routes[from] = peers.AddrOf(2)
	tr.mu.Unlock()
	for i := range inbox.PerPeer + 3 {
		tr.arrived([]byte{1}, from, time.Now())
		if n, want := tr.queue.Counts().Overflowed, uint64(max(0, i+1-inbox.PerPeer)); n != want {
			t.Fatalf("after %d datagrams %d are counted, want %d", i+1, n, want)
		}
	}
}
