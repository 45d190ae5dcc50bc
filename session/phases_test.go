package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// situation is the state of a session of three when a message arrives from peer
// 1 (at peer 0, the host) or from the host (at peer 1).
type situation struct {
	name  string
	reach func(tr *trio)
}

func situations() []situation {
	return []situation{
		{"connecting", func(tr *trio) {
			tr.forge = func(from, to int, b []byte) []byte {
				if from == 2 || to == 2 {
					return nil
				}
				return b
			}
			tr.run(200 * time.Millisecond)
		}},
		{"lobby", func(tr *trio) { tr.reach(Lobby) }},
		{"starting", func(tr *trio) { tr.reach(Starting) }},
		{"ready", func(tr *trio) {
			tr.reach(Starting)
			_ = tr.peers[1].Accept()
			_ = tr.peers[1].Ready()
			tr.run(40 * time.Millisecond)
		}},
		{"playing", func(tr *trio) { tr.reach(Playing) }},
		{"one is out", func(tr *trio) {
			tr.reach(Playing)
			tr.peers[0].lose(tr.way(0, 2), "test")
			tr.run(8 * time.Millisecond)
		}},
		{"ending", func(tr *trio) {
			tr.reach(Playing)
			tr.forge = func(from, to int, b []byte) []byte {
				if tr.peers[0].Phase() != Ending || tr.peers[1].Phase() != Ending {
					return b
				}
				return nil
			}
			for range 400 {
				tr.run(4 * time.Millisecond)
				if tr.peers[0].Phase() == Ending && tr.peers[1].Phase() == Ending {
					break
				}
			}
			tr.forge = nil
		}},
		{"over", func(tr *trio) { tr.reach(Over) }},
	}
}

