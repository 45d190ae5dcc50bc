//go:build starter_server

package room

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"

	"github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/rules"
)

// match is a match that a server owns.
type match = *tickback.Client[rules.State, rules.Input]

// visit is how far a match at a server is.
type visit struct {
	over  bool                // we have left the match, or it has come to its end
	again time.Time           // nothing is tried before then
	done  bool                // the match has come to its end, and we wait for another one
	won   [rules.Seats]uint32 // rounds, as they are shown
}

// place is one without a seat: the seat of the room is that of the server.
var place = online.Config{Seats: 1, Spectators: rooms.MaxSpectators, Role: rooms.Spectator}

// pause is how long to wait before something is tried again.
const pause = time.Second

// Update does what is due. It is called for each picture.
func (g *Game) Update() error {
	if g.match != nil && !g.over {
		g.play()
		return nil
	}
	if err := g.room.Err(); err != nil {
		return err
	}
	server, there := g.room.Owner()
	switch {
	case time.Now().Before(g.again):
	case !there || !server.Connected || server.Playing == 0 || g.done && !g.room.Started():
		g.screen.Say("The server plays no match now. It goes on here when it does.")
	default:
		return g.begin()
	}
	return nil
}

// begin plays at the server, from now on.
func (g *Game) begin() error {
	m, err := online.Connect(g.room, rules.Game, tickback.ClientOptions[rules.State, rules.Input]{
		Players: rules.Seats, TickRate: rules.FramesPerSecond,
		Sample: func(tickback.Player) rules.Input { return g.screen.Held() },
		Start:  rules.Start,
	})
	g.again = time.Now().Add(pause)
	if slices.ContainsFunc([]error{online.ErrNoMatch, online.ErrNobody, online.ErrBusy}, func(not error) bool { return errors.Is(err, not) }) {
		return nil // the server may be there in a moment
	}
	if err != nil {
		return err
	}
	g.match, g.over, g.done = m, false, false
	g.screen.Say("There is a server. It has been asked for a place.")
	return nil
}

// play runs the frames that are due, and ends the match when it is over.
func (g *Game) play() {
	_, err := g.match.Update()
	for _, e := range g.show() {
		if e.What == tickback.Restarted {
			online.Restarted(g.room) // it plays another match, in which we are already
		}
	}
	if p, ok := g.match.Player(); !ok {
		g.me = -1
	} else if int(p) != g.me {
		g.me = int(p)
		g.screen.Say(fmt.Sprintf("You are player %d: the arrows, or W, A, S and D.", g.me+1))
	}
	g.count()
	_, over := g.match.Outcome()
	switch {
	case over && !g.match.View().Running: // also the last frames have been shown
		g.screen.Say("The match is over.")
	case err != nil:
		g.screen.Say(g.room.Explain(err).Error())
	default:
		return
	}
	g.over, g.done, g.me, g.again = true, over, -1, time.Now().Add(pause)
	g.match.Close()
}

// count shows the rounds that were won, by the newest state that the server has told: a prediction could be wrong.
func (g *Game) count() {
	s, _ := g.match.Settled()
	if s == nil {
		return
	}
	was := g.won
	for p, player := range s.All() {
		g.won[p] = player.Won
	}
	if g.won != was {
		g.screen.Hint("Rounds won: " + strings.Trim(fmt.Sprint(g.won), "[]"))
	}
}
