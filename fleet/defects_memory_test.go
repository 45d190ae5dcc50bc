package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// The caller's buffers were kept, so a caller that reused one caused a desync: here
// the buffers of orders and of datagrams are overwritten as soon as they belong to
// the caller again.
//
// Seen to fail when the engine keeps the slice of orders.
func TestDefectTheCallersBufferIsKept(t *testing.T) {
	buffers := [2][]byte{make([]byte, 200), make([]byte, 200)}
	l := newLab(t, 2, frames(200), configure(func(_ int, c *session.Config) { c.MaxOrders = 200 }), func(s *Setup[ledger, note]) {
		s.Orders = func(p rollback.Player, n int) []byte { // one buffer for all frames, short and long
			b := buffers[p][:[]int{0, 20, 200}[n%3]]
			for i := range b {
				b[i] = byte(n + i)
			}
			return b
		}
	})
	type letter struct {
		to    int
		bytes []byte
	}
	var mail []letter
	l.OnSend = func(_, to int, b []byte) { mail = append(mail, letter{to, append([]byte(nil), b...)}) }
	l.cutPair(0, 1, true) // everything is passed by hand, through one buffer
	var buffer [1500]byte
	for !l.phases(session.Lobby) || l.Now < time.Second {
		l.pass(4 * time.Millisecond)
		for len(mail) > 0 {
			d := mail[0]
			mail = mail[1:]
			n := copy(buffer[:], d.bytes)
			l.inject(d.to, Addr(1-d.to), buffer[:n])
			for i := range buffer {
				buffer[i] = 0xEE
			}
			for i := range 200 {
				buffers[0][i], buffers[1][i] = 0xDD, 0xCC
			}
		}
		if l.Now > 30*time.Second {
			l.dump()
			t.Fatal("the match does not end")
		}
	}
	l.same(0, l.Peers...)
	l.healthy()
	given := 0
	for f, a := range l.agreed[0][0] {
		for p, orders := range a.orders {
			n := int(a.inputs[p]) - 1
			for i, b := range orders {
				if b != byte(n+i) {
					t.Fatalf("frame %d: the orders of player %d are %x", f, p, orders)
				}
				given++
			}
		}
	}
	if given < 200*60 {
		t.Errorf("only %d bytes of orders were given", given)
	}
}

// More than 255 bytes of inputs that were not acknowledged hung the match.
//
// Seen to fail when no datagram carries more than 255 bytes of inputs: what waits
// behind them is then further behind than it may be.
func TestDefectManyUnacknowledgedInputsHang(t *testing.T) {
	l := newLab(t, 2, frames(600), delay(100*time.Millisecond), configure(func(_ int, c *session.Config) { c.Window = 120 }),
		func(s *Setup[ledger, note]) {
			s.Input = func(_ rollback.Player, n int) note { return note(uint32(n+1) * 0x9E3779B1) }
		})
	largest := 0
	l.OnSend = func(_, _ int, b []byte) {
		if l.Peers[0].Phase() == session.Playing {
			largest = max(largest, len(b))
		}
	}
	l.play()
	l.pass(time.Second)
	before := l.Peers[0].Frame()
	l.cutPair(0, 1, true)
	l.pass(1800 * time.Millisecond)
	l.cutPair(0, 1, false)
	if f := l.Peers[0].Frame(); f < before+100 {
		t.Errorf("%d frames have run in the blackout", f-before)
	}
	if largest < 500 {
		t.Errorf("the largest datagram has %d bytes: this tests too little", largest)
	}
	l.pass(250 * time.Millisecond)
	if st := l.Peers[0].Stats(nil); st.Frame-st.Confirmed > 30 {
		t.Errorf("a round trip after the blackout, %d frames are not confirmed", st.Frame-st.Confirmed)
	}
	l.end(1, 20*time.Second)
	l.same(0, l.Peers...)
	l.healthy()
}

// A replay forgot the status of inputs, and reported desyncs that did not exist.
//
// The second half shows that the status matters.
func TestDefectAReplayForgetsTheStatus(t *testing.T) {
	l := newLab(t, 2, continuing(), frames(300), withLoss(30*time.Millisecond, 5*netem.Percent))
	l.play()
	l.pass(2 * time.Second)
	l.Peers[1].Leave("")
	l.pass(time.Second)
	l.Peers[1].Down = true // it is gone
	l.end(1, 20*time.Second)
	stream := l.agreed[0][0]
	l.offline(0, stream) // compares every hash
	s, err := rollback.NewSandbox(l.setup.Game, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	different := 0
	for f, a := range stream {
		if _, err := s.Step(rollback.SandboxFrame[note]{Frame: session.Frame(f), Inputs: a.inputs}); err != nil {
			t.Fatal(err)
		}
		if h, err := s.Hash(); err != nil || h != a.hash {
			different++
		}
	}
	if different < 100 {
		t.Errorf("without the statuses only %d of %d states differ", different, len(stream))
	}
}