// kinds are valid messages about the current match, by name.
var kinds = []struct {
	name string
	make func(m *Machine, l *link) []byte
}{
	{"offer", func(m *Machine, _ *link) []byte {
		o := datagram.Offer{Match: m.lobby.Number() + 1, State: m.items.State, Frames: 50}
		return o.Append([]byte{messageOffer, byte(m.cfg.everybody())})
	}},
	{"an offer without us", func(m *Machine, l *link) []byte {
		o := datagram.Offer{Match: m.lobby.Number() + 1, State: m.items.State, Frames: 50}
		return o.Append([]byte{messageOffer, byte(l.players)})
	}},
	{"an offer without itself", func(m *Machine, l *link) []byte {
		o := datagram.Offer{Match: m.lobby.Number() + 1, State: m.items.State, Frames: 50}
		return o.Append([]byte{messageOffer, byte(m.cfg.everybody() &^ l.players)})
	}},
	{"an offer for nobody", func(m *Machine, _ *link) []byte {
		o := datagram.Offer{Match: m.lobby.Number() + 1, State: m.items.State, Frames: 50}
		return o.Append([]byte{messageOffer, 0xFF})
	}},
	{"old offer", func(m *Machine, _ *link) []byte {
		o := datagram.Offer{Match: m.lobby.Number(), State: m.items.State, Frames: 50}
		return o.Append([]byte{messageOffer, byte(m.cfg.everybody())})
	}},
	{"accept", func(m *Machine, _ *link) []byte { return about(messageAccept, m.lobby.Number()) }},
	{"refuse", func(m *Machine, l *link) []byte { return about(messageRefuse, m.lobby.Number(), byte(l.players)) }},
	{"refuse for all", func(m *Machine, l *link) []byte {
		return about(messageRefuse, m.lobby.Number(), byte(m.cfg.everybody()))
	}},
	{"refuse for others", func(m *Machine, l *link) []byte { return about(messageRefuse, m.lobby.Number(), byte(0xFF)) }},
	{"refuse the next", func(m *Machine, l *link) []byte { return about(messageRefuse, m.lobby.Number()+1, byte(l.players)) }},
	{"ready", func(m *Machine, _ *link) []byte { return about(messageReady, m.lobby.Number()) }},
	{"ready for the last", func(*Machine, *link) []byte { return about(messageReady, 1<<32-1) }},
	{"application", func(*Machine, *link) []byte { return []byte{messageApplication, 1, 2} }},
	{"orders", func(m *Machine, l *link) []byte {
		return about(messageOrders, m.lobby.Number(), byte(l.List[0]), m.inputs.Next(l.List[0])+1, byte(1))
	}},
	{"orders of another", func(m *Machine, _ *link) []byte {
		return about(messageOrders, m.lobby.Number(), byte(7), Frame(3), byte(1))
	}},
	{"chain", func(m *Machine, l *link) []byte {
		return about(messageChain, m.lobby.Number(), chained(l, Frame(m.cfg.ChainEvery))+Frame(m.cfg.ChainEvery), uint64(1))
	}},
	{"leave", func(m *Machine, _ *link) []byte { return about(messageLeave, m.lobby.Number(), Frame(20)) }},
	{"reset", func(*Machine, *link) []byte { return []byte{messageReset, 'n', 'o'} }},
	{"reset at length", func(*Machine, *link) []byte { return append([]byte{messageReset}, make([]byte, maxReason+1)...) }},
	{"done", func(m *Machine, _ *link) []byte {
		return about(messageDone, m.lobby.Number(), m.sim.Agreed(), uint64(1), uint64(2), uint64(1<<63), byte(Healthy))
	}},
	{"suspect", func(m *Machine, _ *link) []byte { return about(messageDesync, m.lobby.Number(), Frame(10)) }},
	{"suspect nothing", func(m *Machine, _ *link) []byte { return about(messageDesync, m.lobby.Number(), Frame(0)) }},
	{"ask", func(m *Machine, _ *link) []byte {
		return about(messageDesync+1, m.lobby.Number(), Frame(1), byte(1), Frame(1), byte(20), byte(0))
	}},
	{"ask for nothing", func(m *Machine, _ *link) []byte { return about(messageDesync+1, m.lobby.Number(), Frame(1), byte(9)) }},
	{"answer", func(m *Machine, _ *link) []byte {
		return about(messageDesync+2, m.lobby.Number(), Frame(1), byte(1), byte(0), byte(0), byte(0))
	}},
	{"answer of nothing", func(m *Machine, _ *link) []byte { return about(messageDesync+2, m.lobby.Number(), Frame(1), byte(9)) }},
	{"no report", func(m *Machine, _ *link) []byte { return about(messageDesync+3, m.lobby.Number(), Frame(0), Frame(0)) }},
	{"piece", func(m *Machine, _ *link) []byte {
		return about(messageDesync+3, m.lobby.Number(), Frame(100), Frame(0), byte(1))
	}},
	{"piece of too much", func(m *Machine, _ *link) []byte {
		return about(messageDesync+3, m.lobby.Number(), NoFrame, Frame(0), byte(1))
	}},
	{"no desync message", func(m *Machine, _ *link) []byte { return about(messageDesync+4, m.lobby.Number()) }},
	{"unknown", func(m *Machine, _ *link) []byte { return about(99, m.lobby.Number()) }},
	{"short", func(*Machine, *link) []byte { return []byte{messageChain, 1} }},
}

