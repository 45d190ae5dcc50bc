package tickback_test

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/transport/udp"
)

// stage is a player who lets others watch.
func stage(me tickback.Player, conn tickback.Transport, others []netip.AddrPort) (*tickback.Match[State, Input], error) {
	return tickback.P2P(game, tickback.Options[State, Input]{
		Transport: conn, Peers: tickback.Mesh(me, others...), Sample: keyboard,
		Spectators: tickback.Spectators{Max: 16, Delay: 180}, // three seconds behind
	})
}

// watchMatch is a whole spectator.
func watchMatch(hosts ...string) error {
	conn, addresses, err := udp.Open(":0", hosts...)
	if err != nil {
		return err
	}
	match, err := tickback.Spectate(game, tickback.SpectatorOptions[State, Input]{
		Hosts: addresses, Transport: conn,
	})
	if err != nil {
		return err
	}
	defer match.Close()
	for {
		wait, err := match.Update()
		if errors.Is(err, tickback.ErrEnd) {
			return nil // the match is over, and the players have left
		} else if err != nil {
			return err // no host to watch, and why, for each of them
		}
		for _, e := range match.Events() {
			fmt.Println(e) // connected, started, live, left, joined, ended
		}
		draw(match.View(), match.Effects())
		match.Wait(wait)
	}
}

var _, _ = stage, watchMatch

func keyboard(tickback.Player) Input { return Input{} }

func draw(tickback.View[State], []effects.Event) {}
