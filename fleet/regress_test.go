package fleet

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// cutPair cuts or heals the way between two peers, in both directions.
func (l *lab) cutPair(a, b int, cut bool) {
	l.Net.Cut(a, b, cut)
	l.Net.Cut(b, a, cut)
}

// A proposal that comes to a peer before its last match has ended there, and is refused by
// another before that, is not revived: no machine stays in Starting, and the next proposal is
// played by all.
func TestAProposalRefusedDuringTheEndIsNotRevived(t *testing.T) {
	hits := 0
	for ms := 0; ms <= 120; ms += 2 {
		l := lobbyOf(t, 3, delay(20*time.Millisecond))
		l.propose(session.Parameters{Frames: 30})
		l.accept(1)
		l.play()
		l.until("the end", 10*time.Second, func() bool { return l.Peers[0].Frame() >= 30 })
		l.pass(time.Duration(ms) * time.Millisecond)
		l.Net.Cut(1, 2, true) // peer 2 waits for a last word of peer 1
		if !l.RunUntil(l.Now+time.Second, func() bool { return l.Peers[0].Phase() == session.Lobby }) {
			continue // the last frames wait for peer 1 as well
		}
		l.propose(session.Parameters{Frames: 40})
		l.until("the proposal", 5*time.Second, func() bool { return l.Peers[1].Phase() == session.Starting })
		late := l.Peers[2].Phase() == session.Ending
		if err := l.Peers[1].Refuse("no"); err != nil {
			t.Fatal(err)
		}
		l.pass(200 * time.Millisecond)
		if late = late && l.Peers[2].Phase() == session.Ending; late {
			hits++
		}
		l.Net.Cut(1, 2, false)
		l.pass(3 * time.Second)
		if !l.phases(session.Lobby) {
			l.dump()
			t.Fatalf("%d ms: not all are in the lobby", ms)
		}
		for _, e := range l.Peers[2].Events {
			if late && e.What == session.Proposed && e.Match == 2 {
				t.Errorf("%d ms: the refused proposal has come back to life", ms)
			}
		}
		l.propose(session.Parameters{Frames: 50})
		l.accept(3)
		l.end(3, 10*time.Second)
		l.same(len(l.agreed[0])-1, l.Peers...)
	}
	if hits == 0 {
		t.Error("it has never come to this")
	}
	t.Log(hits, "times the proposal came too early")
}

// A client gives a proposal up by itself if the host never says that it is
// over: after ReadyTimeout and Linger, whether it was ready or not. All are back in the lobby.
func TestAGuestGivesUpAProposal(t *testing.T) {
	for _, ready := range []bool{false, true} {
		l := lobbyOf(t, 3, delay(20*time.Millisecond), configure(func(peer int, c *session.Config) {
			c.ReadyTimeout, c.Linger = 2*time.Second, 500*time.Millisecond
			if peer == 0 {
				c.ReadyTimeout = time.Hour
			}
		}))
		l.propose(session.Parameters{Frames: 30})
		l.until("the proposal", time.Second, func() bool { return l.Peers[1].Phase() == session.Starting && l.Peers[2].Phase() == session.Starting })
		if ready {
			if l.Peers[1].Accept() != nil || l.Peers[1].Ready() != nil {
				t.Fatal("it is not accepted")
			}
		}
		began := l.Now
		l.until("giving up", 3*time.Second, func() bool { return l.phases(session.Lobby) })
		if d := l.Now - began; d < 2400*time.Millisecond || d > 2700*time.Millisecond {
			t.Errorf("given up after %v", d)
		}
		for i, p := range l.Peers {
			if count(p, session.Refused) == 0 {
				t.Errorf("peer %d has no event", i)
			}
		}
		l.propose(session.Parameters{Frames: 30})
		l.accept(2)
		l.end(2, 10*time.Second)
		l.same(0, l.Peers...)
	}
}

