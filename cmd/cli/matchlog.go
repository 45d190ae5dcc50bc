package cli

import (
	"fmt"
	"time"

	"github.com/tickback/tickback"
)

// matchLog tells on stderr what happens in a match, one line for each event that
// a person cares about, and remembers what matters at the end.
type matchLog struct {
	app    *app
	quiet  bool
	bar    *progress
	screen *screen // where the match is drawn, if it is

	troubles troubles

	patience   time.Duration // of which waiting the next line tells
	waiting    bool          // a line has told
	left, lost tickback.PlayerSet
	why        string // somebody was lost
	desyncAt   tickback.Frame
}

// say prints a line.
func (l *matchLog) say(format string, args ...any) {
	text := printable(fmt.Sprintf(format, args...))
	switch {
	case l.screen != nil:
		l.screen.say(text)
	case !l.quiet:
		l.hide()
		fmt.Fprintf(l.app.stderr, "%s\n", text)
	}
}

// tell prints a line that has to be read, also by who wants no others.
func (l *matchLog) tell(format string, args ...any) {
	quiet := l.quiet
	l.quiet = false
	l.say(format, args...)
	l.quiet = quiet
}

func (l *matchLog) hide() {
	if l.bar != nil {
		l.bar.hide()
	}
}

func (l *matchLog) progress(frames int64) {
	if l.screen == nil && !l.quiet {
		l.bar.add(frames)
	}
}

func (l *matchLog) draw(m running) {
	if l.screen != nil {
		l.screen.draw(m.frames(), m.picture)
	}
}

// awaited tells of a wait, at first soon, then ever more seldom.
func (l *matchLog) awaited(who tickback.PlayerSet, what string, since time.Duration) {
	l.wait(what+" of "+people(who), since)
}

// wait tells of a wait that has become long enough to tell of.
func (l *matchLog) wait(what string, since time.Duration) {
	if since < l.patience {
		return
	}
	l.patience, l.waiting = max(2*since, time.Second), true
	l.say("waiting for %s, for %s", what, seconds(since))
}

// resumed ends a wait.
func (l *matchLog) resumed(since time.Duration) {
	if l.waiting {
		l.say("goes on after %s", seconds(since))
	}
	l.patience, l.waiting = 0, false
}

// event tells of an event of a session.
func (l *matchLog) event(e tickback.Event) {
	who := people(e.Players)
	switch e.What {
	case tickback.Waiting:
		l.awaited(e.Players, e.Text, e.For)
	case tickback.Resumed:
		l.resumed(e.For)
	case tickback.Silent:
		if e.Players&^l.left == 0 {
			return // of course
		}
		l.say("%s: nothing heard for %s", who, seconds(e.For))
	case tickback.Heard:
		l.say("%s: back after %s", who, seconds(e.For))
	case tickback.Moved:
		l.say("%s has moved to %s", who, e.Text)
	case tickback.Refused:
		l.say("%s refuses the match: %s", who, e.Text)
	case tickback.Left:
		l.left |= e.Players
		l.say("%s left, at frame %d", who, e.Frame)
	case tickback.Dropped:
		l.left |= e.Players
		l.say("the match goes on without %s, from frame %d on%s", who, e.Frame, because(e.Text))
	case tickback.Revoked:
		l.say("the token lets nobody in any more, since somebody was sent away")
	case tickback.Joined:
		l.left &^= e.Players
		l.say("%s joined, from frame %d on", who, e.Frame)
	case tickback.Paused:
		l.say("%s wants a pause, from frame %d on", who, e.Frame)
	case tickback.Unpaused:
		l.say("goes on, after a pause of %s", seconds(e.For))
	case tickback.Frozen:
		l.say("nothing is heard of %s, and without them too few are left to go on", who)
	case tickback.Quorate:
		l.say("enough are there again to go on")
	case tickback.Lost:
		if e.Players == 0 { // of a match that is joined
			l.say("no way in at %s", e.Text)
			return
		}
		l.lost, l.why = l.lost|e.Players, e.Text
		l.say("%s is lost, at frame %d: %s", who, e.Frame, e.Text)
	case tickback.SpectatorJoined:
		l.say("a spectator watches from %s", e.Text)
	case tickback.SpectatorLeft:
		l.say("a spectator has gone: %s", e.Text)
	case tickback.Desync:
		if l.desyncAt == 0 {
			l.desyncAt = e.Frame
		}
		l.say("desync: %s had another state, by frame %d at the latest", who, e.Frame)
	}
}

// failed tells of an error, if there is one.
func (l *matchLog) failed(what string, err error) {
	if err != nil {
		l.say("%s: %v", what, err)
	}
}
