package ggpo_test

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"net"
	"testing"
	"time"

	ggpo "github.com/tickback/tickback/compat/ggpo/ikemen"
	"github.com/tickback/tickback/compat/ggpo/ikemen/transport"
	"github.com/tickback/tickback/compat/ggpo/ikemen/transport/udp"
	"github.com/tickback/tickback/compat/ggpo/ikemen/transport/webrtc"
)

// game is the example of that library in small: a position for each player, and states that are stored by number.
type game struct {
	t       *testing.T
	backend ggpo.Backend
	me      ggpo.PlayerHandle
	frame   int
	at      [2]int32
	saved   map[int]game
	sums    []uint32
	events  map[ggpo.EventCode]int
}

func (g *game) SaveGameState(id int) int {
	g.saved[id] = *g
	return int(g.sum())
}

func (g *game) LoadGameState(id int) {
	s, ok := g.saved[id]
	if !ok {
		g.t.Errorf("state %d was never saved", id)
	}
	g.frame, g.at = s.frame, s.at
}

func (g *game) AdvanceFrame(int) { g.step() }

func (g *game) OnEvent(e *ggpo.Event) { g.events[e.Code]++ }

func (g *game) sum() uint32 {
	b, _ := binary.Append(nil, binary.LittleEndian, g.at)
	return crc32.ChecksumIEEE(b)
}

func (g *game) step() error {
	var flags int
	inputs, err := g.backend.SyncInput(&flags)
	if err != nil {
		return err
	}
	for i, in := range inputs {
		g.at[i] = g.at[i]*3 + int32(in[0])
	}
	g.sums = append(g.sums[:g.frame], g.sum())
	g.frame++
	return g.backend.AdvanceFrame(g.sum())
}

// turn is a turn of a loop, of a player or of a spectator.
func (g *game) turn() {
	g.t.Helper()
	ok(g.t, g.backend.Idle(1))
	err := g.backend.AddLocalInput(g.me, []byte{byte(g.frame * 7 / int(g.me+1)), 0}, 2)
	if err == nil {
		err = g.step()
	}
	if err != nil && !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeNotSynchronized}) && !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodePredictionThreshod}) {
		g.t.Fatal(err)
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newGame(t *testing.T) *game {
	return &game{t: t, saved: map[int]game{}, events: map[ggpo.EventCode]int{}}
}

// join makes a peer as the example does: it takes the transport, adds both players by handles, and starts.
func join(t *testing.T, number int, tr transport.Transport) (*game, *ggpo.Peer) {
	t.Helper()
	g := newGame(t)
	peer := ggpo.NewPeer(g, 2, 2)
	g.backend = &peer
	ok(t, peer.InitializeTransport(tr))
	for n := 1; n <= 2; n++ {
		player := ggpo.NewRemotePlayer(20, n, ggpo.PlayerHandle(n))
		if n == number {
			player = ggpo.NewLocalPlayer(20, n)
		}
		var handle ggpo.PlayerHandle
		ok(t, peer.AddPlayer(&player, &handle))
		if n == number {
			g.me = handle
		}
	}
	ok(t, peer.SetDisconnectTimeout(100_000)) // a test may be slow
	ok(t, peer.SetDisconnectNotifyStart(1000))
	ok(t, peer.SetFrameDelay(g.me, 1))
	return g, &peer
}

// leave closes the first game, while the others see that it has left, and then the others.
func leave(t *testing.T, games ...*game) {
	t.Helper()
	left := make(chan error, 1)
	go func() { left <- games[0].backend.Close() }() // it waits until the others know
	for going := true; going; {
		going = len(left) == 0
		for _, g := range games[1:] {
			ok(t, g.backend.Idle(1))
			if err := g.backend.AddLocalInput(g.me, []byte{0, 0}, 2); err == nil {
				_ = g.step()
			}
			going = going || g.events[ggpo.EventCodeDisconnectedFromPeer] == 0
		}
	}
	ok(t, <-left)
	for _, g := range games[1:] {
		ok(t, g.backend.Close())
	}
}

// same checks that all games have had the same frames.
func same(t *testing.T, games ...*game) {
	t.Helper()
	const open = 20 // frames that may still run on predictions
	for _, g := range games[1:] {
		for f := range min(len(g.sums), len(games[0].sums)) - open {
			if g.sums[f] != games[0].sums[f] {
				t.Fatalf("frame %d is another one", f)
			}
		}
		if g.events[ggpo.EventCodeDesync] != 0 || g.events[ggpo.EventCodeRunning] != 1 {
			t.Errorf("events %v", g.events)
		}
	}
}

// Over UDP, the transport says which handle is at which address, whenever it learns that; a spectator is added by a
// handle, too. Close frees the port, so that the next match has it.
func TestOverUDP(t *testing.T) {
	var sockets [3]*udp.Udp
	for i := range sockets {
		sockets[i] = udp.NewUdp(0)
		ok(t, sockets[i].Err())
	}
	port := func(i int) int { return int(sockets[i].LocalAddr().Port()) }
	first, peer := join(t, 1, sockets[0])
	watcher := ggpo.NewSpectatorPlayer(20, 1000)
	var handle ggpo.PlayerHandle
	ok(t, peer.AddPlayer(&watcher, &handle))
	ok(t, peer.AddSpectator(1001))
	peer.Start()
	second, other := join(t, 2, sockets[1])
	other.Start()
	ok(t, sockets[1].AddPeer(1, "localhost", port(0)))
	for range 20 { // the first does not know yet where the second is
		first.turn()
		second.turn()
	}
	err := first.backend.AddLocalInput(1, []byte{0, 0}, 2)
	var told ggpo.Error
	if !errors.As(err, &told) || told.Code != ggpo.ErrorCodeNotSynchronized || told.Detail != "AddLocalInput before the transport knows handle 2: call AddPeer of the transport" {
		t.Errorf("without AddPeer: %v", err)
	}
	ok(t, sockets[0].AddPeer(2, "127.0.0.1", port(1)))

	third := newGame(t)
	spectator := ggpo.NewSpectator(third, 2, 2, 1)
	third.backend, third.me = &spectator, 1
	ok(t, spectator.InitializeTransport(sockets[2]))
	spectator.Start()
	third.turn() // nor does the spectator
	ok(t, sockets[2].AddPeer(1, "127.0.0.1", port(0)))
	for third.frame < 100 {
		first.turn()
		second.turn()
		third.turn()
	}
	same(t, first, second, third)
	if peer.Port() != port(0) {
		t.Errorf("port %d, want %d", peer.Port(), port(0))
	}
	taken := udp.NewUdp(port(0))
	failing := ggpo.NewPeer(newGame(t), 2, 2)
	if err := failing.InitializeTransport(taken); taken.IsInitialized() || !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeGeneralFailure}) || !errors.Is(err, taken.Err()) {
		t.Errorf("a port that is taken: %v", err)
	}
	failing.Start()
	for n := 1; n <= 2; n++ {
		player := ggpo.NewRemotePlayer(20, n, ggpo.PlayerHandle(n))
		ok(t, failing.AddPlayer(&player, &handle))
	}
	if err := failing.Idle(0); !errors.Is(err, taken.Err()) {
		t.Errorf("and then Idle: %v", err)
	}
	ok(t, failing.Close())
	was := port(0)
	leave(t, first, second, third)
	again := udp.NewUdp(was)
	if ok(t, again.Err()); int(again.LocalAddr().Port()) != was {
		t.Errorf("port %d, want %d", again.LocalAddr().Port(), was)
	}
	ok(t, again.Close())
	ok(t, again.Close())
}

