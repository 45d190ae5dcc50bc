// Command online is a whole game for two over UDP, to read and to copy: bots play
// the duel in two terminals.
//
//	go run ./examples/online 0 :7001 127.0.0.1:7002
//	go run ./examples/online 1 :7002 127.0.0.1:7001
//
// Players count from 0, as they do in what the library says: in events and errors.
package main

import (
	"fmt"
	"os"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/transport/udp"
)

// What a game provides: a state and its inputs, what a player does, and how it looks.
type (
	State = duel.State
	Input = duel.Input
)

var game, _ = duel.Game(7)

func main() {
	if len(os.Args) != 4 || os.Args[1] != "0" && os.Args[1] != "1" {
		fmt.Fprintln(os.Stderr, "usage: online 0|1 LISTEN OTHER, such as: online 0 :7001 127.0.0.1:7002")
		os.Exit(2)
	}
	if err := play(tickback.Player(os.Args[1][0]-'0'), os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "online:", err)
		os.Exit(1)
	}
}

// play runs the whole match: errors, pace, events, picture and sound.
func play(me tickback.Player, listen, other string) error {
	conn, others, err := udp.Open(listen, other)
	if err != nil {
		return err
	}
	match, err := tickback.P2P(game, tickback.Options[State, Input]{
		Transport: conn, Peers: tickback.Mesh(me, others...), Sample: keyboard,
	})
	if err != nil {
		return err
	}
	defer match.Close()
	for {
		wait, err := match.Update() // runs what is due, at the pace of both
		for _, e := range match.Events() {
			fmt.Println(e) // connected, waiting, silent, lost, ended
		}
		if _, over := match.Outcome(); over {
			return nil // before err: with the last frame the others may have left
		}
		if err != nil {
			return err // with the name of who is missing, and why
		}
		draw(match.View(), match.Effects())
		match.Wait(wait)
	}
}

// picture is the state that the player saw last: a copy, since a view is only valid until the next update.
var picture State

// keyboard returns what a player does now: here a bot decides it by the picture.
func keyboard(p tickback.Player) Input {
	return duel.Bot{Seed: uint64(p)}.Input(p, tickback.Frame(picture.Frame), &picture)
}

// draw shows the match: here it prints where the two fighters are, once a second.
func draw(v tickback.View[State], _ []effects.Event) {
	before := picture.Frame / 60
	if picture = *v.Current; picture.Frame/60 != before {
		a, b := &picture.P[0], &picture.P[1]
		fmt.Printf("frame %d: player 0 at %d with %d, player 1 at %d with %d\n", v.Frame, a.X, a.Hp, b.X, b.Hp)
	}
}
