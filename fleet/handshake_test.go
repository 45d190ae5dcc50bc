package fleet

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Each item in which peers differ is named, on both sides, with both values.
func TestMismatchesAreNamedOnBothSides(t *testing.T) {
	for item, change := range map[string]func(c *session.Config){
		"game":                     func(c *session.Config) { c.GameID = "other" },
		"build":                    func(c *session.Config) { c.Build = "1.2" },
		"platform":                 func(c *session.Config) { c.Platform = "arm64" },
		"tick rate":                func(c *session.Config) { c.TickRate = 50 },
		"limit of orders in bytes": func(c *session.Config) { c.MaxOrders = 10 },
		"interval of comparisons":  func(c *session.Config) { c.ChainEvery = 30 },
		"rule for who leaves":      func(c *session.Config) { c.OnLeave = session.Continue },
		"number of players": func(c *session.Config) {
			c.Players, c.Peers[0].Players = 3, 0b101
		},
	} {
		for _, loss := range []netem.PPM{0, 20 * netem.Percent} {
			t.Run(item+", loss "+loss.String(), func(t *testing.T) {
				l := newLab(t, 2, withLoss(30*time.Millisecond, loss), configure(func(peer int, c *session.Config) {
					if peer == 1 {
						change(c)
					}
				}))
				l.pass(5 * time.Second)
				l.mismatch(item)
			})
		}
	}
}

// mismatch checks that both peers name the item.
func (l *lab) mismatch(item string) {
	l.Helper()
	for i, p := range l.Peers {
		var e *session.MismatchError
		if p.Phase() != session.Over || !errors.As(p.Err(), &e) {
			l.dump()
			l.Fatalf("peer %d: %v, error %v; the %s differs", i, p.Phase(), p.Err(), item)
		}
		if e.Item != item || e.Ours == e.Theirs {
			l.Errorf("peer %d: %v, the %s differs", i, e, item)
		}
		if count(p, session.Closed) != 1 {
			l.Errorf("peer %d: %d events of the end", i, count(p, session.Closed))
		}
	}
}

// All peers must agree on who plays where: here two peers both claim player 0.
func TestBothClaimTheSamePlayer(t *testing.T) {
	l := newLab(t, 2, delay(10*time.Millisecond), configure(func(peer int, c *session.Config) {
		if peer == 1 {
			c.Local, c.Peers[0].Players = 0b01, 0b10
		}
	}))
	l.pass(3 * time.Second)
	l.mismatch("place of the players")
	for i, p := range l.Peers {
		e := placeError(t, p.Err())
		if e.Local != 0b01 || e.Expected != 0b10 || e.Claimed != 0b01 {
			l.Errorf("peer %d: %+v", i, e)
		}
		for _, part := range []string{"claim player 0", "at the address of player 1", "players count from 0", "players of its own"} {
			if !strings.Contains(e.Error(), part) {
				l.Errorf("peer %d: %q does not say %q", i, e, part)
			}
		}
	}
}

// One of three machines has the addresses of the others in the wrong order: its error says
// which players are where.
func TestAddressesInAnotherOrder(t *testing.T) {
	l := newLab(t, 3, delay(10*time.Millisecond), configure(func(peer int, c *session.Config) {
		if peer == 0 {
			c.Peers[0].Players, c.Peers[1].Players = c.Peers[1].Players, c.Peers[0].Players
		}
	}))
	l.pass(3 * time.Second)
	e := placeError(t, l.Peers[0].Err())
	if e.Claimed == e.Expected || e.Claimed&0b01 != 0 || !strings.Contains(e.Error(), "in the order of their players") {
		t.Errorf("%v: %+v", e, e)
	}
}

func placeError(t *testing.T, err error) *session.PlaceError {
	t.Helper()
	var e *session.PlaceError
	if !errors.As(err, &e) {
		t.Fatalf("%v is no PlaceError", err)
	}
	return e
}

