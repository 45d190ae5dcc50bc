package session_test

import (
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// silentNode is a node that sends what the test wants, and reads nothing.
type silentNode struct {
	every time.Duration
	next  func() []byte
	sent  []byte
}

func (n *silentNode) Receive(time.Duration, addrPort, []byte) {}
func (n *silentNode) Events() []session.Event                 { return nil }
func (n *silentNode) Phase() session.Phase                    { return session.Playing }
func (n *silentNode) Urgent() bool                            { return false }
func (n *silentNode) Update(now time.Duration) time.Duration {
	if n.next != nil {
		n.sent = n.next()
	}
	return now + n.every
}

// flood adds a node that sends all the time.
func (th *theatre[S]) flood(to int, every time.Duration, next func() []byte) int {
	n := &silentNode{every: every, next: next}
	return th.add(n, func(send func(addrPort, []byte)) {
		if n.sent != nil {
			send(nodeAddr(to), n.sent)
			n.sent = nil
		}
	})
}

// crowd is a kind of spectators, or of other machines.
type crowd func(th *theatre[small])

var crowds = map[string]crowd{
	"nobody": func(*theatre[small]) {},
	"32 who watch": func(th *theatre[small]) {
		for i := range 32 {
			th.watch(smallGame(), []int{i % 2}, nil)
		}
	},
	"who is dead": func(th *theatre[small]) {
		for range 8 {
			th.watch(smallGame(), []int{0}, nil)
		}
		th.run(3 * time.Second)
		for i := 2; i < 10; i++ {
			th.nodes[i].down = true
		}
	},
	"who is slow": func(th *theatre[small]) {
		for i := range 8 {
			w := th.watch(smallGame(), []int{0}, nil)
			th.link(0, w, netem.Link{Delay: 100 * time.Millisecond, Bandwidth: int64(500 * (i + 1)), Loss: 10 * netem.Percent})
		}
	},
	"who is hostile": func(th *theatre[small]) {
		r := rand.New(rand.NewPCG(1, 1))
		garbage := func() []byte {
			b := make([]byte, 1+r.IntN(1200))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			b[0] = []byte{0x80, 0xC1, datagram.KindAttach, datagram.KindWatch}[r.IntN(4)]
			return b
		}
		th.flood(0, 200*time.Microsecond, garbage)
		th.flood(1, 300*time.Microsecond, garbage)
		th.flood(0, 500*time.Microsecond, func() []byte {
			return datagram.Hello{Watch: true, Version: datagram.Version, Nonce: r.Uint64()}.Append(nil)
		})
	},
}

// Whoever watches, or does anything else: the players send each other the same
// datagrams, bit for bit, and at the same times.
func TestTheMatchDoesNotNoticeItsAudience(t *testing.T) {
	seed := maphash.MakeSeed()
	play := func(name string) (sums []uint64, stalls [2]uint64) {
		bad := netem.Link{Delay: 45 * time.Millisecond, Jitter: 10 * time.Millisecond, Distribution: netem.Uniform, Loss: 5 * netem.Percent, Reorder: true}
		th := open(t, smallGame(), 2, lan(), nil)
		th.link(0, 1, bad)
		th.link(1, 0, bad)
		th.tap = func(from, to int, b []byte) bool {
			if from < 2 && to < 2 {
				sums = append(sums, maphash.Bytes(seed, b)^uint64(th.now)<<2^uint64(from))
			}
			return true
		}
		crowds[name](th)
		th.run(25*time.Second - th.now)
		for i := range 2 {
			if out, over := th.players[i].Outcome(); !over || out.Frames != 1200 || out.Health != session.Healthy {
				t.Fatalf("%s: %+v, %v", name, out, over)
			}
			stalls[i] = th.players[i].Stats(nil).Blocked
		}
		return sums, stalls
	}
	alone, stalls := play("nobody")
	if len(alone) < 2000 {
		t.Fatalf("the players have sent %d datagrams", len(alone))
	}
	for name := range crowds {
		if name == "nobody" || name == "who is hostile" && testing.Short() {
			continue
		}
		with, others := play(name)
		if !slices.Equal(alone, with) || stalls != others {
			for i := range min(len(alone), len(with)) {
				if alone[i] != with[i] {
					t.Logf("datagram %d of %d and %d", i, len(alone), len(with))
					break
				}
			}
			t.Errorf("%s: the players' datagrams are others: %d and %d, stalls %v and %v", name, len(alone), len(with), stalls, others)
		}
	}
}

// A flood at a host from one address keeps no other machine out.
func TestAFloodKeepsNobodyOut(t *testing.T) {
	long(t)
	th := open(t, smallGame(), 2, lan(), nil)
	crowds["who is hostile"](th)
	w := th.watch(smallGame(), []int{0}, nil)
	answers := 0
	th.tap = func(from, to int, b []byte) bool {
		if from < 2 && to >= 2 && to < w && b[0] != datagram.KindHello {
			answers++
		}
		return true
	}
	th.run(30 * time.Second)
	th.sameStream(w, 1100)
	th.sameEnd(0, 0)
	if answers > 30*60 {
		t.Errorf("%d answers to who has proved nothing", answers)
	}
}

// With a delay, nothing newer ever leaves the host, be it frames, states, or the
// progress of the match; at the end spectators get the rest.
func TestADelayIsKept(t *testing.T) {
	const delay = 600
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Spectators.Delay = delay })
	var nodes []int
	newest := func(when string) {
		if th.players[0].Phase() != session.Playing {
			return
		}
		present := int(th.players[0].Stats(nil).Agreed)
		for i, w := range th.watchers {
			if seen := int(th.watchers[i].Frame()); seen > max(present-delay, 0) {
				t.Fatalf("%s: spectator %d is at frame %d of %d", when, i, seen, present)
			}
			if live := int(w.Stats(nil).Confirmed); live > max(present-delay, 0) {
				t.Fatalf("%s: spectator %d knows of frame %d of %d", when, i, live, present)
			}
		}
	}
	for s := range 19 {
		if s%5 == 0 {
			nodes = append(nodes, th.watch(smallGame(), []int{0}, nil))
		}
		for range 20 {
			th.run(50 * time.Millisecond)
			newest("while playing")
		}
	}
	th.run(25 * time.Second)
	for i, node := range nodes {
		th.sameEnd(i, 0)
		th.sameStream(node, 300)
	}
	if th.players[0].Stats(nil).Spectators.States == 0 {
		t.Error("no state was sent")
	}
}

// A place that becomes free while a spectator is being refused can be taken safely:
// at no time does a late refusal spoil the stream of one that is admitted.
func TestAPlaceThatBecomesFreeIsHadInOrder(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 4
	}
	for k := 0; k < 60; k += step {
		th := open(t, smallGame(), 2, netem.Link{Delay: 43 * time.Millisecond}, func(_ int, c *session.Config) { c.Spectators.Max = 1 })
		th.watch(smallGame(), []int{0}, nil)
		th.run(2 * time.Second)
		next := th.watch(smallGame(), []int{0}, nil)
		th.run(time.Second + time.Duration(k)*10*time.Millisecond)
		th.watchers[0].Leave("")
		th.until(3*time.Second, func() bool { return th.saw(next, session.Live) != nil })
		for _, e := range th.nodes[0].events {
			if e.What == session.SpectatorLeft && strings.Contains(e.Text, "protocol") {
				t.Fatalf("after %d ms: %v", 10*k, e)
			}
		}
		if th.saw(next, session.Live) == nil {
			t.Fatalf("after %d ms: who waits does not get in: %v", 10*k, th.nodes[next].events)
		}
	}
}