// A machine that is still connecting to a third peer can refuse what the host already
// proposes: the host is back in the lobby, and later all play.
func TestRefuseWhileConnecting(t *testing.T) {
	l := newLab(t, 3, inLobby(), delay(20*time.Millisecond))
	l.cutPair(1, 2, true)
	l.until("the host's lobby", 5*time.Second, func() bool { return l.Peers[0].Phase() == session.Lobby })
	l.propose(session.Parameters{Frames: 30})
	l.until("the proposal", 5*time.Second, func() bool { _, n := l.Peers[1].Proposal(); return n == 1 })
	if p := l.Peers[1].Phase(); p != session.Connecting {
		t.Fatal(p)
	}
	if err := l.Peers[1].Refuse("not yet"); err != nil {
		t.Fatal(err)
	}
	l.until("the refusal", time.Second, func() bool { return l.Peers[0].Phase() == session.Lobby })
	if e := l.event(0, session.Refused); e.Players != 0b010 || e.Text != "not yet" || e.Match != 1 {
		t.Errorf("the event is %v", e)
	}
	if _, n := l.Peers[1].Proposal(); n != 0 || l.Peers[1].Phase() != session.Connecting {
		t.Errorf("peer 1 is %v, with proposal %d", l.Peers[1].Phase(), n)
	}
	l.cutPair(1, 2, false)
	l.until("the lobby", 5*time.Second, func() bool { return l.phases(session.Lobby) })
	l.propose(session.Parameters{Frames: 30})
	l.accept(2)
	l.end(2, 10*time.Second)
	l.same(0, l.Peers...)
}

// Nothing moves on the screen while the last frame waits to be agreed, be it the
// last by number or the one in which the game has finished as far as is known.
func TestNothingMovesAtTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		limit session.Frame
		game  note
	}{"by number": {120, 0}, "by the game": {1000, 100}, "in both ways": {101, 100}} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, 2, delay(100*time.Millisecond), frames(c.limit), func(s *Setup[ledger, note]) {
				if c.game > 0 {
					s.Game = finishingGame(c.game)
				}
			})
			waited := [2]time.Duration{}
			for i := 0; i < 10000 && !(l.Now > time.Second && l.phases(session.Lobby)); i++ {
				l.pass(time.Millisecond)
				for k, p := range l.Peers {
					passed, whole := p.Progress(p.clock.Local(l.Now))
					if passed < 0 || passed > whole {
						t.Fatalf("%v of %v have passed", passed, whole)
					}
					out, finished := p.Inspect().Provisional()
					last := p.Frame() >= c.limit || finished && p.Frame() > out.Frame
					if p.Phase() != session.Playing || !last {
						continue
					}
					waited[k] += time.Millisecond
					for ms := range time.Duration(20) {
						if passed, whole := p.Progress(p.clock.Local(l.Now + ms*time.Millisecond)); passed != whole {
							t.Fatalf("%v: peer %d, frame %d: %v of %v have passed", l.Now, k, p.Frame(), passed, whole)
						}
					}
				}
			}
			l.same(0, l.Peers...)
			if max(waited[0], waited[1]) < 50*time.Millisecond {
				t.Errorf("the last frame has waited for %v", waited)
			}
		})
	}
}

// Of three peers two lose each other for good: all are done within DropAfter and a second,
// with the same end. The one that is out learns it from the one that hears both.
func TestTwoOfThreeLoseEachOther(t *testing.T) {
	for _, pair := range [][2]int{{1, 2}, {0, 1}, {0, 2}} {
		for _, way := range []time.Duration{5 * time.Millisecond, 60 * time.Millisecond} {
			t.Run(fmt.Sprintf("%v, %v", pair, way), func(t *testing.T) {
				l := newLab(t, 3, delay(way))
				l.play()
				l.pass(time.Second)
				l.cutPair(pair[0], pair[1], true)
				cut := l.Now
				l.until("the end for all", session.DefaultDropAfter+time.Second, func() bool {
					return l.all(func(p *Peer[ledger, note]) bool { return p.Phase() != session.Playing && p.Phase() != session.Ending })
				})
				t.Log("through after", l.Now-cut)
				outcomes := map[session.Frame][]int{}
				for i, p := range l.Peers {
					if o, ok := p.Outcome(); ok {
						outcomes[o.Frames] = append(outcomes[o.Frames], i)
					}
				}
				together := 0
				for _, list := range outcomes {
					together = max(together, len(list))
				}
				if together < 3 {
					l.dump()
					t.Errorf("the ends are %v", outcomes)
				}
				for i := range l.Peers {
					for k := range i {
						a, b := l.stream(i), l.stream(k)
						for f := range min(len(a), len(b)) {
							if !equalFrames(a[f], b[f]) {
								t.Fatalf("peers %d and %d differ in frame %d", i, k, f)
							}
						}
					}
				}
			})
		}
	}
}

