package session

import (
	"bytes"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// restart ends a peer's process without a goodbye, and starts another one with the same configuration, at the same
// address, without any memory.
func (tr *trio) restart(peer int, change func(c *Config)) {
	tr.Helper()
	again := newTrio(tr.TB, len(tr.peers), func(c *Config) {
		if change != nil {
			change(c)
		}
		random, other := c.Random, uint64(tr.now)
		c.Random = func() uint64 { return random() ^ other }
	})
	tr.peers[peer], tr.seen[peer] = again.peers[peer], nil
}

// A process that is started again while the other one still plays with its predecessor does not begin a match: a
// Welcome shows that somebody is there, not that it plays with us. The new process learns what is going on, and what it
// can do.
func TestAProcessThatIsStartedAgainPlaysNoMatchOfItsOwn(t *testing.T) {
	for _, joins := range []bool{false, true} {
		change := func(c *Config) {
			if c.OnLeave, c.Match.Frames = Continue, 600; joins {
				c.Token = []byte("sixteen bytes or")
			}
		}
		for _, who := range []int{0, 1} {
			tr := newTrio(t, 2, change)
			tr.run(time.Second)
			tr.restart(who, change)
			tr.run(300 * time.Millisecond)
			var e *RestartedError
			if err := tr.peers[who].Err(); !errors.As(err, &e) || !e.Playing || e.Joins != joins || e.Players != 1<<(1-who) ||
				strings.Contains(err.Error(), "join it") != joins {
				t.Errorf("player %d, joins %v: %v, %v", who, joins, tr.peers[who].Phase(), err)
			}
			if tr.count(who, Open)+tr.count(who, Started)+tr.count(who, Dropped)+tr.count(who, Lost) > 0 {
				t.Errorf("player %d: %v", who, tr.seen[who])
			}
			tr.run(15 * time.Second)
			if o, over := tr.peers[1-who].Outcome(); !over || o.Frames != 600 {
				t.Errorf("the other one: %v, %+v", over, o)
			}
		}
	}
}

// If the match ends when somebody leaves, the new process waits until the other one has given up its predecessor and is
// started again; it does not begin alone in the meantime, and says why if nobody comes.
func TestAProcessThatIsStartedAgainWaitsForAnEnd(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Match.Frames = 600 })
	tr.run(time.Second)
	tr.restart(1, nil)
	tr.run(DefaultDropAfter + time.Second)
	if p := tr.peers[1]; p.Phase() != Connecting || tr.peers[0].Phase() != Over {
		t.Fatalf("%v, and the other one %v", p.Phase(), tr.peers[0].Phase())
	}
	tr.restart(0, nil)
	tr.run(time.Second)
	for i, p := range tr.peers {
		if p.Phase() != Playing {
			t.Errorf("peer %d is %v: %v", i, p.Phase(), p.Err())
		}
	}

	tr = newTrio(t, 2, func(c *Config) { c.Lobby, c.DropAfter = true, time.Minute })
	tr.run(time.Second)
	tr.restart(1, nil)
	tr.run(DefaultConnectTimeout + time.Second)
	var e *RestartedError
	if err := tr.peers[1].Err(); !errors.As(err, &e) || e.Playing || e.Players != 1 || !strings.Contains(err.Error(), "start again") {
		t.Errorf("%v", err)
	}
}

// Without a datagram that proves the key of this handshake nothing begins, and nobody is dropped. Welcomes alone, from
// a peer that is just being killed or whose datagrams are all lost, have the same result as no answer.
func TestWelcomesAloneBeginNothing(t *testing.T) {
	for _, rule := range []OnLeave{End, Continue} {
		for _, players := range []int{2, 3} {
			tr := newTrio(t, players, func(c *Config) { c.OnLeave, c.Match.Frames = rule, 100 })
			tr.forge = func(from, to int, b []byte) []byte {
				if to == 1 && datagram.IsSession(b) {
					return nil
				}
				return b
			}
			tr.run(DefaultConnectTimeout + time.Second)
			var late *TimeoutError
			if err := tr.peers[1].Err(); !errors.As(err, &late) || late.Players != tr.peers[1].cfg.everybody()&^2 {
				t.Errorf("%v, %d players: %v, %v", rule, players, tr.peers[1].Phase(), err)
			}
			if n := tr.count(1, Open) + tr.count(1, Started) + tr.count(1, Lost) + tr.count(1, Dropped); n > 0 {
				t.Errorf("%v, %d players: %v", rule, players, tr.seen[1])
			}
		}
	}
}

