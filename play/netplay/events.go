package netplay

import (
	"slices"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/session"
)

// heard handles an event of the match.
func (v *stay) heard(e *tickback.Event) {
	// A place that was empty from the beginning is not news.
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
		sayAbsent(v)
	case tickback.Restarted:
		v.others.again |= people // Lost or Dropped follows
	case tickback.Joined:
		v.others.again &^= e.Players
		if v.others.absent &^= e.Players; v.others.absent == 0 {
			v.others.goneAt, v.others.waits, v.others.sure = time.Time{}, false, false
		}
		if came := e.Players &^ v.mine(); came != 0 {
			v.notices.Add(words.N(came.Len(), "%[2]s is here", "%[2]s are here", v.list(came)), 3)
		}
	case tickback.Unpaused:
		v.notices.Add(words.T("The match goes on"), 2)
	case tickback.Reported:
		if len(e.Data) == 0 {
			v.notices.Add(words.F("There is no report: %s", e.Text), 6)
		}
	case tickback.SpectatorJoined:
		v.notices.Add(words.T("Somebody is watching"), 2)
	case tickback.Live:
		v.notices.Add(words.T("You are live"), 2)
	}
}

// heardGone shows which players have left.
func (v *stay) heardGone(what session.What, people tickback.PlayerSet) {
	_, over := v.bout.outcome()
	switch {
	case over: // they leave the match, not the room
	case people == 0 && what == tickback.Lost && v.mine() == 0:
		v.notices.Add(words.T("You watch by way of another player now"), 3)
	case people == 0:
	case what == tickback.Left:
		v.notices.Add(words.N(people.Len(), "%[2]s has left.", "%[2]s have left.", v.list(people))+" "+v.standIn(), 5)
	case people&^v.others.again == 0:
		v.notices.Add(words.F("The game of %s was started again.", v.list(people))+" "+v.standIn(), 5)
	default:
		v.notices.Add(words.F("The connection to %s is lost.", v.list(people))+" "+v.standIn(), 5)
	}
}

// standIn says, as a sentence, what happens to the place of a player who has left.
func (v *stay) standIn() string {
	switch {
	case v.kind.bots(&v.terms):
		return words.T("A bot plays on.")
	case v.room.Err() != nil:
		return words.T("The room has ended, so nobody can come back.")
	case v.unserved:
		return words.T(v.cfg.way.says().unreachable) + "."
	}
	return words.T(v.cfg.way.says().back)
}

// stays returns a notice for a lasting condition, or "".
func (v *stay) stays(now time.Time) string {
	if v.bout == nil || v.retired {
		return ""
	}
	s := v.bout.stats()
	switch {
	case s.Health == tickback.Desynced && v.overAt.IsZero():
		return words.T("The machines show different matches: this one counts for nobody. Leave by the menu.")
	case s.Health == tickback.Desynced:
		return words.T("The machines showed different matches: this one counts for nobody. A report is made.")
	case !v.overAt.IsZero():
		return ""
	}
	if s.Waiting&^v.mine() == 0 {
		v.others.waitSince = time.Time{}
	}
	switch {
	case v.paused() && !s.Frozen:
		return words.T("Paused for all. Anybody can resume: Esc")
	case !v.bout.running():
		return v.catchingUp()
	case s.Frozen:
		return words.F("Too few are left to go on: waiting for %s", v.list(s.Waiting))
	case s.Waiting&^v.mine() != 0 && v.longWait(now):
		return words.F("Waiting for %s", v.list(s.Waiting&^v.mine()))
	case v.others.absent != 0:
		gone, do := v.others.absent, words.T("Wait, or leave by the menu.")
		if v.room.Err() != nil {
			do = words.T("Leave by the menu.")
		}
		return strings.Join([]string{words.N(gone.Len(), "%[2]s is gone.", "%[2]s are gone.", v.list(gone)), v.standIn(), do}, " ")
	}
	if n, names := v.telling(statusAway); n > 0 {
		return words.N(n, "%[2]s is away, and does nothing meanwhile", "%[2]s are away, and do nothing meanwhile", names)
	}
	slowed := s.Slowed
	if v.cfg.slowed != nil {
		slowed = v.cfg.slowed()
	}
	if slowed &^= v.mine(); slowed != 0 {
		return words.F("The match is slow: it waits again and again for %s", v.list(slowed))
	}
	return ""
}

// catchingUp returns the notice that is shown before frames run here.
func (v *stay) catchingUp() string {
	sit, _ := v.present()
	if len(v.state.Starters) > 0 && v.startedHere() {
		if missing := v.unconnected(); missing != "" {
			return words.F("Connecting to %s", missing)
		}
		return words.N(sit, "The match begins: %d player", "The match begins: %d players")
	}
	return words.T("The match is on: catching up")
}

// startedHere reports whether the match begins or has begun with us, and we have not left it.
func (v *stay) startedHere() bool {
	me := v.room.Me().ID
	return slices.ContainsFunc(v.state.Starters, func(s rooms.Starter) bool { return s.ID == me && !s.Gone })
}

// longWait reports whether a frame has waited long enough to mention it.
func (v *stay) longWait(now time.Time) bool {
	if v.others.waitSince.IsZero() {
		v.others.waitSince = now
	}
	return now.Sub(v.others.waitSince) > 400*time.Millisecond
}

// paused reports whether the match is paused.
func (v *stay) paused() bool {
	if p := v.bout.player(); p != nil {
		_, paused := p.Paused()
		return paused
	}
	return v.bout.stats().Paused
}