// changes says how a message changes the phase of its receiver, and the peer
// that sent it. Messages that are not listed change neither.
var changes = []struct{ situations, kinds, receivers, outcome string }{
	{"connecting, lobby, starting, ready", "orders of another, chain, no desync message, unknown, short", "host, guest", "over, the peer is gone"},
	{"connecting, lobby, starting, ready", badOffers + ", reset, reset at length", "host, guest", "over, the peer is gone"},
	{"connecting, lobby, starting, ready", "leave", "host, guest", "over, the peer is leaving"},
	{"connecting, lobby, starting, ready", "an offer without us", "guest", "over, the peer is connected"},
	{"lobby", "offer", "guest", "starting, the peer is connected"},
	{"starting, ready", "refuse, refuse for all", "host, guest", "lobby, the peer is connected"},
	{"starting", brokenDesync, "host", "over, the peer is gone"}, // the receiver is not ready, so it is ignored
	{"ready", brokenDesync, "host, guest", "over, the peer is gone"},
	{"playing, one is out", brokenDesync, "host, guest", "playing, the peer is gone"},
	{"playing, one is out", badOffers + ", reset, reset at length", "host, guest", "playing, the peer is gone"},
	{"playing, one is out", "orders of another, leave, no desync message, unknown", "host, guest", "playing, the peer is gone"},
	{"playing, one is out", "short", "host, guest", "playing, the peer is gone"},
	{"ending", brokenDesync, "host, guest", "ending, the peer is gone"},
	{"connecting, lobby, starting, ready", "refuse for others", "host, guest", "over, the peer is gone"},
	{"playing, one is out", "refuse for others", "host, guest", "playing, the peer is gone"},
	{"ending", "refuse for others", "host, guest", "ending, the peer is gone"},
	{"ending", badOffers + ", reset, reset at length", "host, guest", "ending, the peer is gone"},
	{"ending", "orders of another, leave, no desync message, unknown, short", "host, guest", "ending, the peer is gone"},
}

// badOffers are proposals that no host makes.
const badOffers = "an offer without itself, an offer for nobody"

// brokenDesync are messages about a desync that no peer sends.
const brokenDesync = "suspect nothing, ask for nothing, answer of nothing, piece of too much"

// changeOf looks a message up in the table.
func changeOf(situation, kind, receiver string) string {
	for _, c := range changes {
		if slices.Contains(strings.Split(c.situations, ", "), situation) && slices.Contains(strings.Split(c.kinds, ", "), kind) &&
			slices.Contains(strings.Split(c.receivers, ", "), receiver) {
			return c.outcome
		}
	}
	return ""
}

// Every message in every phase, from an authentic peer: nothing panics, and the
// phase changes only as the table says.
func TestEveryMessageInEveryPhase(t *testing.T) {
	states := [...]string{connecting: "connecting", connected: "connected", leaving: "leaving", gone: "gone"}
	for _, s := range situations() {
		for _, k := range kinds {
			for to, who := range []string{"host", "guest"} {
				tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ChainEvery = true, 10 })
				s.reach(tr)
				m := tr.peers[to]
				l, before := m.at[1-to], m.Phase()
				was := l.state
				if was == connecting {
					t.Fatalf("%s: they are not connected", s.name)
				}
				if b := k.make(m.Machine, l); before == Over {
					tr.lie(1-to, to, b)
				} else if err := m.receiveMessage(l, b); err != nil {
					m.lose(l, err.Error())
				}
				m.handleLosses()
				got := ""
				if m.Phase() != before || l.state != was {
					got = fmt.Sprintf("%v, the peer is %s", m.Phase(), states[l.state])
				}
				if want := changeOf(s.name, k.name, who); got != want {
					t.Errorf("%s, %s, the %s: now %q, the table says %q", s.name, k.name, who, got, want)
				}
				for range 3 { // with what it has now, it goes on
					tr.now += 20 * time.Millisecond
					m.Poll(tr.now)
					m.Update(tr.now)
					m.Step(tr.now)
					m.Receive(tr.now, addrOf(1-to), []byte{1})
					tr.carry()
				}
			}
		}
	}
}

// A message that is cut off at any length panics in no phase.
func TestCutMessages(t *testing.T) {
	for _, s := range situations() {
		for to := range 2 {
			tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ChainEvery = true, 10 })
			s.reach(tr)
			m := tr.peers[to]
			tr.abused = true
			for _, k := range kinds {
				b := k.make(m.Machine, m.at[1-to])
				for n := 1; n <= len(b); n++ {
					m.at[1-to].state = connected
					_ = m.receiveMessage(m.at[1-to], b[:n:n])
				}
			}
			tr.run(100 * time.Millisecond)
		}
	}
}