// A peer that plays shows that all were ready. A machine that has not heard from one of them still begins the match
// after DropAfter, since otherwise the others would wait for it: the log says who leaves.
func TestAMatchThatOthersPlayBeginsWithoutAPeersProof(t *testing.T) {
	for _, proof := range []bool{false, true} {
		tr := newTrio(t, 3, func(c *Config) { c.OnLeave, c.Match.Frames = Continue, 100 })
		died := false
		tr.forge = func(from, to int, b []byte) []byte {
			if died && from == 2 || from == 2 && to == 0 && (datagram.IsSession(b) || proof && b[0] == datagram.KindWelcome) {
				return nil
			}
			return b
		}
		tr.run(DefaultDropAfter - time.Second)
		if p := tr.peers[0]; p.Phase() != Connecting || tr.peers[1].Phase() != Playing {
			t.Fatalf("%v, and %v", p.Phase(), tr.peers[1].Phase())
		}
		died = true
		tr.run(DefaultDropAfter)
		for i, p := range tr.peers[:2] {
			if o, over := p.Outcome(); !over || o.Frames != 100 || o.Left != 4 {
				t.Errorf("peer %d: %v, %+v: %v", i, over, o, tr.seen[i])
			}
		}
	}
}

// Hellos in a peer's name cannot cause the peer to be turned away, because the Welcome that says so is sealed with the
// nonce of the Hello.
func TestHellosInAPeersNameTurnNobodyAway(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.OnLeave, c.Lobby = Continue, true })
	at := netip.AddrPort{}
	for range 100 {
		for i := range tr.peers {
			at = addrOf(1 - i)
			tr.peers[i].Receive(tr.now, at, datagram.Hello{Version: datagram.Version, Nonce: 999}.Append(nil))
		}
		tr.run(4 * time.Millisecond)
	}
	for i, p := range tr.peers {
		if p.Phase() != Lobby {
			t.Errorf("peer %d is %v: %v", i, p.Phase(), p.Err())
		}
	}
}

// Rule: if the process of a peer was killed and started again, the other peer learns it within half a second and a few
// round trips, not only after a silence of DropAfter: the match goes on without that player, or ends with an error that
// says why. That also holds in the lobby.
func TestAPeerOfARestartedProcessIsToldAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		players int
		change  func(c *Config)
		ends    bool
	}{
		"the end of a match":       {2, func(c *Config) { c.Match.Frames = 6000 }, true},
		"a match of three":         {3, func(c *Config) { c.Match.Frames = 6000 }, true},
		"a lobby":                  {2, func(c *Config) { c.Lobby = true }, true},
		"a match that goes on":     {2, func(c *Config) { c.OnLeave, c.Match.Frames = Continue, 6000 }, false},
		"three, of whom two go on": {3, func(c *Config) { c.OnLeave, c.Match.Frames = Continue, 6000 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			for who := range 2 {
				tr := newTrio(t, c.players, c.change)
				tr.run(time.Second)
				tr.restart(who, c.change)
				tr.run(askAfter + 200*time.Millisecond)
				for i, p := range tr.peers {
					if i == who {
						continue
					}
					e, n := Event{}, 0
					for _, e = range tr.seen[i] {
						if e.What == Restarted {
							break
						}
					}
					if n = tr.count(i, Restarted); n != 1 || e.Players != 1<<who {
						t.Fatalf("peer %d, of whom %d was started again: %v", i, who, tr.seen[i])
					}
					var lost *LostError
					switch err := p.Err(); {
					case !c.ends && (p.Phase() != Playing || tr.count(i, Dropped) != 1):
						t.Errorf("peer %d: %v, %v, %v", i, p.Phase(), err, tr.seen[i])
					case c.ends && (!errors.As(err, &lost) || lost.Restarted != 1<<who || !lost.Players.Has(Player(who)) || !strings.Contains(err.Error(), "started again")):
						t.Errorf("peer %d: %v, %v", i, err, tr.seen[i])
					}
				}
			}
		})
	}
}

// Rule: an attacker who does not see the traffic cannot cause a peer to be given up: not by Hellos in its name, whether
// it is heard or silent; not by Welcomes whose tag uses a nonce that the attacker guesses, or has seen. A peer that is
// still the same process, but whose datagrams are lost, does not count as another one either.
func TestNobodyCanForgeARestartOfAPeer(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Match.Frames, c.DropAfter = 6000, 20*time.Second })
	var seen [][]byte
	cut, asked := false, 0
	tr.forge = func(from, to int, b []byte) []byte {
		if b[0] == datagram.KindWelcome {
			seen = append(seen, bytes.Clone(b))
		}
		if b[0] == datagram.KindHello && from == 0 && cut {
			asked++
		}
		if cut && from == 1 && datagram.IsSession(b) {
			return nil
		}
		return b
	}
	forge := func() {
		p, at := tr.peers[0], addrOf(1)
		p.Receive(tr.now, at, datagram.Hello{Version: datagram.Version, Nonce: 999}.Append(nil))
		for n := range uint64(20) {
			w := datagram.Welcome{Version: datagram.Version, Nonce: n, Attempt: byte(n), Items: p.items}
			p.Receive(tr.now, at, datagram.Key(n).Seal(w.Append(nil), 0, 0))
		}
		for _, b := range seen[:min(len(seen), 40)] {
			p.Receive(tr.now, at, b)
		}
	}
	tr.run(time.Second)
	for range 40 {
		forge()
		tr.run(20 * time.Millisecond)
	}
	cut = true
	for range 100 {
		forge()
		tr.run(20 * time.Millisecond)
	}
	if asked < 10 || asked > 20 {
		t.Errorf("it has asked %d times in 2 s", asked) // every 100 ms, from 0.4 s on
	}
	cut = false
	tr.run(2 * time.Second)
	for i, p := range tr.peers {
		if p.Phase() != Playing || tr.count(i, Restarted)+tr.count(i, Lost)+tr.count(i, Dropped) > 0 {
			t.Errorf("peer %d: %v, %v: %v", i, p.Phase(), p.Err(), tr.seen[i])
		}
	}
}

