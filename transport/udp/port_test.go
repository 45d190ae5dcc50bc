package udp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// long is a time that no wait of these tests reaches, unless it is not woken.
const long = 30 * time.Second

// listenPort opens a port on loopback.
func listenPort(tb testing.TB) *Port {
	tb.Helper()
	p, err := ListenPort("127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { p.Close() })
	return p
}

// channel makes a member on a channel.
func channel(tb testing.TB, p *Port, number uint32) *Member {
	tb.Helper()
	m, err := p.Channel(number)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// peersOf makes a member for these addresses.
func peersOf(tb testing.TB, p *Port, peers ...netip.AddrPort) *Member {
	tb.Helper()
	m, err := p.Peers(peers...)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// tagged returns a datagram in the form that it has on a channel.
func tagged(number uint32, text string) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{channelKind}, number), text...)
}

// all receives what waits for a member.
func all(m *Member) (texts []string) {
	var b [MaxDatagram]byte
	for {
		n, _, _, ok := m.Receive(b[:])
		if !ok {
			return texts
		}
		texts = append(texts, string(b[:n]))
	}
}

func strange(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 7000)
}

// Rule: matches that share a port, and even have all of their players at one other port, get their own datagrams in
// both directions, by channels; and a member for addresses gets what comes from these alone.
func TestMembersOfAPortGetWhatIsTheirs(t *testing.T) {
	server, players, plain, other := listenPort(t), listenPort(t), listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	const matches = 100 // more than a system call accepts
	var here, there []*Member
	for i := range uint32(matches) {
		here, there = append(here, channel(t, server, i*i)), append(there, channel(t, players, i*i))
	}
	with := peersOf(t, server, plain.LocalAddr())
	turn := func(p *Port, want uint64) {
		t.Helper()
		if err := p.Flush(); err != nil {
			t.Fatal(err)
		}
		await(t, "what was sent", func() bool {
			server.Poll()
			players.Poll()
			return server.Stats().Socket.Received+players.Stats().Socket.Received >= want
		})
	}
	server.Poll()
	players.Poll()
	for i, m := range there {
		if err := m.SendBatch([]netip.AddrPort{server.LocalAddr(), server.LocalAddr()}, [][]byte{fmt.Append(nil, "up ", i), fmt.Append(nil, "again ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	send(t, plain, server.LocalAddr(), "plain")
	send(t, other, server.LocalAddr(), "a stranger")
	turn(players, 2*matches+2)
	for i, m := range here {
		if got := all(m); len(got) != 2 || got[0] != fmt.Sprint("up ", i) || got[1] != fmt.Sprint("again ", i) {
			t.Errorf("match %d gets %q", i, got)
		}
		if err := m.Send(players.LocalAddr(), fmt.Append(nil, "down ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if got := all(with); len(got) != 1 || got[0] != "plain" {
		t.Errorf("by its address it gets %q", got)
	}
	if err := with.Send(plain.LocalAddr(), []byte("back")); err != nil {
		t.Fatal(err)
	}
	turn(server, 3*matches+2)
	for i, m := range there {
		if got := all(m); len(got) != 1 || got[0] != fmt.Sprint("down ", i) {
			t.Errorf("player %d gets %q", i, got)
		}
	}
	if got, _, _ := receive(t, plain); got != "back" {
		t.Errorf("the peer without a port gets %q", got)
	}
	if s := server.Stats(); s.Unknown != 1 || s.Malformed != 0 || s.Overflowed != 0 || s.Waiting != 0 || s.Members != matches+1 {
		t.Errorf("%+v", s)
	}
}

// Rule: without a loop that polls the port, a member reads and sends by itself, and Wait wakes up for a datagram.
func TestAMemberAloneNeedsNoLoop(t *testing.T) {
	a, b := channel(t, listenPort(t), 7), channel(t, listenPort(t), 7)
	if err := a.Send(b.port.LocalAddr(), []byte("here")); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); ; b.Wait(time.Second, true) {
		if got := all(b); len(got) == 1 && got[0] == "here" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing comes")
		}
	}
}

// Rule: a datagram that belongs to no match, or is truncated, is dropped and counted, and takes no memory.
func TestHostileDatagramsOfAPort(t *testing.T) {
	p := listenPort(t)
	m := channel(t, p, 5)
	for i := range ChannelSize {
		p.arrived(tagged(5, "")[:i], strange(i), time.Now()) // none, and cut off
	}
	for i := range 100_000 {
		p.arrived(tagged(uint32(i)|1<<31, "x"), strange(i), time.Now())
	}
	p.arrived([]byte("plain"), strange(1), time.Now())
	if s := p.Stats(); s.Malformed != ChannelSize-1 || s.Unknown != 100_000+2 || s.Waiting != 0 || len(p.free) != 0 {
		t.Errorf("%+v, %d parcels", s, len(p.free))
	}
	p.arrived(tagged(5, ""), strange(1), time.Now())
	if got := all(m); len(got) != 1 || got[0] != "" {
		t.Errorf("an empty one: %q", got)
	}
}

// Rule: a flood displaces nothing from the addresses to which the match sends, whether it comes from strangers or in
// the name of one of them, and nothing of other matches; all members together hold a limited number.
func TestFloodsOfAPortAreFair(t *testing.T) {
	p := listenPort(t)
	p.Poll()
	flooded, quiet := channel(t, p, 1), channel(t, p, 2)
	for _, a := range []netip.AddrPort{strange(1), strange(2)} {
		if err := errors.Join(flooded.Send(a, []byte("hi")), quiet.Send(a, []byte("hi"))); err != nil {
			t.Fatal(err)
		}
	}
	p.arrived(tagged(1, "kept"), strange(1), time.Now())
	p.arrived(tagged(2, "kept"), strange(1), time.Now())
	for i := range 10 * memberQueue {
		p.arrived(tagged(1, "flood"), strange(1000+i), time.Now())
	}
	for range 10 * memberQueue {
		p.arrived(tagged(1, "flood"), strange(2), time.Now())
	}
	if got := all(flooded); len(got) != memberQueue || got[0] != "kept" {
		t.Errorf("%d are held, the first is %q", len(got), got[0])
	}
	for i := range portQueue { // many members, each of them flooded
		if i%memberQueue == 0 {
			channel(t, p, uint32(100+i/memberQueue))
			channel(t, p, uint32(1000+i/memberQueue))
		}
		p.arrived(tagged(uint32(100+i/memberQueue), "flood"), strange(i), time.Now())
		p.arrived(tagged(uint32(1000+i/memberQueue), "flood"), strange(i), time.Now())
	}
	p.arrived(tagged(1, "late"), strange(1), time.Now())
	if got := all(flooded); len(got) != 1 || got[0] != "late" {
		t.Errorf("when all have too many: %q", got)
	}
	if got := all(quiet); len(got) != 1 || got[0] != "kept" {
		t.Errorf("a match without a flood: %q", got)
	}
	if s := p.Stats(); s.Waiting > portQueue || len(p.free)+s.Waiting > portQueue || s.Overflowed < portQueue {
		t.Errorf("%+v, %d free", s, len(p.free))
	}
}

// Rule: a flood of many channels at once, each of which is full, displaces nothing of any number of others.
func TestAFloodOfManyChannelsTakesNothingFromOthers(t *testing.T) {
	const quiet, loud = 500, portQueue / memberQueue
	p := listenPort(t)
	p.Poll()
	var members []*Member
	for i := range quiet {
		members = append(members, channel(t, p, uint32(10_000+i)))
	}
	for i := range loud {
		channel(t, p, uint32(i))
	}
	for i := range portQueue {
		p.arrived(tagged(uint32(i%loud), "flood"), strange(5_000+i), time.Now())
	}
	for i := range quiet {
		p.arrived(tagged(uint32(10_000+i), "real"), strange(i+1), time.Now())
	}
	for i, m := range members {
		if got := all(m); len(got) != 1 {
			t.Fatalf("quiet member %d of %d gets %q", i, quiet, got)
		}
	}
	if p.queues.top > memberQueue || p.waiting != portQueue-quiet {
		t.Errorf("the longest queue has %d, and %d wait", p.queues.top, p.waiting)
	}
}

// Rule: channels and addresses belong to one member until that member, or the port, is closed.
func TestWhoseAChannelIs(t *testing.T) {
	p := listenPort(t)
	m, with := channel(t, p, 9), peersOf(t, p, strange(1), strange(2))
	if _, err := p.Channel(9); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	if _, err := p.Peers(strange(3), strange(2)); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	if _, err := p.Peers(netip.AddrPort{}); !errors.Is(err, ErrAddress) {
		t.Error(err)
	}
	p.arrived(tagged(9, "lost"), strange(1), time.Now())
	if err := errors.Join(m.Close(), m.Close(), with.Close()); err != nil {
		t.Error(err)
	}
	if err := m.Send(strange(1), nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if s := p.Stats(); s.Members != 0 || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
	m, _ = channel(t, p, 9), peersOf(t, p, strange(2), strange(3))
	if err := m.Send(strange(1), make([]byte, MaxDatagram-ChannelSize+1)); !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
	p.members = MaxMembers
	if _, err := p.Channel(10); !errors.Is(err, ErrMembers) {
		t.Error(err)
	}
	if err := errors.Join(p.Close(), p.Close()); err != nil {
		t.Error(err)
	}
	if err := m.Send(strange(1), nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := p.Channel(11); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if got := all(m); got != nil {
		t.Errorf("%q", got)
	}
}

// Once warm, a round of the loop allocates nothing.
func TestAPortAllocatesNothing(t *testing.T) {
	p, q := listenPort(t), listenPort(t)
	a, b := channel(t, p, 1), channel(t, q, 1)
	p.Poll()
	q.Poll()
	var buf [MaxDatagram]byte
	datagram, to := make([]byte, 60), q.LocalAddr()
	if n := testing.AllocsPerRun(200, func() {
		_ = a.Send(to, datagram)
		_ = p.Flush()
		q.Poll()
		for ok := true; ok; {
			_, _, _, ok = b.Receive(buf[:])
		}
	}); n > 0.5 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzPort: whatever arrives, from any address, a member gets exactly the datagrams with its number in front, in order,
// as far as there is room; everything else is counted.
func FuzzPort(f *testing.F) {
	f.Add([]byte{5, channelKind, 1, 0, 0, 0, 1, channelKind, 0})
	f.Add(bytes.Repeat([]byte{6, channelKind, 2, 0, 0, 0, 'x'}, 100))
	p, err := ListenPort("127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { p.Close() })
	p.Poll()
	f.Fuzz(func(t *testing.T, data []byte) {
		one, with := channel(t, p, 1), peersOf(t, p, strange(3))
		defer one.Close()
		defer with.Close()
		before := p.Stats()
		var wantOne, wantWith []string
		total, counted := 0, uint64(0)
		for i := 0; len(data) > 0; i++ {
			n := min(int(data[0]), len(data)-1)
			b, from := data[1:1+n], strange(i%5)
			data = data[1+n:]
			p.arrived(b, from, time.Now())
			total++
			switch {
			case n >= ChannelSize && bytes.Equal(b[:ChannelSize], tagged(1, "")):
				wantOne = append(wantOne, string(b[ChannelSize:]))
			case i%5 == 3 && (n == 0 || b[0] != channelKind):
				wantWith = append(wantWith, string(b))
			default:
				counted++
			}
		}
		s := p.Stats()
		if got := s.Unknown + s.Malformed - before.Unknown - before.Malformed; got != counted {
			t.Errorf("%d of %d are counted, and not %d", got, total, counted)
		}
		check := func(got, want []string) { // what is left is in order
			if len(got) != min(len(want), memberQueue) {
				t.Fatalf("%d of %d, want %d", len(got), total, len(want))
			}
			i := 0
			for _, w := range want {
				if i < len(got) && got[i] == w {
					i++
				}
			}
			if i != len(got) {
				t.Fatalf("%q is not in this order in %q", got, want)
			}
		}
		check(all(one), wantOne)
		check(all(with), wantWith)
	})
}

// Rule: a member that waits while a loop reads the port neither takes the socket from the loop nor waits much longer
// than requested, and gets its datagrams.
func TestAMemberWaitsBesideALoop(t *testing.T) {
	p, b := listenPort(t), listen(t, "127.0.0.1:0")
	m := channel(t, p, 5)
	p.Poll()
	send(t, b, p.LocalAddr(), string(tagged(5, "x")))
	start := time.Now()
	for m.Waiting() == 0 {
		if m.Wait(long, true); time.Since(start) >= long {
			t.Fatal("it has waited for as long as it was told, though something had come")
		}
	}
	if texts := all(m); len(texts) != 1 || texts[0] != "x" {
		t.Errorf("it got %q", texts)
	}
	start = time.Now()
	m.Wait(20*time.Millisecond, false)
	if d := time.Since(start); d < 20*time.Millisecond {
		t.Errorf("it returned after %v", d)
	}
}
