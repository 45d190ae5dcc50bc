package fleet

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// moment is a moment between two matches, or at their boundaries.
type moment struct {
	name  string
	reach func(l *lab)
	match uint32 // that is played then, or next
}

// betweens are the moments at which a match has not begun, or is over.
func betweens() []moment {
	list := []moment{
		{"a waiting lobby", func(l *lab) { l.pass(time.Second) }, 1},
		{"a proposal that nobody has accepted", func(l *lab) { l.propose(session.Parameters{Frames: 120}); l.pass(200 * time.Millisecond) }, 1},
		{"a proposal that is on its way", func(l *lab) { l.propose(session.Parameters{Frames: 120}); l.pass(20 * time.Millisecond) }, 1},
		{"a proposal that some have accepted", func(l *lab) {
			l.propose(session.Parameters{Frames: 120})
			l.pass(200 * time.Millisecond)
			if err := errors.Join(l.Peers[1].Accept(), l.Peers[1].Ready(), l.Peers[2].Accept()); err != nil {
				l.Fatal(err)
			}
			l.pass(50 * time.Millisecond)
		}, 1},
		{"the barrier: the last has just said that it is ready", func(l *lab) {
			l.propose(session.Parameters{Frames: 120})
			l.accept(1)
			l.pass(10 * time.Millisecond)
		}, 1},
	}
	for _, ms := range []int{-40, 0, 20, 40, 60, 80, 100, 140, 200, 400} {
		list = append(list, moment{fmt.Sprintf("%d ms after the last frame", ms), func(l *lab) {
			l.propose(session.Parameters{Frames: 120})
			l.accept(1)
			l.until("the last frames", 10*time.Second, func() bool { return l.Peers[0].Frame() >= 116 })
			l.pass(4*period + time.Duration(ms)*time.Millisecond)
		}, 2})
	}
	return list
}

// Rule: with Continue, a machine that goes between two matches (after the last frame,
// while the end is compared, in the lobby, while a match is proposed, at the barrier)
// leaves the others able to play the next match without it, and all of them say so. It
// does not matter how it goes, unless it is the host: without the host nothing is
// proposed.
func TestWhoGoesBetweenMatchesLeavesTheRestPlaying(t *testing.T) {
	for i, m := range betweens() {
		for _, how := range []string{"leaves", "vanishes"} {
			for _, loss := range []netem.PPM{0, 10 * netem.Percent} {
				if testing.Short() && (i+int(loss))%3 != 0 {
					continue
				}
				for _, gone := range []int{1, 3} {
					t.Run(fmt.Sprintf("%s, player %d %s, loss %v", m.name, gone, how, loss), func(t *testing.T) {
						l := lobbyOf(t, 4, withLoss(30*time.Millisecond, loss), configure(impatient))
						m.reach(l)
						if how == "leaves" {
							l.Peers[gone].Leave("dinner")
						} else {
							l.Peers[gone].Down = true
						}
						l.rest(gone)[0].goOn(l, m.match, gone)
					})
				}
			}
		}
	}
}

// goOn makes the remaining machines play a match to its end: the one that is already
// proposed, or else any that the host proposes.
func (p *Peer[S, I]) goOn(l *lab, match uint32, gone int) {
	l.Helper()
	host, rest := l.Peers[0], l.rest(gone)
	ready := map[int]uint32{}
	l.until(fmt.Sprintf("the end of match %d", match), time.Minute, func() bool {
		over := true
		for _, q := range rest {
			o, ok := q.Outcome()
			over = over && ok && o.Match >= match
		}
		if over {
			return true
		}
		if _, n := host.Proposal(); host.Phase() == session.Lobby && n < match {
			if o, ok := host.Outcome(); !ok || o.Match < match {
				l.propose(session.Parameters{Frames: 120})
			}
		}
		for _, q := range rest[1:] {
			if _, n := q.Proposal(); q.Phase() == session.Starting && ready[q.Index] < n {
				ready[q.Index] = n
				_ = errors.Join(q.Accept(), q.Ready()) // it may have done so already
			}
		}
		return false
	})
	first, _ := host.Outcome()
	for _, q := range rest {
		o, _ := q.Outcome()
		if q.Err() != nil || o.Match != first.Match || o.Frames != 120 || o.Hash != first.Hash || o.Chain != first.Chain ||
			o.Unagreed || o.Health != session.Healthy || o.Left != first.Left || o.Left&^(session.PlayerSet(1)<<gone) != 0 {
			l.dump()
			l.Fatalf("peer %d: %v, %+v; the host: %+v", q.Index, q.Err(), o, first)
		}
	}
}

