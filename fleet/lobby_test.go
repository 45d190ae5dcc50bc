package fleet

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// lobbyOf makes a fleet whose peers are all in the lobby.
func lobbyOf(tb testing.TB, players int, options ...option) *lab {
	tb.Helper()
	l := newLab(tb, players, append([]option{inLobby()}, options...)...)
	l.until("the lobby", 20*time.Second, func() bool { return l.phases(session.Lobby) })
	return l
}

// propose lets the host propose.
func (l *lab) propose(p session.Parameters) {
	l.Helper()
	if err := l.Peers[0].Propose(p); err != nil {
		l.dump()
		l.Fatal(err)
	}
}

// accept makes each other peer wait for the proposal, accept it, and be ready.
func (l *lab) accept(match uint32) {
	l.Helper()
	for _, p := range l.Peers[1:] {
		l.until(fmt.Sprintf("proposal %d at peer %d", match, p.Index), 10*time.Second, func() bool {
			_, n := p.Proposal()
			return n == match && p.Phase() == session.Starting
		})
		if err := p.Accept(); err != nil {
			l.Fatal(err)
		}
		if err := p.Ready(); err != nil {
			l.Fatal(err)
		}
	}
}

// Messages arrive complete and in order, up to the largest, also while playing.
func TestMessagesArriveInOrder(t *testing.T) {
	for _, loss := range []netem.PPM{0, 20 * netem.Percent} {
		t.Run(loss.String(), func(t *testing.T) {
			l := lobbyOf(t, 3, withLoss(40*time.Millisecond, loss))
			var sent [][]byte
			send := func(n int) {
				b := bytes.Repeat([]byte{byte(len(sent) + 1)}, n)
				if err := l.Peers[1].Send(0b101, b); err != nil {
					t.Fatal(err)
				}
				sent = append(sent, b)
			}
			for _, n := range []int{1, 2, 959, 960, 961, session.MaxMessage, 3} {
				send(n)
			}
			l.pass(10 * time.Second)
			l.propose(session.Parameters{Frames: 300})
			l.accept(1)
			l.play()
			for _, n := range []int{10, 5000, 1} {
				send(n)
			}
			l.end(1, 30*time.Second)
			l.same(0, l.Peers...)
			for _, i := range []int{0, 2} {
				var got [][]byte
				for _, e := range l.Peers[i].Events {
					if e.What == session.Message {
						got = append(got, e.Data)
					}
				}
				if len(got) != len(sent) {
					t.Fatalf("peer %d: %d messages arrived, %d were sent", i, len(got), len(sent))
				}
				for k := range got {
					if !bytes.Equal(got[k], sent[k]) {
						t.Errorf("peer %d: message %d is wrong", i, k)
					}
				}
			}
		})
	}
}

// Messages that cannot be sent are refused with an error.
func TestMessagesAreBounded(t *testing.T) {
	l := lobbyOf(t, 2)
	for _, n := range []int{0, session.MaxMessage + 1} {
		if err := l.Peers[0].Send(0b10, make([]byte, n)); err == nil {
			t.Errorf("a message of %d bytes was taken", n)
		}
	}
	var err error
	for range 100 {
		if err = l.Peers[0].Send(0b10, make([]byte, session.MaxMessage)); err != nil {
			break
		}
	}
	if err == nil {
		t.Error("100 messages of 64 KiB wait")
	}
	l.pass(20 * time.Second)
	if !l.phases(session.Lobby) {
		t.Error("somebody is gone")
	}
}

// Parameters of up to 64 KiB reach all, whole, and the match starts.
func TestLargeParameters(t *testing.T) {
	for _, size := range []int{0, 1, 700, 1200, session.MaxData} {
		for _, loss := range []netem.PPM{0, 20 * netem.Percent} {
			l := lobbyOf(t, 3, withLoss(30*time.Millisecond, loss))
			want := session.Parameters{Seed: 1<<63 + 5, Frames: 60, Content: 77, Data: bytes.Repeat([]byte("tick"), size/4+1)[:size]}
			l.propose(want)
			l.accept(1)
			for _, p := range l.Peers {
				got, n := p.Proposal()
				if n != 1 || got.Seed != want.Seed || got.Frames != want.Frames || got.Content != want.Content || !bytes.Equal(got.Data, want.Data) {
					t.Fatalf("peer %d: proposal %d with %d bytes, seed %d", p.Index, n, len(got.Data), got.Seed)
				}
			}
			l.end(1, 30*time.Second)
			l.same(0, l.Peers...)
		}
	}
	// By itself, in the Welcome or after it.
	for _, size := range []int{1, 700, session.MaxData} {
		l := newLab(t, 3, withLoss(30*time.Millisecond, 5*netem.Percent), configure(func(peer int, c *session.Config) {
			if c.Match.Frames = 60; peer == 0 {
				c.Match.Data = make([]byte, size)
			}
		}))
		l.end(1, 30*time.Second)
		l.same(0, l.Peers...)
	}
	if err := lobbyOf(t, 2).Peers[0].Propose(session.Parameters{Data: make([]byte, session.MaxData+1)}); err == nil {
		t.Error("too much data was taken")
	}
}