// At the highest tick rate, with hundreds of datagrams in flight, the round trip is measured
// correctly, even when it becomes longer while playing.
func TestTheRoundTripAtTheHighestTickRate(t *testing.T) {
	for _, loss := range []netem.PPM{0, 5 * netem.Percent} {
		l := newLab(t, 2, withLoss(20*time.Millisecond, loss), configure(func(_ int, c *session.Config) {
			c.TickRate, c.Window = 1000, 120
		}))
		l.play()
		l.pass(500 * time.Millisecond)
		if err := l.Net.SetAll(netem.Link{Delay: 200 * time.Millisecond, Loss: loss}); err != nil {
			t.Fatal(err)
		}
		l.pass(3 * time.Second)
		for i, p := range l.Peers {
			if rtt := p.Stats(nil).Links[0].RoundTrip; (rtt - 400*time.Millisecond).Abs() > 10*time.Millisecond {
				t.Errorf("loss %v: peer %d has measured %v", loss, i, rtt)
			}
		}
	}
}

// A peer whose acknowledgements never arrive, because only one direction works, is
// waited for, then lost; its partner as well, and nothing is dropped for want of
// room meanwhile.
func TestOneDirectionOnly(t *testing.T) {
	l := newLab(t, 2, delay(20*time.Millisecond))
	l.play()
	l.pass(time.Second)
	l.Net.Cut(1, 0, true)
	largest := 0
	l.OnSend = func(_, _ int, b []byte) { largest = max(largest, len(b)) }
	l.pass(4 * time.Second)
	if l.Peers[0].Phase() != session.Playing || count(l.Peers[0], session.Waiting) < 2 || l.event(0, session.Waiting).Players != 0b10 {
		l.dump()
		t.Error("peer 0 does not wait for peer 1")
	}
	l.until("the end for all", 3*time.Second+session.DefaultDropAfter, func() bool { return l.phases(session.Over) })
	for i, p := range l.Peers {
		if st := p.Stats(nil); st.DroppedDatagrams != 0 {
			t.Errorf("peer %d: %d datagrams had no room", i, st.DroppedDatagrams)
		}
	}
	if largest > 400 {
		t.Errorf("a datagram of %d bytes", largest)
	}
}

// Swarms have links that carry no datagram of 1200 bytes, and over these, in one direction or
// both, matches are played, watched and joined like others. They used not to connect.
func TestRegressionNarrowPathsConnect(t *testing.T) {
	narrow := func(p Plan) bool {
		for _, w := range p.Links {
			if w.Link.MTU > 0 && w.Link.MTU < 1200 {
				return true
			}
		}
		return false
	}
	drawn := 0
	for seed := range uint64(40) {
		p, err := Draw(seed, Swarm, 3, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if narrow(p) {
			drawn++
		}
	}
	if drawn < 4 {
		t.Errorf("%d of 40 plans have narrow links", drawn)
	}
	p := continuingPlan(3, 900)
	p.Hosting.Max = 8
	p.Spectators = []SpectatorPlan{{Hosts: []int{0}}, {Hosts: []int{1}, Late: 6 * time.Second}}
	p.Link = netem.Link{Delay: 30 * time.Millisecond, MTU: leastMTU, Overhead: netem.OverheadIPv4}
	wide := p.Link
	wide.MTU = 1500
	p.Links = []Way{{0, 1, wide}, {2, 0, wide}}
	res := playLedger(t, p)
	fine(t, p, res)
	for i, m := range res.Machines {
		if len(m.Outcomes) != 1 || m.Outcomes[0].Frames != 900 || m.Outcomes[0].Left != 0 {
			t.Errorf("machine %d: %+v, %v", i, m.Outcomes, m.Err)
		}
	}
	if res.Spectators[0].Frames != 900 || res.Spectators[1].Frames == 0 {
		t.Errorf("%d and %d frames were watched", res.Spectators[0].Frames, res.Spectators[1].Frames)
	}
}
