package netplay

import (
	"errors"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/session"
)

const (
	// settle is how long a finished match stays open, so that all others reach its end, too. patience is how long to
	// wait for the report on a desync.
	settle   = 1200 * time.Millisecond
	patience = 5 * time.Second
	// retryEvery is how often to try to join a match while nobody can be reached yet.
	retryEvery = 300 * time.Millisecond
	// maxTries is how many failed attempts to join a match are allowed.
	maxTries = 5
)

// follow begins the match that the room plays, and ends one that is over.
func (v *stay) follow(now time.Time) {
	if v.closing != nil {
		select {
		case <-v.closing:
			v.closing = nil
		default:
			return // one match at a time
		}
	}
	switch {
	case (v.bout == nil || v.retired && v.afterMatch()) && v.room.Err() != nil:
		v.fail(v.room.Err())
	case v.bout == nil || v.retired:
		if (v.room.Started() || v.again && v.state.Match != 0) && !now.Before(v.retryAt) {
			v.begin(now)
		}
		if v.state.Match == 0 {
			v.again, v.tries, v.retryAt = false, 0, time.Time{}
		}
	case v.overAt.IsZero() && v.cannotBegin(now):
		v.drop()
	case v.overAt.IsZero():
		v.watchEnd(now)
	case v.bout.stats().Health == tickback.Desynced:
		v.desynced(now)
	case now.Sub(v.overAt) > settle:
		v.retire()
	}
}

// begin plays or watches the room's match.
func (v *stay) begin(now time.Time) {
	b, err := v.newBout()
	if err == nil {
		err = b.open(v)
	}
	switch {
	case err == nil:
	case errors.Is(err, online.ErrNobody), errors.Is(err, online.ErrNoMatch), errors.Is(err, online.ErrBusy), errors.Is(err, online.ErrWatching):
		v.retryAt = now.Add(retryEvery) // later news from the room may change this
		return
	default:
		v.fail(err)
		return
	}
	v.bout, v.score = b, v.terms.score()
	v.overAt, v.retired, v.again, v.report = time.Time{}, false, false, nil
	v.startAt, v.begun = time.Time{}, false
	withdrawRematch(v)
	v.others = others{}
	v.menu.close()
}

// newBout returns an unopened match of the room's game.
func (v *stay) newBout() (bout, error) {
	switch {
	case v.cfg.bout != nil:
		return v.cfg.bout()
	case v.kind.id == arenaID:
		return newArenaBout(), nil
	case v.kind.id == skirmishID:
		return newSkirmishBout()
	}
	return newDuelBout()
}

// cannotBegin reports whether a match that does not run here yet never will. Everybody who waits for it gives it up,
// so that another one can be started.
func (v *stay) cannotBegin(now time.Time) bool {
	if v.begun = v.begun || v.bout.running(); v.begun || !v.room.Abandoned() {
		return false
	}
	v.notices.Add(v.whyNotStarted(), 5)
	if !v.room.Started() { // it may continue without us, but most likely the others give up, too
		v.again, v.retryAt = true, now.Add(startTime)
	}
	return true
}

// whyNotStarted returns why a match never began here.
func (v *stay) whyNotStarted() string {
	for _, s := range v.state.Starters {
		if s.Gone && s.ID != v.room.Me().ID && v.startedHere() {
			return words.F("%s left before the match began", v.seatName(tickback.Player(s.Seat)))
		}
	}
	return words.T("The match is over")
}

// watchEnd checks whether the match is over.
func (v *stay) watchEnd(now time.Time) {
	if _, over := v.bout.outcome(); over {
		v.overAt, v.tries = now, 0
		if v.bout.stats().Health != tickback.Desynced { // after a desync each machine has its own result
			v.count()
		}
		if v.menu.settings == nil {
			v.menu.close()
		}
	}
}

// after handles the result of an update of the match.
func (v *stay) after(err error) {
	for _, e := range v.bout.events() {
		v.heard(&e)
	}
	if err == nil || v.retired {
		return
	}
	var removed *tickback.RemovedError
	var nobody *tickback.HostsError
	var closed *tickback.JoinError
	_, over := v.bout.outcome()
	switch {
	case over: // the others have already left it
		if v.overAt.IsZero() {
			v.watchEnd(time.Now())
		}
		if v.bout.stats().Health != tickback.Desynced {
			v.retire()
		}
	case errors.As(err, &removed) && !removed.Kicked,
		errors.Is(err, tickback.ErrClosed): // the page was left, and the browser has restored it
		v.notices.Add(words.T("The others had to go on. You are coming back."), 4)
		v.drop()
		v.again = true
	case (errors.As(err, &nobody) || errors.As(err, &closed)) && v.tries < maxTries: // too early, or too late
		v.tries++
		v.retryAt = time.Now().Add(time.Second)
		v.drop()
		v.again = true
	case !v.begun && left(v.room.Explain(err)): // the session may know this before the room
		v.notices.Add(words.T("Somebody left before the match began"), 5)
		v.drop()
	case errors.Is(err, tickback.ErrEnd):
		v.notices.Add(words.T("The players have left the match."), 4)
		v.drop()
	default:
		err = v.room.Explain(err)
		v.drop()
		v.fail(err)
	}
}

// left reports whether an error only means that a player has left, and not that the network does not connect us.
func left(err error) bool {
	var network *online.PeerError
	var lost *session.LostError
	return errors.As(err, &lost) && !errors.As(err, &network)
}

// retire leaves a match, and keeps its last picture.
func (v *stay) retire() {
	if v.bout == nil || v.retired {
		return
	}
	v.retired = true
	leave, done := v.bout.retire(v.app), make(chan error, 1)
	v.closing = done
	go func() { done <- leave() }()
}

// drop leaves a match, and shows the room.
func (v *stay) drop() {
	v.retire()
	if v.bout != nil {
		v.bout.silence()
	}
	v.bout, v.overAt = nil, time.Time{}
	withdrawRematch(v)
}

// desynced waits for the report on a desync, and shows it.
func (v *stay) desynced(now time.Time) {
	if p := v.bout.player(); p != nil && v.report == nil {
		v.report = p.DesyncReport()
	}
	if v.report == nil && now.Sub(v.overAt) < patience {
		return
	}
	v.drop()
	v.failed = explainDesync(v.report)
}

// fail shows what went wrong.
func (v *stay) fail(err error) {
	t := v.cfg.explain(err)
	v.failed = &t
	v.menu.close()
}

// standing returns the score of a duel, including the match that is shown.
func (v *stay) standing() contest.Score {
	s := v.score
	if v.bout == nil || v.overAt.IsZero() {
		return s
	}
	s.Count(v.bout.result())
	return s
}
