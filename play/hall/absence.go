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
	over    bool // it has left the room, and failed says so
}

// quietAfter is how long nothing must arrive from the server until that is shown.
const quietAfter = time.Second

// stopped reports whether the owner of the match has gone without saying so: the room does not hear from it, and
// there is no connection to it.
func (v *stay) stopped() bool {
	m, there := v.owner()
	return there && !m.Connected && !v.linked()
}

// quiet reports whether nothing has arrived from the server for a moment.
func quiet(v *stay) bool {
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
func missing(v *stay) string {
	if !quiet(v) {
		return ""
	}
	if m, there := v.owner(); v.room != nil && v.room.Err() == nil && there && !m.Connected {
		return words.T("The server has stopped. When it is back, you play on")
	}
	return words.T("The server is out of reach. Trying again")
}

// nextMatchText says, after a match, whether there will be another one.
func nextMatchText(v *stay) string {
	switch m, there := v.owner(); {
	case !there:
		return words.T("The host has left")
	case !m.Connected:
		return words.T("The server has stopped")
	}
	return words.T("The next match begins soon")
}

// restarted handles that the server was restarted, and has begun another match.
func (v *stay) restarted() {
	if v.room != nil {
		online.Restarted(v.room)
	}
	v.notices.Add(words.T("The server was started again: this is a new match."), 5)
}

// watch updates whether the owner of the match is in the room. Without it there is nothing to wait for.
func watch(v *stay) {
	m, there := v.owner()
	switch {
	case there:
		v.absent.stopped = !m.Connected
	case !v.absent.lost:
	case v.absent.stopped:
		v.absent.over = true
		v.failed = &foyer.Trouble{Title: words.T("The server has not come back"), What: words.T("The match has ended with it."), Help: words.T("If it comes back, the match here goes on by itself.")}
	default:
		v.absent.over = true
		v.failed = &foyer.Trouble{Title: words.T("The host has left"), What: words.T("The match has ended with it."), Help: words.T("Wait for another link, or host a match yourself.")}
	}
}

// resume continues when the room has an owner of its match again.
func resume(v *stay, now time.Time) {
	if _, there := v.owner(); there {
		v.failed, v.absent = nil, absence{lost: true}
		v.client.retryAt = now
	}
}
