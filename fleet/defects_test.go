package fleet

import (
	"errors"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// Defects that other libraries of this kind have had, each with a test of its own, whose
// comment says what happened there. More of them are in the root, in transport/udp,
// rollback and cmd/cli.

// Six bytes from any socket ended the process.
//
// Seen to fail when SequenceOf does not look at the length.
func TestDefectSixBytesEndTheProcess(t *testing.T) {
	for _, players := range []int{2, 3} {
		l := newLab(t, players, frames(120), delay(10*time.Millisecond))
		for l.Now < 4*time.Second {
			l.pass(100 * time.Millisecond) // in every phase
			for first := range 256 {
				for size := range 7 {
					b := []byte{byte(first), 0, 0, 0xFF, 0xFF, 0xFF}[:min(size, 6)]
					for _, from := range []netip.AddrPort{stranger, Addr(1), {}} {
						l.inject(0, from, b)
					}
				}
			}
		}
		l.end(1, 10*time.Second)
		l.same(0, l.Peers...)
		l.healthy()
	}
}

// A decoder panicked on one of 50 to one of 7 random datagrams: here they have the right
// tag and number as well, so that no byte is kept from a decoder.
//
// Seen to fail when orders are read without a look at their length.
func TestDefectADecoderPanics(t *testing.T) {
	r := rand.New(rand.NewPCG(seedOf(t, 31), 1))
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	for range rounds {
		l := newLab(t, 2, delay(5*time.Millisecond), configure(func(_ int, c *session.Config) { c.MaxOrders = 100 }))
		w := l.tap()
		l.play()
		l.pass(time.Duration(r.IntN(500)) * time.Millisecond)
		for n := range uint64(300) {
			b := make([]byte, 3+r.IntN(100))
			for i := range b {
				b[i] = byte(r.Uint32() >> (r.IntN(4) * 8)) // small ones, too
				if r.IntN(3) == 0 {
					b[i] &= 7
				}
			}
			b[0] |= 0x80
			l.inject(0, Addr(1), w.forge(1, 0, b, w.next[1][0]+n))
		}
		l.pass(100 * time.Millisecond)
	}
}

// One packet of a handshake, in the name of a peer, disconnected both sides.
//
// Seen to fail when a Hello resets the keys of the peer that it seems to come from.
func TestDefectASpoofedHandshakeDisconnects(t *testing.T) {
	l := newLab(t, 2, frames(300), delay(20*time.Millisecond))
	w := l.tap()
	l.play()
	welcome := datagram.Welcome{Version: 2, Nonce: 5, Items: datagram.Items{Game: "another"}}
	for to := range 2 {
		for _, version := range []byte{0, datagram.Version, 2} {
			l.inject(to, Addr(1-to), datagram.Hello{Version: version, Nonce: 77}.Append(nil))
			welcome.Version = version
			l.inject(to, Addr(1-to), datagram.Key(77).Seal(welcome.Append(nil), 0, 0))
			// Even with the nonce that the peer has used.
			l.inject(to, Addr(1-to), datagram.Key(w.nonces[to][1-to]).Seal(welcome.Append(nil), 0, 0))
		}
	}
	l.end(1, 10*time.Second)
	l.same(0, l.Peers...)
	l.healthy()
}

// A time-out of the handshake, before there was any input, panicked.
//
// Seen to fail without the time-out.
func TestDefectAHandshakeTimeoutPanics(t *testing.T) {
	l := newLab(t, 2, delay(10*time.Millisecond), func(s *Setup[ledger, note]) { s.Late = []time.Duration{0, time.Hour} })
	l.until("the time-out", session.DefaultConnectTimeout+time.Second, func() bool { return l.Peers[0].Phase() == session.Over })
	var e *session.TimeoutError
	if p := l.Peers[0]; !errors.As(p.Err(), &e) || e.Players != 0b10 {
		t.Errorf("the error is %v", p.Err())
	}
	l.useAll(0)
}

// useAll calls everything that an owner can call.
func (l *lab) useAll(peer int) {
	p := l.Peers[peer]
	now := p.clock.Local(l.Now)
	p.Update(now)
	p.Poll(now)
	p.Step(now)
	p.Stats(nil)
	p.Progress(now)
	p.Outcome()
	p.Final()
	p.State()
	p.StateAt(p.Frame())
	p.Effects()
	p.Urgent()
	p.Log()
	p.Proposal()
	_ = p.SetDelay(session.Player(peer), 3)
	_ = p.Send(0xFF, []byte("x"))
	_ = p.Propose(session.Parameters{})
	_ = p.Accept()
	_ = p.Ready()
	_ = p.Refuse("x")
	l.send(p)
}

// A pause for loading, before there was any input, panicked.
//
// Seen to fail when a match starts before all are ready.
func TestDefectALoadingPausePanics(t *testing.T) {
	for _, hang := range []bool{false, true} { // it polls while it loads, or does nothing
		l := newLab(t, 2, inLobby(), delay(20*time.Millisecond))
		l.until("the lobby", 5*time.Second, func() bool { return l.phases(session.Lobby) })
		if err := l.Peers[0].Propose(session.Parameters{Frames: 200}); err != nil {
			t.Fatal(err)
		}
		l.until("the proposal", time.Second, func() bool { return l.Peers[1].Phase() == session.Starting })
		if err := l.Peers[1].Accept(); err != nil {
			t.Fatal(err)
		}
		l.Peers[1].Down = hang
		l.pass(4 * time.Second)
		l.useAll(0)
		if f := l.Peers[0].Frame(); f != 0 {
			t.Errorf("the host is at frame %d, and has waited for nobody", f)
		}
		l.Peers[1].Down = false
		if err := l.Peers[1].Ready(); err != nil {
			t.Fatal(err)
		}
		l.play()
		if f := l.Peers[1].Frame(); f > 8 {
			t.Errorf("it starts with frame %d", f)
		}
		l.Peers[0].Down = true // and another one before its first frame is agreed
		l.pass(3 * time.Second)
		l.Peers[0].Down = false
		l.end(1, 20*time.Second)
		l.same(0, l.Peers...)
		l.healthy()
	}
}

// A change of the delay while playing panicked.
//
// Seen to fail when any delay is taken.
func TestDefectALiveDelayChangePanics(t *testing.T) {
	r := rand.New(rand.NewPCG(seedOf(t, 33), 1))
	l := newLab(t, 2, frames(600), withLoss(30*time.Millisecond, 5*netem.Percent))
	l.play()
	for range 300 {
		l.pass(period)
		i := r.IntN(2)
		if err := l.Peers[i].SetDelay(session.Player(i), r.IntN(rollback.MaxDelay+1)); err != nil {
			t.Fatal(err)
		}
	}
	l.end(1, time.Minute)
	l.same(0, l.Peers...)
	l.healthy()
	if err := l.Peers[0].SetDelay(0, rollback.MaxDelay+1); err == nil {
		t.Error("any delay is taken")
	}
}

// A hitch of 0.3 s inside a blackout of 1 s hung the match for ever.
//
// Seen to fail when each datagram has the newest input alone.
func TestDefectAHitchInABlackoutHangs(t *testing.T) {
	for _, start := range []time.Duration{0, 200 * time.Millisecond, 690 * time.Millisecond} {
		for hung := range 2 {
			l := newLab(t, 2, frames(400), withLoss(30*time.Millisecond, netem.Percent))
			l.play()
			l.pass(time.Second)
			l.cutPair(0, 1, true)
			l.pass(start)
			l.Peers[hung].Down = true
			l.pass(300 * time.Millisecond)
			l.Peers[hung].Down = false
			l.pass(700*time.Millisecond - start)
			l.cutPair(0, 1, false)
			before := l.Peers[0].Frame()
			l.pass(500 * time.Millisecond)
			if f := l.Peers[0].Frame(); f < before+20 {
				t.Errorf("hitch after %v: in half a second after the blackout it goes from frame %d to %d", start, before, f)
			}
			l.end(1, 30*time.Second)
			l.same(0, l.Peers...)
			l.healthy()
		}
	}
}

// Duplicates with jitter panicked.
//
// Seen to fail when the control stream takes a fragment that has come already for one
// outside of its window.
func TestDefectDuplicatesWithJitterPanic(t *testing.T) {
	for _, players := range few(2, 4, 8, 16) {
		l := newLab(t, players, frames(300), over(netem.Link{
			Delay: 30 * time.Millisecond, Jitter: 40 * time.Millisecond, Distribution: netem.Exponential, Reorder: true,
			Duplicate: 50 * netem.Percent,
		}))
		l.end(1, time.Minute)
		l.same(0, l.Peers...)
		l.healthy()
	}
}