// A peer that is closed before it has players frees the port as well.
func TestCloseBeforePlayers(t *testing.T) {
	socket := udp.NewUdp(0)
	peer := ggpo.NewPeer(newGame(t), 2, 2)
	ok(t, peer.InitializeTransport(socket))
	ok(t, peer.Close())
	again := udp.NewUdp(int(socket.LocalAddr().Port()))
	ok(t, again.Err())
	ok(t, again.Close())
}

// pipe is one end of a channel that carries whole messages.
type pipe struct {
	in, out chan []byte
	closed  chan struct{}
}

func pipes() (a, b *pipe) {
	x, y := make(chan []byte, 64), make(chan []byte, 64)
	return &pipe{x, y, make(chan struct{})}, &pipe{y, x, make(chan struct{})}
}

func (p *pipe) Read(b []byte) (int, error) {
	select {
	case m := <-p.in:
		if len(m) > len(b) {
			return 0, io.ErrShortBuffer
		}
		return copy(b, m), nil
	case <-p.closed:
		return 0, io.EOF
	}
}

func (p *pipe) Write(b []byte) (int, error) {
	select {
	case p.out <- append([]byte(nil), b...):
	case <-p.closed:
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}

func (p *pipe) Close() error {
	close(p.closed) // which panics if it is closed twice
	return nil
}

// Over channels that are open already, the transport takes each under the handle of its player, before the session knows
// the transport or after. What is no datagram of the match does no harm.
func TestOverChannels(t *testing.T) {
	a, b := pipes()
	one, two := webrtc.NewTransport(), webrtc.NewTransport()
	ok(t, one.AddPeer(2, a))
	first, peer := join(t, 1, one)
	peer.Start()
	second, other := join(t, 2, two)
	other.Start()
	second.turn()
	ok(t, two.AddPeer(1, b))
	junk := [][]byte{{}, {1, 2, 3}, make([]byte, webrtc.MaxDatagram), make([]byte, webrtc.MaxDatagram+1), make([]byte, 5000)}
	for n := 0; first.frame < 100; n++ {
		first.turn()
		second.turn()
		select {
		case a.in <- junk[n%len(junk)]:
		default:
		}
	}
	same(t, first, second)
	leave(t, first, second)
	for _, p := range []*pipe{a, b} {
		if _, open := <-p.closed; open {
			t.Error("a channel is open after Close")
		}
	}
}

// The transport of channels refuses what it cannot carry, with an error that says why, and never waits.
func TestChannelsAreBounded(t *testing.T) {
	tr := webrtc.NewTransport()
	a, far := pipes()
	ok(t, tr.AddPeer(-3, a))
	twice, _ := pipes()
	if err := tr.AddPeer(-3, twice); !errors.Is(err, webrtc.ErrPeers) {
		t.Errorf("a handle twice: %v", err)
	}
	at, known := tr.Address(-3)
	if _, stranger := tr.Address(4); !known || stranger {
		t.Errorf("handle -3 is known: %v, and 4: %v", known, stranger)
	}
	unknown, _ := webrtc.NewTransport().Address(4)
	if err := tr.Send(unknown, []byte{1}); !errors.Is(err, webrtc.ErrUnknown) {
		t.Errorf("to nobody: %v", err)
	}
	if err := tr.Send(at, make([]byte, webrtc.MaxDatagram+1)); !errors.Is(err, webrtc.ErrTooLong) {
		t.Errorf("too long: %v", err)
	}
	full := false
	for range 2000 { // nobody reads
		full = full || errors.Is(tr.Send(at, []byte{1}), webrtc.ErrFull)
	}
	if !full {
		t.Error("the queue of a channel has no end")
	}
	far.out <- []byte{7, 8}
	<-tr.Notify()
	buf := make([]byte, 10)
	if n, from, when, got := tr.Receive(buf); !got || string(buf[:n]) != "\x07\x08" || from != at || time.Since(when) < 0 {
		t.Errorf("received %v %x from %v at %v", got, buf[:n], from, when)
	}
	ok(t, tr.Close())
	ok(t, tr.Close())
	late, _ := pipes()
	if err := tr.AddPeer(9, late); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	<-late.closed
	if err := tr.Send(at, []byte{1}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	for i := range webrtc.MaxPeers + 1 {
		if i == 0 {
			tr = webrtc.NewTransport()
		}
		c, _ := pipes()
		if err := tr.AddPeer(ggpo.PlayerHandle(i), c); (err != nil) != (i == webrtc.MaxPeers) {
			t.Errorf("channel %d: %v", i, err)
		}
	}
	ok(t, tr.Close())
}

// The calls say what is wrong: a session without a transport, a transport that is nil, a second one.
func TestWhatIsWrongWithATransport(t *testing.T) {
	p := ggpo.NewPeer(newGame(t), 2, 2)
	for n := 1; n <= 2; n++ {
		player := ggpo.NewRemotePlayer(20, n, ggpo.PlayerHandle(n))
		if n == 1 {
			player = ggpo.NewLocalPlayer(20, n)
		}
		var h ggpo.PlayerHandle
		ok(t, p.AddPlayer(&player, &h))
	}
	p.Start()
	ok(t, p.Idle(0))
	if err := p.AddLocalInput(1, []byte{0, 0}, 2); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeNotSynchronized}) {
		t.Errorf("without a transport: %v", err)
	}
	if err := p.InitializeTransport(nil); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeInvalidRequest}) {
		t.Errorf("nil: %v", err)
	}
	tr := webrtc.NewTransport()
	ok(t, p.InitializeTransport(tr))
	if err := p.InitializeTransport(tr); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeInvalidRequest}) {
		t.Errorf("twice: %v", err)
	}
	ok(t, p.Close())
	c, _ := pipes()
	if err := tr.AddPeer(1, c); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the session has not closed its transport: %v", err)
	}
	s := ggpo.NewSyncTest(newGame(t), 2, 2, 2, true)
	ok(t, s.InitializeTransport(nil)) // it has no network
	for port, want := range map[int]bool{-1: false, 65536: false, 0: true} {
		u := udp.NewUdp(port)
		if (u.Err() == nil) != want || u.IsInitialized() != want {
			t.Errorf("port %d: %v", port, u.Err())
		}
		if err := u.Send(u.LocalAddr(), nil); !want && !errors.Is(err, u.Err()) {
			t.Errorf("port %d: Send gives %v", port, err)
		}
		if err := u.AddPeer(1, "127.0.0.1", 70000); err == nil {
			t.Error("there is a port 70000")
		}
		ok(t, u.Close())
	}
}