// Rule: an answer only counts while the peer is silent: a process at the address of a peer that is heard cannot claim
// to be another one.
func TestAPeerThatIsHeardWasNotStartedAgain(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Match.Frames = 6000 })
	tr.run(time.Second)
	l := tr.way(0, 1)
	l.processCheck.nonce = 77
	w := datagram.Welcome{Version: datagram.Version, Nonce: 5, Items: tr.peers[1].items}
	b := datagram.Key(77).Seal(w.Append(nil), 0, 0)
	tr.peers[0].Receive(tr.now, addrOf(1), b)
	tr.run(time.Second)
	if tr.count(0, Restarted) > 0 || tr.peers[0].Phase() != Playing {
		t.Errorf("%v", tr.seen[0])
	}
	tr.peers[1].cfg.Random = func() uint64 { return 1 }
	tr.forge = func(from, to int, b []byte) []byte { return nil }
	tr.run(askAfter + 20*time.Millisecond)
	tr.peers[0].Receive(tr.now, addrOf(1), b)
	if tr.count(0, Restarted) == 0 {
		tr.run(20 * time.Millisecond)
	}
	if tr.count(0, Restarted) != 1 {
		t.Errorf("and one that is silent was: %v", tr.seen[0])
	}
}

// Rule: a process that was killed and started again soon has its place back if it joins, whichever of its hosts it asks
// first: each gives up its predecessor, since the process has proved its address and that it knows the token.
func TestARestartedProcessJoinsAtOnce(t *testing.T) {
	for _, players := range []int{2, 3} {
		m := newMesh(t, players, 0, func(_ int, c *Config) { c.Match.Frames, c.DropAfter = 3000, 20*time.Second })
		m.playing()
		m.run(time.Second)
		gone := m.nodes[players-1]
		gone.down = true
		m.run(askAfter)
		began, hosts := m.now, []netip.AddrPort{addrOf(0), addrOf(1)}
		back := m.join(gone.addr, players-1, hosts[:players-1]...)
		m.until("the return", 5*time.Second, func() bool { _, c := back.saw(Joined); return c == 1 })
		if e, n := m.nodes[0].saw(Restarted); n != 1 || e.Players != 1<<(players-1) {
			t.Errorf("%d players: %v", players, e)
		}
		if d := m.now - began; d > 3*time.Second {
			t.Errorf("%d players: it takes %v", players, d)
		}
		m.theEnd(60 * time.Second)
		if o, over := back.Outcome(); !over || o.Frames != 3000 || o.Health != Healthy {
			t.Errorf("%d players: %+v", players, o)
		}
	}
}

// Rule: a machine that joined on the connection to its host, and queries that host with another nonce, has left the connection for
// another host, and was not started again.
func TestWhoHasLeftItsPipeWasNotStartedAgain(t *testing.T) {
	for _, shared := range []bool{true, false} {
		m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.Match.Frames, c.DropAfter = 3000, 20*time.Second })
		m.playing()
		back := m.join(addrOf(2), 2, addrOf(0))
		m.until("that it is in", 5*time.Second, func() bool { _, c := back.saw(Joined); return c == 1 })
		host := m.nodes[0]
		l := host.at[2]
		if m.run(200 * time.Millisecond); !l.Shared() {
			t.Fatal("it has a connection of its own")
		}
		if !shared {
			l.Answered(m.now, l.Theirs+1, 1, m.now)
		}
		back.down = true
		m.run(askAfter + 20*time.Millisecond)
		l.processCheck.nonce = 77
		w := datagram.Welcome{Version: datagram.Version, Nonce: 5, Items: host.items}
		host.Receive(m.now, addrOf(2), datagram.Key(77).Seal(w.Append(nil), 0, 0))
		m.run(20 * time.Millisecond)
		if _, n := host.saw(Restarted); (n == 0) != shared || l.alive() != shared {
			t.Errorf("shared %v: %d were started again, and it is alive: %v", shared, n, l.alive())
		}
	}
}
