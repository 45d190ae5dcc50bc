// Command many is a server's loop, to read and to copy: it plays many matches of the duel at once over two
// ports, bots on both sides, in one goroutine. In your server, the other side is on your players' machines.
//
//	go run ./examples/many 100
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/transport/udp"
)

// frames is the length of a match.
const frames = 300

// beat is the interval at which the loop updates its matches. Datagrams that they send in one round leave
// together.
const beat = time.Millisecond

// seat is one side of a match.
type seat struct {
	match *tickback.Match[duel.State, duel.Input]
	due   time.Time
}

func main() {
	matches, err := 100, error(nil)
	if len(os.Args) > 1 {
		matches, err = strconv.Atoi(os.Args[1])
	}
	if err != nil || len(os.Args) > 2 || matches < 1 || matches > 2000 {
		fmt.Fprintln(os.Stderr, "usage: many [MATCHES], 1 to 2000")
		os.Exit(2)
	}
	if err := play(matches); err != nil {
		fmt.Fprintln(os.Stderr, "many:", err)
		os.Exit(1)
	}
}

// play plays all matches to their end.
func play(matches int) error {
	ours, err := udp.ListenPort("127.0.0.1:0")
	if err != nil {
		return err
	}
	defer ours.Close()
	theirs, err := udp.ListenPort("127.0.0.1:0")
	if err != nil {
		return err
	}
	defer theirs.Close()
	var seats []*seat
	for n := range uint32(matches) { // the number of the channel is that of the match
		for player, ports := range [][2]*udp.Port{{ours, theirs}, {theirs, ours}} {
			s, err := sit(ports[0], ports[1], n, tickback.Player(player))
			if err != nil {
				return err
			}
			seats = append(seats, s)
		}
	}
	failed := loop(seats, ours, theirs)
	fmt.Printf("%d matches of %d frames; %+v\n", matches, frames, ours.Stats())
	return failed
}

// sit makes one side of a match.
func sit(port, other *udp.Port, number uint32, me tickback.Player) (*seat, error) {
	member, err := port.Channel(number)
	if err != nil {
		return nil, err
	}
	game, _ := duel.Game(7)
	match, err := tickback.P2P(game, tickback.Options[duel.State, duel.Input]{
		Transport: member, Peers: tickback.Mesh(me, other.LocalAddr()), Match: tickback.Parameters{Frames: frames},
		Sample: func(tickback.Player) duel.Input { return duel.Input(time.Now().UnixMilli() / 200 % 16) },
	})
	return &seat{match: match}, err
}

// loop runs all matches until they are over.
func loop(seats []*seat, ports ...*udp.Port) error {
	closed, running := make(chan error, len(seats)), 0
	for len(seats) > 0 {
		for _, p := range ports {
			p.Poll() // reads for all matches of the port
		}
		now, still := time.Now(), seats[:0]
		for _, s := range seats {
			if now.Before(s.due) {
				still = append(still, s)
				continue
			}
			wait, err := s.match.Update()
			s.due = now.Add(max(wait, beat))
			_, over := s.match.Outcome()
			if over {
				err = nil // after the last frame the other side may have left
			}
			if over || err != nil {
				running++
				go func() { closed <- errors.Join(err, s.match.Close()) }() // takes some round trips
				continue
			}
			still = append(still, s)
		}
		seats = still
		for _, p := range ports {
			_ = p.Flush() // what is not sent counts as lost
		}
		ports[0].Wait(time.Until(now.Add(beat)), false)
	}
	var failed error
	for range running {
		failed = errors.Join(failed, <-closed)
	}
	return failed
}
