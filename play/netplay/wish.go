package netplay

import (
	"errors"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/session/membership"
)

// verb is what the player wants of the room or its match.
type verb uint8

const (
	toNothing verb = iota
	toLeave        // the room
	toRoom         // to leave the match, and see the room
	toJoin         // to join the room's match
	toStart        // to begin a match
	toChange       // the terms
	toSit          // to move to a free seat
	toTake         // to take a seat, also during a match, which we then join
	toPlay         // to take any seat
	toWatch        // to give up our seat
	toSwap         // to give it up to the other member of a duel
	toKick         // to send a member away
	toPause        // for all, or to resume
	toResign
	toRematch // to ask for one
	toClaim   // the win, as the other player has left
)

// wish is what the player has chosen on a screen. The zero value is nothing.
type wish struct {
	verb   verb
	seat   int
	member uint32
	terms  terms
}

// do does what the player has chosen. What the room refuses is an event.
func (v *stay) do(w wish, now time.Time) {
	r, none := v.room.room, rooms.NoSeat
	switch w.verb {
	case toNothing:
	case toLeave:
		v.gone = true
	case toRoom:
		v.drop()
	case toJoin:
		v.entry.join()
	case toStart:
		v.begin(now)
	case toChange:
		_ = v.room.change(w.terms) // an event of the room confirms it
	case toSit:
		_ = r.TakeSeat(&w.seat)
	case toTake:
		v.seating.play()
		_ = r.Take(w.seat)
	case toPlay:
		v.seating.play()
		_ = r.TakeSeat(nil)
	case toWatch:
		v.seating.watch()
		_ = r.TakeSeat(&none)
	case toSwap: // the other member then becomes the leader, and moves to the first seat; after that we take the other one
		v.seating.swap(now)
		_ = r.TakeSeat(&none)
	case toKick:
		v.kick(w.member, now)
	case toPause:
		v.pause()
	case toResign:
		if s := v.match.commander(); s != nil {
			s.Resign()
		}
	case toRematch:
		v.asked = r.SetStatus(foyer.StatusAgain) == nil
	case toClaim:
		v.claim()
	}
}

// kick sends a member away: first from the match, if we play one together.
func (v *stay) kick(id uint32, now time.Time) {
	m, here := v.room.state.Member(id)
	if !here {
		return
	}
	v.news.Add(words.F("%s is sent away", foyer.Called(m)), 4)
	if player := v.match.player(); player != nil && m.Seat != rooms.NoSeat && m.Playing == v.room.state.Match {
		if player.Kick(tickback.SetOf(tickback.Player(m.Seat)), "") == nil {
			now = now.Add(leaveTime)
		}
	}
	v.kicks.add(id, now)
}

// pause pauses the match for all players, or resumes it.
func (v *stay) pause() {
	player := v.match.player()
	if player == nil {
		return
	}
	ask := player.Pause
	if v.match.paused() {
		ask = player.Unpause
	}
	if err := ask(); err != nil {
		v.news.Add(noPause(err), 4)
	}
}

// noPause explains why there is no pause, or why it does not end.
func noPause(err error) string {
	var wish *tickback.WishError
	if errors.As(err, &wish) && wish.Wish.Kind == membership.Pause {
		return words.F("You have paused %d times: that is all in one match", membership.MaxPauses)
	}
	return words.T("That is not possible at the moment")
}

// claim ends a duel that the other player has left.
func (v *stay) claim() {
	v.news.claimed()
	if v.room.room.IsHost() {
		t := v.room.terms
		t.Round, t.Wins = 0, [2]int{}
		_ = v.room.change(t) // the next match begins anew in any case
	}
	v.drop()
}