// A different state 0 is named, and so is a different size of inputs.
func TestAnotherGameIsNamed(t *testing.T) {
	type wide struct{ A, B uint32 }
	other, err := session.New(
		rollback.Game[ledger, wide]{Step: func(*ledger, *rollback.Tick[wide]) {}},
		session.Config{GameID: "fleet", Players: 2, Peers: []session.Peer{{Players: 0b01, Addr: Addr(0)}}, Random: func() uint64 { return 5 }},
		session.Hooks[ledger, wide]{Sample: func(rollback.Player) wide { return wide{} }})
	if err != nil {
		t.Fatal(err)
	}
	third, err := session.New(
		rollback.Game[ledger, note]{Init: func(l *ledger) { l.Bias = 1 }, Step: func(*ledger, *rollback.Tick[note]) {}},
		session.Config{GameID: "fleet", Players: 2, Peers: []session.Peer{{Players: 0b01, Addr: Addr(0)}}, Random: func() uint64 { return 6 }},
		session.Hooks[ledger, note]{Sample: func(rollback.Player) note { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	for item, m := range map[string]*session.Machine{"size of an input in bytes": other.Machine, "hash of state 0": third.Machine} {
		l := newLab(t, 2)
		host := l.Peers[0]
		for now := time.Duration(0); now < time.Second; now += 5 * time.Millisecond {
			host.Update(now)
			m.Update(now)
			carry(host.Machine, m, now, Addr(0), Addr(1))
		}
		for _, err := range []error{host.Err(), m.Err()} {
			var e *session.MismatchError
			if !errors.As(err, &e) || e.Item != item {
				t.Errorf("the %s differs: %v", item, err)
			}
		}
	}
}

// carry delivers what two machines send to each other.
func carry(a, b *session.Machine, now time.Duration, atA, atB netip.AddrPort) {
	for _, d := range a.Outgoing() {
		b.Receive(now, atA, d)
	}
	for _, d := range b.Outgoing() {
		a.Receive(now, atB, d)
	}
	for _, d := range a.Outgoing() {
		b.Receive(now, atA, d)
	}
}

// If no peer is there, the session is over after the time-out, and says which peers were
// awaited.
func TestNobodyThere(t *testing.T) {
	for _, limit := range []time.Duration{0, 2 * time.Second} {
		l := newLab(t, 3, delay(10*time.Millisecond), configure(func(_ int, c *session.Config) { c.ConnectTimeout = limit }))
		l.Peers[2].Down = true
		if limit == 0 {
			limit = session.DefaultConnectTimeout
		}
		l.pass(limit - 100*time.Millisecond)
		if !l.phases(session.Connecting) {
			t.Fatal("it is over too early")
		}
		l.pass(200*time.Millisecond + keepAlivePeriod)
		for i, p := range l.up() {
			var e *session.TimeoutError
			if !errors.As(p.Err(), &e) {
				l.dump()
				t.Fatalf("peer %d: %v", i, p.Err())
			}
			if e.Players != 0b100 || e.After != limit {
				t.Errorf("peer %d: %v", i, e)
			}
		}
	}
}

// keepAlivePeriod is the interval at which an idle session is examined.
const keepAlivePeriod = 250 * time.Millisecond

// Who starts 14 s later still takes part.
func TestALateStarterTakesPart(t *testing.T) {
	for _, late := range [][]time.Duration{{0, 14 * time.Second}, {14 * time.Second, 0}, {0, 5 * time.Second, 10 * time.Second}} {
		l := newLab(t, len(late), frames(120), withLoss(50*time.Millisecond, 10*netem.Percent), func(s *Setup[ledger, note]) { s.Late = late })
		l.end(1, 40*time.Second)
		l.same(0, l.Peers...)
	}
}

// Sessions connect within a few round trips when nothing is lost, and soon when
// half of everything is.
func TestConnectingIsQuick(t *testing.T) {
	for _, players := range []int{2, 8} {
		l := newLab(t, players, delay(50*time.Millisecond))
		l.play()
		if l.Now > 500*time.Millisecond {
			t.Errorf("%d players, no loss: playing after %v", players, l.Now)
		}
		l = newLab(t, players, withLoss(50*time.Millisecond, 50*netem.Percent))
		l.play()
		if l.Now > 5*time.Second {
			t.Errorf("%d players, loss 50%%: playing after %v", players, l.Now)
		}
	}
}

// The handshake takes few datagrams: while nobody answers only the Hellos, and no storm
// when two peers find each other.
func TestTheHandshakeIsNoStorm(t *testing.T) {
	for _, players := range []int{2, 8} {
		for _, way := range []time.Duration{0, time.Millisecond, 100 * time.Millisecond} {
			l := newLab(t, players, delay(way), inLobby())
			sent := 0
			l.OnSend = func(int, int, []byte) { sent++ }
			l.until("the lobby", 10*time.Second, func() bool { return l.phases(session.Lobby) })
			perWay := sent / (players * (players - 1))
			if perWay > 25 {
				t.Errorf("%d players, %v: %d datagrams in each direction until all are in the lobby", players, way, perWay)
			}
		}
	}
}
