package netplay

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/recordings"
)

// current is the match of the room that is shown here: none, one that begins or is played, one that is over, or the
// last picture of one that we have left.
type current struct {
	bout    bout          // nil if none is shown
	score   contest.Score // the score before it
	begun   bool          // it has run here
	overAt  time.Time     // when it was over; zero before
	retired bool          // we have left it, but its last picture is still shown
	report  *tickback.DesyncReport
	closing foyer.Leaving // a match that is being left
	series  uint64        // of the rounds of a duel, for recordings
}

// patience is how long to wait for the report on a desync.
const patience = 5 * time.Second

// open shows a match that was opened.
func (c *current) open(b bout, score contest.Score) {
	*c = current{bout: b, score: score, closing: c.closing, series: c.series}
}

// about describes the match that was opened, for a recording.
func (c *current) about(a *app.App, room *roomInfo) *recordings.Info {
	about := recordings.About("online", room.recorded())
	if room.kind.id == duelID {
		if room.terms.Round == 0 {
			c.series = a.NewSeries()
		}
		about.InSeries(c.series, room.terms.Round+1)
	}
	return about
}

// live reports whether a match is shown that we have not left, and undecided whether it is not over either.
func (c *current) live() bool      { return c.bout != nil && !c.retired }
func (c *current) undecided() bool { return c.live() && c.overAt.IsZero() }

// over reports whether the match that is shown is over.
func (c *current) over() bool { return c.bout != nil && !c.overAt.IsZero() }

// runs reports whether the match that is shown has run here.
func (c *current) runs() bool {
	c.begun = c.begun || c.bout.running()
	return c.begun
}

// desynced reports whether the machines had different matches: then each has its own result.
func (c *current) desynced() bool { return c.bout.stats().Health == tickback.Desynced }

// end records that the match is over if it has an outcome, and reports whether that is new.
func (c *current) end(now time.Time) bool {
	if _, over := c.bout.outcome(); !over || !c.overAt.IsZero() {
		return false
	}
	c.overAt = now
	return true
}

// reported waits for the report on a desync, and reports whether it is there, or will not come.
func (c *current) reported(now time.Time) bool {
	if p := c.bout.player(); p != nil && c.report == nil {
		c.report = p.DesyncReport()
	}
	return c.report != nil || now.Sub(c.overAt) >= patience
}

// retire leaves the match, and keeps its last picture.
func (c *current) retire() {
	if c.live() {
		c.retired = true
		leave := c.bout.retire()
		c.closing.Start(func() { _ = leave() }) // nothing can be done about an error
	}
}

// drop leaves the match, and shows none.
func (c *current) drop() {
	c.retire()
	if c.bout != nil {
		c.bout.silence()
	}
	c.bout, c.overAt = nil, time.Time{}
}

// player returns the match if we play it, or nil.
func (c *current) player() player {
	if c.bout == nil {
		return nil
	}
	return c.bout.player()
}

// paused reports whether the match is paused.
func (c *current) paused() bool {
	if p := c.bout.player(); p != nil {
		_, paused := p.Paused()
		return paused
	}
	return c.bout.stats().Paused
}

// standing returns the score of a duel, including the match that is shown.
func (c *current) standing() contest.Score {
	s := c.score
	if c.over() {
		s.Count(c.bout.result())
	}
	return s
}

// finished reports whether the match is over, including all rounds and cheers. There are no further rounds once the
// room has ended, or as long as the server is out of reach.
func (c *current) finished(room *roomInfo, now time.Time) bool {
	if !c.over() || now.Sub(c.overAt) < 3200*time.Millisecond {
		return false
	}
	score := c.standing()
	_, over := score.Over()
	_, all := room.present() // if one is missing, no round begins
	return over || room.kind.id != duelID || !room.sameTwo() || !all || room.noServer()
}

// commander returns the stage of a skirmish that is played, or nil.
func (c *current) commander() *app.SkirmishStage {
	if m, ok := c.bout.(*match[skirmish.World, skirmish.Input]); ok && c.undecided() {
		return m.stage.(*app.SkirmishStage)
	}
	return nil
}

// name gives the stage the current names of the players.
func (c *current) name(names [8]string) {
	switch b := c.bout.(type) {
	case *match[duel.State, duel.Input]:
		b.stage.(*app.DuelStage).Names = names
	case *match[arena.State, arena.Input]:
		b.stage.(*app.ArenaStage).Names = names
	case *match[skirmish.World, skirmish.Input]:
		b.stage.(*app.SkirmishStage).Names = names
	}
}
