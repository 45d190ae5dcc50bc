package netplay

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/webrtc"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/session"
)

// heard takes an event of the match.
func (v *visit) heard(e *tickback.Event) {
	// A place that was empty from the start is not news.
	people := e.Players
	for p := range e.Players.All() {
		if _, known := v.known[p]; !known {
			people &^= tickback.SetOf(p)
		}
	}
	switch e.What {
	case tickback.Left, tickback.Dropped, tickback.Lost:
		v.others.absent |= people &^ v.mine()
		v.heardGone(e.What, people)
	case tickback.Joined:
		if v.others.absent &^= e.Players; v.others.absent == 0 {
			v.others.goneAt, v.others.waits, v.others.sure = time.Time{}, false, false
		}
		if e.Players&^v.mine() != 0 {
			v.notices.Add(v.list(e.Players&^v.mine())+" "+is(e.Players&^v.mine())+" here", 3)
		}
	case tickback.Unpaused:
		v.notices.Add("On it goes", 2)
	case tickback.Reported:
		if len(e.Data) == 0 {
			v.notices.Add("There is no report: "+e.Text, 6)
		}
	case tickback.SpectatorJoined:
		v.notices.Add("Somebody watches", 2)
	case tickback.Live:
		v.notices.Add("This is live", 2)
	}
}

// heardGone says which players have gone.
func (v *visit) heardGone(what session.What, people tickback.PlayerSet) {
	_, over := v.bout.outcome()
	switch {
	case over: // they leave the match, not the room
	case people == 0 && what == tickback.Lost && v.mine() == 0:
		v.notices.Add("Watching at another player's", 3)
	case people == 0:
	case what == tickback.Left:
		v.notices.Add(v.list(people)+has(people)+" left"+v.standIn(), 5)
	default:
		v.notices.Add("The connection to "+v.list(people)+" is lost"+v.standIn(), 5)
	}
}

func has(set tickback.PlayerSet) string {
	if set.Len() > 1 {
		return " have"
	}
	return " has"
}

func is(set tickback.PlayerSet) string {
	if set.Len() > 1 {
		return "are"
	}
	return "is"
}

// standIn says what happens to the place of a player that has gone.
func (v *visit) standIn() string {
	if v.kind.bots(&v.terms) {
		return "; a bot plays on"
	}
	return "; " + v.cfg.way.back()
}

// stays returns a notice for a lasting condition, or "".
func (v *visit) stays(now time.Time) string {
	if v.bout == nil || v.retired {
		return ""
	}
	s := v.bout.stats()
	switch {
	case s.Health == tickback.Desynced && v.overAt.IsZero():
		return "The machines show different matches: this one counts for nobody. Leave by the menu"
	case s.Health == tickback.Desynced:
		return "The machines showed different matches: this one counts for nobody. A report is made"
	case !v.overAt.IsZero():
		return ""
	}
	if s.Waiting&^v.mine() == 0 {
		v.others.waitSince = time.Time{}
	}
	switch {
	case v.paused() && !s.Frozen:
		return "Paused for all. Anybody can go on: Esc"
	case !v.bout.running():
		return v.catchingUp()
	case s.Frozen:
		return "Too few are left to go on: waiting for " + v.list(s.Waiting)
	case s.Waiting&^v.mine() != 0 && v.longWait(now):
		return "Waiting for " + v.list(s.Waiting&^v.mine())
	case v.others.absent != 0:
		return v.list(v.others.absent) + has(v.others.absent) + " gone" + v.standIn() + ". Wait, or leave by the menu"
	}
	return telling(v, statusAway, "is away, and does nothing meanwhile", "are away, and do nothing meanwhile")
}

// catchingUp returns the notice before frames run here.
func (v *visit) catchingUp() string {
	sit, _ := v.present()
	if len(v.state.Starters) > 0 && v.startedHere() {
		if missing := v.unconnected(); missing != "" {
			return "Connecting to " + missing
		}
		return fmt.Sprintf("The match of %d begins", sit)
	}
	return "The match is on: catching up"
}

// startedHere reports whether the match begins or has begun with us, and we have not left it.
func (v *visit) startedHere() bool {
	me := v.room.Me().ID
	return slices.ContainsFunc(v.state.Starters, func(s rooms.Starter) bool { return s.ID == me && !s.Gone })
}

// longWait reports whether a frame has waited long enough to mention it.
func (v *visit) longWait(now time.Time) bool {
	if v.others.waitSince.IsZero() {
		v.others.waitSince = now
	}
	return now.Sub(v.others.waitSince) > 400*time.Millisecond
}

// paused reports whether the match is paused.
func (v *visit) paused() bool {
	if p := v.bout.player(); p != nil {
		_, paused := p.Paused()
		return paused
	}
	return v.bout.stats().Paused
}

// Names of connections, as in a Status.
const (
	selfText      = "self"
	noneText      = "none"
	connectedText = "connected"
)

// connection describes the connection to a member.
func (v *visit) connection(m rooms.Member) string {
	if m.ID == v.room.Me().ID {
		return selfText
	}
	for _, p := range v.room.Peers() {
		if p.ID == m.ID {
			return p.State.String()
		}
	}
	return noneText
}

// unconnected returns the names of members that sit but are not connected to us.
func (v *visit) unconnected() string {
	var names []string
	for _, m := range v.state.Members {
		if c := v.connection(m); m.Seat != rooms.NoSeat && c != selfText && c != connectedText {
			names = append(names, foyer.Called(m))
		}
	}
	return strings.Join(names, ", ")
}

// why returns why there is no connection to a member; "" if none has failed.
func (v *visit) why(m rooms.Member) string {
	for _, p := range v.room.Peers() {
		if p.ID == m.ID && p.State == webrtc.Failed {
			return p.Reason.String()
		}
	}
	return ""
}
