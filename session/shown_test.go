package session_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// comings lists the players that have left and joined, with the frames, as reported at a node.
func (th *theatre[S]) comings(node int) (list []string) {
	for _, e := range th.nodes[node].events {
		switch {
		case e.Players == 0:
		case e.What == session.Joined:
			list = append(list, fmt.Sprintf("%v joined %d", e.Players, e.Frame))
		case e.What == session.Left, e.What == session.Dropped:
			list = append(list, fmt.Sprintf("%v left %d", e.Players, e.Frame))
		}
	}
	return list
}

// comesIn adds a machine that joins at player 0's machine, in the place of a player.
func (th *theatre[S]) comesIn(game rollback.Definition[S, uint16], player rollback.Player, players int, token []byte) int {
	th.Helper()
	i := len(th.nodes)
	s, err := session.New(game, session.Config{
		GameID: "theatre", Players: players, Local: rollback.SetOf(player), MaxOrders: 64, OnLeave: session.Continue,
		Random: rand.New(rand.NewPCG(20, uint64(i))).Uint64, Token: token, Join: &session.Join{Hosts: []netip.AddrPort{nodeAddr(0)}},
	}, session.Hooks[S, uint16]{Sample: func(rollback.Player) uint16 { return 1 }, Start: th.begin, Agreed: th.record(i)})
	if err != nil {
		th.Fatal(err)
	}
	th.players = append(th.players, s)
	return th.add(s, func(send func(netip.AddrPort, []byte)) {
		for to, b := range s.Outgoing() {
			send(to, b)
		}
	})
}

// Rule: a spectator hears of departures and arrivals like the players, between the frames
// where they take effect; those from before it began to watch are not reported, but it knows
// who plays.
func TestASpectatorHearsWhoComesAndGoes(t *testing.T) {
	token := []byte("everybody may come in")
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) {
		c.Players, c.Reserved, c.OnLeave, c.Token, c.DropAfter = 3, 0b100, session.Continue, token, time.Second
	})
	var order []string // of events and frames that do not fit
	watch := func() int {
		i := len(th.nodes)
		return th.watch(smallGame(), []int{0}, func(c *session.SpectatorConfig) {
			c.Token = token
			c.Observe = func(e session.Event) {
				seen := len(th.streams[i]) // frames that the application was given
				if (e.What == session.Joined || e.What == session.Left) && e.Players != 0 && session.Frame(seen) != e.Frame {
					order = append(order, fmt.Sprintf("%v after %d frames", e, seen))
				}
			}
		})
	}
	members := func(node int, want session.PlayerSet) {
		t.Helper()
		if got := th.nodes[node].machine.(*session.Spectator[small, uint16]).Stats(nil).Members; got != want {
			t.Errorf("at %v the members are %v, want %v", th.now, got, want)
		}
	}
	first := watch()
	th.run(3 * time.Second)
	members(first, 0b011)
	third := th.comesIn(smallGame(), 2, 3, token)
	th.run(3 * time.Second)
	members(first, 0b111)
	second := watch()
	th.run(2 * time.Second)
	members(second, 0b111)
	th.nodes[third].down = true // and is dropped
	th.run(3 * time.Second)
	members(first, 0b011)
	last := watch()
	th.run(2 * time.Second)
	members(last, 0b011)
	th.comesIn(smallGame(), 2, 3, token)
	th.run(2 * time.Second)
	members(last, 0b111)
	th.run(20 * time.Second)

	all := th.comings(0)
	for len(all) > 3 {
		all = all[:3] // after the end, the others leave
	}
	if len(all) != 3 {
		th.log(0)
		t.Fatalf("the players have heard %v", all)
	}
	for node, want := range map[int][]string{first: all, second: all[1:], last: all[2:]} {
		if got := th.comings(node); !slices.Equal(got, want) {
			t.Errorf("spectator %d has heard %v, want %v", node, got, want)
		}
		th.sameStream(node, 300)
		members(node, 0) // none, once the match is over
	}
	for _, o := range order {
		t.Error(o)
	}
}

// Rule: a host that leaves once the whole match has arrived says goodbye, and is not lost; its
// text names nobody by a number, since applications count in their own ways. A host that goes
// in the middle is lost.
func TestAHostThatSaysGoodbyeIsNotLost(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Lobby = true })
	th.run(time.Second)
	w := th.watch(smallGame(), []int{0}, nil)
	if err := th.players[0].Propose(session.Parameters{Frames: 300}); err != nil {
		t.Fatal(err)
	}
	th.run(200 * time.Millisecond)
	for _, act := range []func() error{th.players[1].Accept, th.players[1].Ready} {
		if err := act(); err != nil {
			t.Fatal(err)
		}
	}
	other := th.watch(smallGame(), []int{1}, func(c *session.SpectatorConfig) { c.ConnectTimeout = 2 * time.Second })
	th.until(10*time.Second, func() bool { _, over := th.players[0].Outcome(); return over })
	th.players[1].Leave("")
	th.run(10 * time.Second)
	const reason = ": it says: somebody is gone: no match can begin without them"
	if e := th.saw(w, session.Left); e == nil || e.Players != 0 || e.Text != nodeAddr(0).String()+reason || th.saw(w, session.Lost) != nil {
		th.log(w)
		t.Errorf("who watches the one who stays hears %v", e)
	}
	if e := th.saw(other, session.Left); e == nil || e.Players != 0 || th.saw(other, session.Lost) != nil {
		th.log(other)
		t.Errorf("who watches the one who goes hears %v", e)
	}
	var lost *session.LostError
	if err := th.players[0].Err(); !errors.As(err, &lost) || !lost.Left {
		t.Errorf("who stays is over with %v", err)
	}

	th = open(t, smallGame(), 2, lan(), nil)
	w = th.watch(smallGame(), []int{1}, func(c *session.SpectatorConfig) { c.ConnectTimeout = 2 * time.Second })
	th.run(5 * time.Second)
	th.players[1].Leave("")
	th.run(10 * time.Second)
	if th.saw(w, session.Left) != nil || th.saw(w, session.Lost) == nil {
		th.log(w)
		t.Error("a host that goes in the middle is not lost")
	}
}
