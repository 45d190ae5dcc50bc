package netplay

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/session"
)

// others is what is known about the other players of a match, and what we have decided about those who have left.
type others struct {
	absent    tickback.PlayerSet // those who have left the match
	restarted tickback.PlayerSet // those whose games were started again
	waits     bool               // we wait for them
	sure      bool               // we have pressed the button to claim the win once
	goneAt    time.Time          // when we were first alone
}

// heard handles an event of the match about these people, of whom mine are on this machine. It reports whether any
// have left.
func (o *others) heard(what session.What, people, mine tickback.PlayerSet) (gone bool) {
	switch what {
	case tickback.Left, tickback.Dropped, tickback.Lost:
		o.absent |= people &^ mine
		return true
	case tickback.Restarted:
		o.restarted |= people // an event Lost or Dropped follows
	case tickback.Joined:
		o.restarted &^= people
		if o.absent &^= people; o.absent == 0 {
			o.goneAt, o.waits, o.sure = time.Time{}, false, false
		}
	}
	return false
}

// choose lets us choose again, and wait chooses to wait.
func (o *others) choose() { o.waits, o.sure = false, false }
func (o *others) wait()   { o.waits = true }

// claim reports whether we claim the win: with the second press of its button.
func (o *others) claim() bool {
	sure := o.sure
	o.sure = true
	return sure
}

// alone reports whether the other player of a duel has left; mine is our player.
func (o *others) alone(mine tickback.PlayerSet) bool {
	return mine != 0 && o.absent|mine == tickback.SetOf(0, 1)
}

// fightOn is how long the keys continue to control the fight after the other player has left.
const fightOn = 1500 * time.Millisecond

// fights reports whether the keys still control the fight after the other player has left.
func (o *others) fights(now time.Time) bool {
	if o.goneAt.IsZero() {
		o.goneAt = now
	}
	return now.Sub(o.goneAt) < fightOn
}