// Only the host proposes, and only in the lobby; calls in other situations are refused
// and change nothing.
func TestCallsOutOfPlace(t *testing.T) {
	l := lobbyOf(t, 3, delay(20*time.Millisecond))
	host, guest := l.Peers[0], l.Peers[1]
	check := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	check("a guest proposes", guest.Propose(session.Parameters{}), session.ErrNotHost)
	check("accept nothing", guest.Accept(), session.ErrPhase)
	check("ready for nothing", guest.Ready(), session.ErrPhase)
	check("refuse nothing", guest.Refuse("no"), session.ErrPhase)
	l.propose(session.Parameters{Frames: 100})
	check("propose twice", host.Propose(session.Parameters{}), session.ErrPhase)
	check("the host refuses", host.Refuse("no"), session.ErrPhase)
	l.pass(100 * time.Millisecond)
	check("ready before accept", guest.Ready(), session.ErrPhase)
	check("accept", guest.Accept(), nil)
	check("accept twice", guest.Accept(), session.ErrPhase)
	check("ready", guest.Ready(), nil)
	check("ready twice", guest.Ready(), session.ErrPhase)
	l.pass(time.Second)
	if p := l.Peers[2].Phase(); p != session.Starting {
		t.Errorf("peer 2 has not accepted, and it is %v", p)
	}
	check("accept", l.Peers[2].Accept(), nil)
	check("ready", l.Peers[2].Ready(), nil)
	l.play()
	check("propose in a match", host.Propose(session.Parameters{}), session.ErrPhase)
	check("refuse in a match", guest.Refuse("no"), session.ErrPhase)
	l.end(1, 10*time.Second)
	l.same(0, l.Peers...)
	guest.Leave("bye")
	l.pass(time.Second)
	check("propose when over", host.Propose(session.Parameters{}), session.ErrPhase)
}

// A refusal, by call or by the hook, reaches all with its reason, all are back in
// the lobby, and the next proposal can be played.
func TestRefusals(t *testing.T) {
	for _, by := range []string{"call", "hook"} {
		for _, loss := range []netem.PPM{0, 20 * netem.Percent} {
			t.Run(fmt.Sprintf("by %s, loss %v", by, loss), func(t *testing.T) {
				l := lobbyOf(t, 4, withLoss(30*time.Millisecond, loss), func(s *Setup[ledger, note]) {
					s.Hooks = func(peer int, h *session.Hooks[ledger, note]) {
						h.Start = func(p session.Parameters) (func(*ledger), error) {
							if peer == 2 && p.Content != 0 {
								return nil, errors.New("level 9 is missing")
							}
							return nil, nil
						}
					}
				})
				for try := range uint32(3) {
					l.propose(session.Parameters{Frames: 100, Content: 9})
					l.until("the proposal", 5*time.Second, func() bool { return l.Peers[2].Phase() == session.Starting })
					if by == "call" {
						if err := l.Peers[2].Refuse("level 9 is missing"); err != nil {
							t.Fatal(err)
						}
					} else if err := l.Peers[2].Accept(); err == nil {
						t.Fatal("it is accepted")
					}
					l.until("the lobby", 5*time.Second, func() bool {
						return l.phases(session.Lobby) && l.all(func(p *Peer[ledger, note]) bool {
							return p.Index == 2 || count(p, session.Refused) == int(try)+1
						})
					})
					for _, i := range []int{0, 1, 3} {
						if e := l.event(i, session.Refused); e.Match != try+1 || e.Text != "level 9 is missing" || !e.Players.Has(2) {
							t.Errorf("peer %d: %v of %v, match %d", i, e, e.Players, e.Match)
						}
					}
				}
				l.propose(session.Parameters{Frames: 100})
				l.accept(4)
				l.end(4, 20*time.Second)
				l.same(0, l.Peers...)
			})
		}
	}
}

// Without Lobby a refusal ends the session, for all with the reason, even if datagrams
// are lost.
func TestARefusalWithoutLobbyEndsAll(t *testing.T) {
	for seed := range uint64(20) {
		l := newLab(t, 3, withLoss(30*time.Millisecond, 20*netem.Percent), seeded(seed+1), func(s *Setup[ledger, note]) {
			s.Hooks = func(peer int, h *session.Hooks[ledger, note]) {
				h.Start = func(p session.Parameters) (func(*ledger), error) {
					if peer == 2 {
						return nil, errors.New("level 9 is missing")
					}
					return nil, nil
				}
			}
		})
		l.until("the end of all", 10*time.Second, func() bool { return l.phases(session.Over) })
		for i, p := range l.Peers {
			var e *session.RefusedError
			if !errors.As(p.Err(), &e) || e.Reason != "level 9 is missing" || e.Players != 0b100 {
				l.dump()
				t.Fatalf("seed %d: peer %d: %v", seed+1, i, p.Err())
			}
		}
	}
}

