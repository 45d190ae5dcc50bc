package netplay

import (
	"errors"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/session"
)

// news has the words about the room and its match: notices that disappear by themselves, and one for a lasting
// condition. It reads what they are about.
type news struct {
	foyer.Notices
	room   *roomInfo
	match  *current
	others *others
	says   *sayings
	slowed func() tickback.PlayerSet // replaces what the match says, for tests; usually nil

	taken     bool      // it was said that our place was taken
	waitSince time.Time // when frames began to wait for a player
}

// welcome says what has become of the place of a member who returns with an old ticket.
func (n *news) welcome(lost error) {
	var taken *rooms.TakenError
	switch {
	case errors.As(lost, &taken):
		n.sayTaken(taken.By)
	case lost != nil:
		n.Add(words.T("Your place was given up while you were away."), 8)
	}
}

// place says that our place was taken, once.
func (n *news) place(me rooms.Member) {
	if me.Taken != 0 && !n.taken {
		name := ""
		if by, ok := n.room.state.Member(me.Taken); ok {
			name = foyer.Called(by)
		}
		n.sayTaken(name)
	}
	n.taken = me.Taken != 0
}

func (n *news) sayTaken(name string) {
	if name == "" {
		n.Add(words.T("Somebody has taken your place."), 8)
		return
	}
	n.Add(words.F("%s has taken your place.", name), 8)
}

// heard says what an event of the match is about; people are those of its players who have been in the room.
func (n *news) heard(e *tickback.Event, people tickback.PlayerSet) {
	switch e.What {
	case tickback.Left, tickback.Dropped, tickback.Lost:
		n.gone(e.What, people)
	case tickback.Joined:
		if came := e.Players &^ n.room.mine(); came != 0 {
			n.Add(words.N(came.Len(), "%[2]s is here", "%[2]s are here", n.room.list(came)), 3)
		}
	case tickback.Unpaused:
		n.Add(words.T("The match goes on"), 2)
	case tickback.Reported:
		if len(e.Data) == 0 {
			n.Add(words.F("There is no report: %s", e.Text), 6)
		}
	case tickback.SpectatorJoined:
		n.Add(words.T("Somebody is watching"), 2)
	case tickback.Live:
		n.Add(words.T("You are live"), 2)
	}
}

// gone says which players have left.
func (n *news) gone(what session.What, people tickback.PlayerSet) {
	_, over := n.match.bout.outcome()
	switch {
	case over: // they leave the match, not the room
	case people == 0 && what == tickback.Lost && n.room.mine() == 0:
		n.Add(words.T("You watch by way of another player now"), 3)
	case people == 0:
	case what == tickback.Left:
		n.Add(words.N(people.Len(), "%[2]s has left.", "%[2]s have left.", n.room.list(people))+" "+n.standIn(), 5)
	case people&^n.others.restarted == 0:
		n.Add(words.F("The game of %s was started again.", n.room.list(people))+" "+n.standIn(), 5)
	default:
		n.Add(words.F("The connection to %s is lost.", n.room.list(people))+" "+n.standIn(), 5)
	}
}

// claimed says that we have won, since the other player has left.
func (n *news) claimed() {
	gone := n.others.absent
	n.Add(words.N(gone.Len(), "You win: %[2]s has left the match", "You win: %[2]s have left the match", n.room.list(gone)), 8)
}

// notStarted says why a match never began here.
func (n *news) notStarted() {
	for _, s := range n.room.state.Starters {
		if s.Gone && s.ID != n.room.room.Me().ID && n.room.startedHere() {
			n.Add(words.F("%s left before the match began", n.room.seatName(tickback.Player(s.Seat))), 5)
			return
		}
	}
	n.Add(words.T("The match is over"), 5)
}

// standIn returns a sentence that says what happens to the place of a player who has left.
func (n *news) standIn() string {
	switch {
	case n.room.kind.bots(&n.room.terms):
		return words.T("A bot plays on.")
	case n.room.room.Err() != nil:
		return words.T("The room has ended, so nobody can come back.")
	case n.room.unserved:
		return words.T(n.says.unreachable) + "."
	}
	return words.T(n.says.back)
}

// lasting returns a notice for a lasting condition, or "".
func (n *news) lasting(now time.Time) string {
	if !n.match.live() {
		return ""
	}
	s, mine, over := n.match.bout.stats(), n.room.mine(), n.match.over()
	switch {
	case s.Health == tickback.Desynced && !over:
		return words.T("The machines show different matches: this one counts for nobody. Leave by the menu.")
	case s.Health == tickback.Desynced:
		return words.T("The machines showed different matches: this one counts for nobody. A report is made.")
	case over:
		return ""
	}
	waiting := s.Waiting &^ mine
	if waiting == 0 {
		n.waitSince = time.Time{}
	}
	switch {
	case n.match.paused() && !s.Frozen:
		return words.T("Paused for all. Anybody can resume: Esc")
	case !n.match.bout.running():
		return n.catchingUp()
	case s.Frozen:
		return words.F("Too few are left to go on: waiting for %s", n.room.list(s.Waiting))
	case waiting != 0 && n.longWait(now):
		return words.F("Waiting for %s", n.room.list(waiting))
	case n.others.absent != 0:
		gone, do := n.others.absent, words.T("Wait, or leave by the menu.")
		if n.room.room.Err() != nil {
			do = words.T("Leave by the menu.")
		}
		return strings.Join([]string{words.N(gone.Len(), "%[2]s is gone.", "%[2]s are gone.", n.room.list(gone)), n.standIn(), do}, " ")
	}
	if n, names := n.room.telling(foyer.StatusAway); n > 0 {
		return words.N(n, "%[2]s is away, and does nothing meanwhile", "%[2]s are away, and do nothing meanwhile", names)
	}
	slowed := s.Slowed
	if n.slowed != nil {
		slowed = n.slowed()
	}
	if slowed &^= mine; slowed != 0 {
		return words.F("The match is slow: it waits again and again for %s", n.room.list(slowed))
	}
	return ""
}

// catchingUp returns the notice that is shown before frames run here.
func (n *news) catchingUp() string {
	sit, _ := n.room.present()
	if len(n.room.state.Starters) > 0 && n.room.startedHere() {
		if missing := n.room.unconnected(); missing != "" {
			return words.F("Connecting to %s", missing)
		}
		return words.N(sit, "The match begins: %d player", "The match begins: %d players")
	}
	return words.T("The match is on: catching up")
}

// longWait reports whether a frame has waited long enough to mention it.
func (n *news) longWait(now time.Time) bool {
	if n.waitSince.IsZero() {
		n.waitSince = now
	}
	return now.Sub(n.waitSince) > 400*time.Millisecond
}
