package tickback_test

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/transport/udp"
)

// tavern is a match of four, two of whom are there from the start.
func tavern(me tickback.Player, conn tickback.Transport, others []netip.AddrPort, token tickback.Token) (*tickback.Match[State, Input], error) {
	return tickback.P2P(game, tickback.Options[State, Input]{
		Players: 4, Transport: conn, Peers: tickback.Mesh(me, others...), Sample: keyboard,
		OnLeave: tickback.Continue, Token: token, Reserved: tickback.SetOf(2, 3),
	})
}

// comeIn joins it, for the first time or again.
func comeIn(me tickback.Player, token tickback.Token, anybody ...string) (*tickback.Match[State, Input], error) {
	conn, addresses, err := udp.Open(":0", anybody...)
	if err != nil {
		return nil, err
	}
	return tickback.Join(game, addresses, tickback.Options[State, Input]{
		Players: 4, Local: tickback.SetOf(me), Transport: conn, Sample: keyboard,
		OnLeave: tickback.Continue, Token: token,
	})
}

// gossip prints who comes and goes.
func gossip(match *tickback.Match[State, Input]) {
	for _, e := range match.Events() {
		switch e.What {
		case tickback.Left, tickback.Dropped:
			fmt.Println(e.Players, "is gone, from frame", e.Frame, e.Text)
		case tickback.Joined:
			fmt.Println(e.Players, "plays, from frame", e.Frame)
		case tickback.Frozen:
			fmt.Println("too few are left without", e.Players)
		}
	}
}

// removed reports whether the others have gone on without us and we may come back.
func removed(err error) bool {
	var e *tickback.RemovedError
	return errors.As(err, &e) && !e.Kicked
}

// withBots is a step in which bots play for those who are away.
func withBots(s *State, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		in := t.Input(p)
		if t.Status(p) == rollback.Disconnected {
			in = bot(s, p) // from the state alone, so it is the same everywhere
		}
		s.Speed[p] = s.Speed[p].Rotate(in.Turn)
		s.Ball[p] = s.Ball[p].Add(s.Speed[p])
	}
}

func bot(*State, tickback.Player) Input { return Input{} }

var _, _, _, _, _ = tavern, comeIn, gossip, removed, withBots