// Rule: a machine without which the host has begun the next match learns that, and so does
// every machine when the host is gone: the session is over for them, with an error that
// names the missing ones.
func TestWithoutAHostThereIsNoNextMatch(t *testing.T) {
	for _, how := range []string{"leaves", "vanishes"} {
		l := lobbyOf(t, 3, delay(30*time.Millisecond), configure(impatient))
		if how == "leaves" {
			l.Peers[0].Leave("dinner")
		} else {
			l.Peers[0].Down = true
		}
		l.pass(3 * time.Second)
		for _, p := range l.Peers[1:] {
			var lost *session.LostError
			if !errors.As(p.Err(), &lost) || lost.Players != 1 {
				t.Errorf("the host %s: peer %d: %v", how, p.Index, p.Err())
			}
		}
	}
}

// Rule: a machine that gives a peer up notifies it, in a lobby as in a match: a peer that
// still hears it knows within half a second, and not only after the same silence.
func TestWhoIsGivenUpKnowsIt(t *testing.T) {
	for _, on := range []session.OnLeave{session.End, session.Continue} {
		for _, players := range []int{2, 3} {
			for _, playing := range []bool{false, true} {
				l := lobbyOf(t, players, withLoss(30*time.Millisecond, 5*netem.Percent), configure(func(_ int, c *session.Config) { c.OnLeave = on }))
				if playing {
					l.propose(session.Parameters{})
					l.accept(1)
					l.play()
					l.pass(time.Second)
				}
				for i := range players - 1 {
					l.Net.Cut(players-1, i, true) // it hears the others, and is not heard
				}
				gone := l.Peers[players-1]
				l.until("the loss", 6*time.Second, func() bool {
					return count(l.Peers[0], session.Lost)+count(l.Peers[0], session.Dropped)+count(l.Peers[0], session.Left) > 0 // or another has, and said so
				})
				l.until("the news", 700*time.Millisecond, func() bool { return gone.Phase() == session.Over })
				if !playing || on == session.Continue {
					continue
				}
				l.until("the end of all", 3*time.Second, func() bool { return l.phases(session.Over) })
				o, _ := gone.Outcome()
				for _, p := range l.Peers {
					if q, over := p.Outcome(); !over || q.Unagreed || q.Frames != o.Frames || q.Hash != o.Hash {
						l.dump()
						t.Errorf("%d players: peer %d: %+v, who is out has %+v", players, p.Index, q, o)
					}
				}
			}
		}
	}
}

// Rule: with End, whichever of the links between four machines break, all machines of a
// majority end at the same frame. The others end there, too, or say that their end is not
// agreed.
func TestOneOfSixLinksBreaks(t *testing.T) {
	for i := range 4 {
		for k := range i {
			for _, oneWay := range []bool{false, true} {
				l := newLab(t, 4, delay(30*time.Millisecond))
				l.play()
				l.pass(2 * time.Second)
				if l.Net.Cut(i, k, true); !oneWay {
					l.Net.Cut(k, i, true)
				}
				l.until("the end at all", 30*time.Second, func() bool { return l.phases(session.Over) })
				ends, agreed := map[session.Frame]int{}, 0
				for _, p := range l.Peers {
					if o, over := p.Outcome(); over && !o.Unagreed {
						ends[o.Frames]++
						agreed++
					}
				}
				if len(ends) != 1 || agreed < 3 {
					l.dump()
					t.Errorf("%d to %d, one way %v: the ends are %v", i, k, oneWay, ends)
				}
				l.same(0, l.Peers...)
			}
		}
	}
}
