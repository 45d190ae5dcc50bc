package session

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// restart ends a peer's process without a word, and begins another one with the same
// configuration, at the same address, which knows nothing.
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

// A process that is started again while the other one still plays with the one before
// does not begin a match: a Welcome shows that somebody is there, not that it plays with
// us. It is told what goes on, and what it can do.
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

// If the match ends when somebody leaves, the process waits for the other one to give up
// the one before, and to be started again; it does not begin alone meanwhile, and when
// nobody comes says why.
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

// Without a datagram that proves the key of this handshake nothing begins, and nobody is
// dropped: Welcomes alone, as a peer gives them that is just being killed or whose
// datagrams are all lost, end as nobody's answer does.
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

// One that plays shows that all were ready. Whoever has not heard from one of them begins
// the match after DropAfter all the same, or the others would wait for it: the log says
// who goes.
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

// Somebody who sends Hellos in a peer's name cannot have the peer turned away, for the
// Welcome that says so is sealed with the nonce of the Hello.
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
