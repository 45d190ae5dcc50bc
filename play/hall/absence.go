package hall

import (
	"time"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// absence is what is known about an owner of the match from whom nothing arrives.
type absence struct {
	lost    bool // our client has given up
	stopped bool // it was not connected to the room when the room last listed it
	over    bool // it has left the room, and the player knows
}

// lose records that our client has given up.
func (a *absence) lose() { a.lost = true }

// back records whether our client has a place in the match. It reports whether it has it again.
func (a *absence) back(placed bool) bool {
	again := a.lost && placed
	a.lost = a.lost && !placed
	return again
}

// watch records whether the owner is in the room, and connected to it. Without it there is nothing to wait for: then it
// returns why.
func (a *absence) watch(there, connected bool) *foyer.Trouble {
	switch {
	case there:
		a.stopped = !connected
	case !a.lost:
	case a.stopped:
		a.over = true
		return &foyer.Trouble{Title: words.T("The server has not come back"), What: words.T("The match has ended with it."), Help: words.T("If it comes back, the match here goes on by itself.")}
	default:
		a.over = true
		return &foyer.Trouble{Title: words.T("The host has left"), What: words.T("The match has ended with it."), Help: words.T("Wait for another link, or host a match yourself.")}
	}
	return nil
}

// resumes reports whether the room has an owner of its match again, after there was none to wait for.
func (a *absence) resumes(there bool) bool {
	if !a.over || !there {
		return false
	}
	*a = absence{lost: true}
	return true
}

// quietAfter is how long nothing must arrive from the server before that is shown.
const quietAfter = time.Second

// stopped reports whether the owner of the match has disappeared without leaving: the room receives nothing from
// it, and there is no connection to it.
func (v *stay) stopped() bool {
	m, there := v.owner()
	return there && !m.Connected && !v.linked()
}

// quiet reports whether nothing has arrived from the server for a moment.
func (v *stay) quiet() bool {
	if v.client.client == nil {
		return v.absent.lost
	}
	for _, l := range v.client.client.Stats().Links {
		if l.Quiet > quietAfter {
			return true
		}
	}
	return v.absent.lost
}

// missing describes the state of a server from which nothing arrives, or returns "".
func (v *stay) missing() string {
	if !v.quiet() {
		return ""
	}
	if m, there := v.owner(); v.room != nil && v.room.Err() == nil && there && !m.Connected {
		return words.T("The server has stopped. When it is back, you play on")
	}
	return words.T("The server is out of reach. Trying again")
}

// nextMatchText returns a text that says, after a match, whether there will be another one.
func (v *stay) nextMatchText() string {
	switch m, there := v.owner(); {
	case !there:
		return words.T("The host has left")
	case !m.Connected:
		return words.T("The server has stopped")
	}
	return words.T("The next match begins soon")
}

// restarted handles a restart of the server, which has then begun another match.
func (v *stay) restarted() {
	if v.room != nil {
		online.Restarted(v.room)
	}
	v.notices.Add(words.T("The server was started again: this is a new match."), 5)
}
