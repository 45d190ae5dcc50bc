package netplay

import (
	"errors"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/session"
)

// follow opens the match that the room plays, and leaves one that is over.
func (v *stay) follow(now time.Time) {
	m, r := &v.match, v.room.room
	switch {
	case !m.closing.Over(): // one match at a time
	case (m.bout == nil || m.retired && m.finished(&v.room, now)) && r.Err() != nil:
		v.fail(r.Err())
	case !m.live():
		if v.entry.due(now, r.Started(), v.room.state.Match) {
			v.open(now)
		}
		v.entry.rest(v.room.state.Match)
	case m.undecided() && !m.runs() && r.Abandoned(): // then all members that wait for it give it up
		v.news.notStarted()
		if !r.Started() { // it may continue without us, but most likely the others give up, too
			v.entry.join()
			v.entry.later(now.Add(foyer.StartTime))
		}
		v.drop()
	case m.undecided():
		v.end(now)
	case m.desynced():
		if m.reported(now) {
			report := m.report
			v.drop()
			v.failed = explainDesync(report)
		}
	case now.Sub(m.overAt) > foyer.Settle:
		m.retire()
	}
}

// open plays or watches the room's match.
func (v *stay) open(now time.Time) {
	b, err := v.cfg.newBout(v.room.kind.id)
	if err == nil {
		err = b.open(table{v.app, &v.room, v.room.room.Me().Seat})
	}
	switch {
	case foyer.NotYet(err):
		v.entry.later(now.Add(foyer.RetryEvery)) // later news from the room may change this
		return
	case err != nil:
		v.fail(err)
		return
	}
	v.match.open(b, v.room.terms.score())
	tape, o := v.app.Record(v.match.about(v.app, &v.room))
	if err := b.record(tape, o); err != nil {
		tape.Drop()
		v.news.Add(words.F("This match is not recorded: %v", err), 4)
	}
	v.entry.joined()
	v.start, v.others = foyer.Retry{}, others{}
	v.withdrawRematch()
	v.closeMenu()
}

// withdrawRematch withdraws our request for a rematch.
func (v *stay) withdrawRematch() {
	if v.asked {
		v.asked = false
		_ = v.room.room.SetStatus("") // it is sent later, unless the room has ended
	}
}

// closeMenu closes what is open over the match.
func (v *stay) closeMenu() {
	v.view.menu.Close()
	v.app.Uncover()
}

// end handles the end of the match, if it has come. The host tells the room the score of a duel, for members who join
// late or return.
func (v *stay) end(now time.Time) {
	if !v.match.end(now) {
		return
	}
	v.entry.ended()
	if !v.app.SettingsOpen() {
		v.view.menu.Close()
	}
	if v.match.desynced() || v.room.kind.id != duelID || !v.room.room.IsHost() {
		return // after a desync each machine has its own result
	}
	t, score := v.room.terms, v.match.standing()
	if _, over := score.Over(); over {
		score = contest.Score{} // the next round is the first one
	}
	t.Round, t.Wins, t.Who = score.Round, score.Wins, v.room.duelists()
	_ = v.room.change(t) // if this fails, the next round repeats it
}

// after handles the result of an update of the match.
func (v *stay) after(err error, now time.Time) {
	for _, e := range v.match.bout.events() {
		people := v.room.people(e.Players)
		gone := v.others.heard(e.What, people, v.room.mine())
		v.news.heard(&e, people)
		if gone {
			v.reportAbsent()
		}
	}
	if err == nil || v.match.retired {
		return
	}
	var removed *tickback.RemovedError
	var nobody *tickback.HostsError
	var closed *tickback.JoinError
	_, over := v.match.bout.outcome()
	switch {
	case over: // the others have already left it
		v.end(now)
		if !v.match.desynced() {
			v.match.retire()
		}
	case errors.As(err, &removed) && !removed.Kicked,
		errors.Is(err, tickback.ErrClosed): // the page was left, and the browser has restored it
		v.news.Add(words.T("The others had to go on. You are coming back."), 4)
		v.drop()
		v.entry.join()
	case (errors.As(err, &nobody) || errors.As(err, &closed)) && v.entry.failed(now): // too early, or too late
		v.drop()
	case !v.match.begun && left(v.room.room.Explain(err)): // the session may know this before the room
		v.news.Add(words.T("Somebody left before the match began"), 5)
		v.drop()
	case errors.Is(err, tickback.ErrEnd):
		v.news.Add(words.T("The players have left the match."), 4)
		v.drop()
	default:
		err = v.room.room.Explain(err)
		v.drop()
		v.fail(err)
	}
}

// left reports whether an error only means that a player has left, rather than that the network does not connect us.
func left(err error) bool {
	var network *online.PeerError
	var lost *session.LostError
	return errors.As(err, &lost) && !errors.As(err, &network)
}

// drop leaves the match, and shows the room.
func (v *stay) drop() {
	v.match.drop()
	v.withdrawRematch()
}