// A machine that is not ready in time ends the proposal: in a lobby all are back in it,
// and can try again.
func TestReadyTimeout(t *testing.T) {
	timeouts := configure(func(_ int, c *session.Config) { c.ReadyTimeout = 2 * time.Second })
	for _, accepted := range []bool{false, true} {
		l := lobbyOf(t, 3, timeouts, delay(30*time.Millisecond))
		l.propose(session.Parameters{Frames: 60})
		l.pass(100 * time.Millisecond)
		if err := errors.Join(l.Peers[1].Accept(), l.Peers[1].Ready()); err != nil {
			t.Fatal(err)
		}
		if accepted {
			if err := l.Peers[2].Accept(); err != nil {
				t.Fatal(err)
			}
		}
		l.pass(1700 * time.Millisecond)
		if !l.phases(session.Starting) {
			t.Fatal("the time-out is too early")
		}
		l.until("the lobby", time.Second, func() bool { return l.phases(session.Lobby) })
		if e := l.event(0, session.Refused); e.Players != 0b100 {
			t.Errorf("the host: %v", e)
		}
		l.propose(session.Parameters{Frames: 60})
		l.accept(2)
		l.end(2, 10*time.Second)
		l.same(0, l.Peers...)
	}
}

// A machine that becomes ready at the very moment of the time-out either plays with all,
// or is back in the lobby with all: none plays alone.
func TestReadyAtTheTimeout(t *testing.T) {
	for _, players := range []int{2, 3} {
		for ms := 1880; ms <= 2040; ms += 5 {
			l := lobbyOf(t, players, delay(50*time.Millisecond), configure(func(_ int, c *session.Config) { c.ReadyTimeout = 2 * time.Second }))
			start := l.Now
			l.propose(session.Parameters{Frames: 60})
			for l.pass(100 * time.Millisecond); ; l.pass(time.Millisecond) {
				if l.Now-start >= time.Duration(ms)*time.Millisecond {
					break
				}
			}
			for _, p := range l.Peers[1:] {
				_ = errors.Join(p.Accept(), p.Ready())
			}
			l.until("the lobby", 20*time.Second, func() bool { return l.phases(session.Lobby) && l.Net.InFlight() == 0 })
			l.pass(time.Second)
			if !l.phases(session.Lobby) {
				l.dump()
				t.Fatalf("%d players, ready after %d ms: not all are in the lobby", players, ms)
			}
			l.propose(session.Parameters{Frames: 60})
			l.accept(2)
			l.end(2, 20*time.Second)
			last := len(l.agreed[0]) - 1
			l.same(last, l.Peers...)
		}
	}
}

// Three matches in a row and more, with different parameters, over one connection,
// each proposed as soon as the host may.
func TestRematches(t *testing.T) {
	runs := uint64(20)
	if testing.Short() {
		runs = 3
	}
	for run := range runs {
		for _, players := range []int{2, 4} {
			loss := netem.PPM(run%3) * 10 * netem.Percent
			l := newLab(t, players, withLoss(30*time.Millisecond, loss), seeded(seedOf(t, run+1)), frames(50))
			for match := uint32(1); match <= 5; match++ {
				if match > 1 {
					l.until("the host's lobby", 20*time.Second, func() bool { return l.Peers[0].Phase() == session.Lobby })
					l.propose(session.Parameters{Frames: 30 + session.Frame(match), Seed: uint64(match)})
				}
				l.until(fmt.Sprintf("match %d", match), 20*time.Second, func() bool {
					return l.all(func(p *Peer[ledger, note]) bool {
						_, n := p.Proposal()
						return n == match && p.Phase() == session.Playing
					})
				})
			}
			l.end(5, 20*time.Second)
			for match := range 5 {
				l.same(match, l.Peers...)
				if got := len(l.agreed[players-1][match]); match > 0 && got != 31+match {
					t.Errorf("match %d has %d frames", match+1, got)
				}
			}
			l.healthy()
		}
	}
}

// A game with a result ends at the frame on which all agree, and all have the same
// result.
func TestTheGameEndsTheMatch(t *testing.T) {
	finish := func(s *Setup[ledger, note]) { s.Game = finishingGame(200) }
	for _, players := range []int{2, 3, 8} {
		l := newLab(t, players, finish, withLoss(50*time.Millisecond, 10*netem.Percent))
		l.end(1, 30*time.Second)
		l.same(0, l.Peers...)
		for i, p := range l.Peers {
			if o, _ := p.Outcome(); !o.Finished || o.Result != 4242 || !o.Told || p.Final() == nil || p.Final().Frame != uint32(o.Frames) {
				t.Errorf("%d players: peer %d: %+v", players, i, o)
			}
		}
	}
}

// In a lobby nothing happens for minutes, and nobody is lost.
func TestAnIdleLobbyStays(t *testing.T) {
	for _, loss := range []netem.PPM{0, 20 * netem.Percent} {
		l := lobbyOf(t, 4, withLoss(50*time.Millisecond, loss))
		l.pass(10 * time.Minute)
		if !l.phases(session.Lobby) {
			l.dump()
			t.Fatal("somebody has left the lobby")
		}
		l.propose(session.Parameters{Frames: 30})
		l.accept(1)
		l.end(1, 20*time.Second)
		l.same(0, l.Peers...)
	}
}
