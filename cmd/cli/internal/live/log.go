package live

import (
	"fmt"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/cmd/cli/internal/terminal"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// Log prints the important events of a match to stderr, one line each, and records what is needed at the end.
type Log struct {
	App    *console.App
	Quiet  bool
	Bar    *console.Progress
	Screen *terminal.Screen // the terminal in which the match is drawn, or nil

	Troubles secure.Troubles

	patience   time.Duration // the length of a wait at which the next line is printed
	waiting    bool          // a line about the wait has been printed
	Left, Lost tickback.PlayerSet
	Why        string // why a player was lost
	DesyncAt   tickback.Frame
}

// Say prints a line.
func (l *Log) Say(format string, args ...any) {
	text := console.Printable(fmt.Sprintf(format, args...))
	switch {
	case l.Screen != nil:
		l.Screen.Say(text)
	case !l.Quiet:
		l.Hide()
		fmt.Fprintf(l.App.Stderr, "%s\n", text)
	}
}

// Tell prints an important line, even if other lines are turned off.
func (l *Log) Tell(format string, args ...any) {
	quiet := l.Quiet
	l.Quiet = false
	l.Say(format, args...)
	l.Quiet = quiet
}

// Hide removes the progress bar from the screen until there is more progress.
func (l *Log) Hide() {
	if l.Bar != nil {
		l.Bar.Hide()
	}
}

func (l *Log) progress(frames int64) {
	if l.Screen == nil && !l.Quiet {
		l.Bar.Add(frames)
	}
}

func (l *Log) draw(m Running) {
	if l.Screen != nil {
		l.Screen.Draw(m.Frames(), m.Picture)
	}
}

// Awaited reports a wait for players: soon at first, then at growing intervals.
func (l *Log) Awaited(who tickback.PlayerSet, what string, since time.Duration) {
	l.Wait(what+" of "+words.People(who), since)
}

// Wait reports a wait that has lasted long enough.
func (l *Log) Wait(what string, since time.Duration) {
	if since < l.patience {
		return
	}
	l.patience, l.waiting = max(2*since, time.Second), true
	l.Say("waiting for %s, for %s", what, words.Seconds(since))
}

// Resumed reports the end of a wait.
func (l *Log) Resumed(since time.Duration) {
	if l.waiting {
		l.Say("goes on after %s", words.Seconds(since))
	}
	l.patience, l.waiting = 0, false
}

// Event reports an event of a session.
func (l *Log) Event(e tickback.Event) {
	who := words.People(e.Players)
	switch e.What {
	case tickback.Waiting:
		l.Awaited(e.Players, e.Text, e.For)
	case tickback.Resumed:
		l.Resumed(e.For)
	case tickback.Slowed:
		l.Say("slowed down by %s: %s lost %s", who, words.Seconds(e.For), e.Text)
	case tickback.Silent:
		if e.Players&^l.Left == 0 {
			return // not important enough for a line
		}
		l.Say("%s: nothing heard for %s", who, words.Seconds(e.For))
	case tickback.Heard:
		l.Say("%s: back after %s", who, words.Seconds(e.For))
	case tickback.Moved:
		l.Say("%s has moved to %s", who, e.Text)
	case tickback.Restarted:
		if e.Players != 0 {
			return // the event about the loss follows, and gets this as its reason
		}
		l.Say("the server %s was started again, and has forgotten the match: we are back in its new one", e.Text)
	case tickback.Refused:
		l.Say("%s refuses the match: %s", who, e.Text)
	case tickback.Left:
		l.Left |= e.Players
		l.Say("%s left, at frame %d", who, e.Frame)
	case tickback.Dropped:
		l.Left |= e.Players
		l.Say("the match goes on without %s, from frame %d on%s", who, e.Frame, words.Because(e.Text))
	case tickback.Revoked:
		l.Say("the token lets nobody in any more, since somebody was sent away")
	case tickback.Joined:
		l.Left &^= e.Players
		l.Say("%s joined, from frame %d on", who, e.Frame)
	case tickback.Paused:
		l.Say("%s wants a pause, from frame %d on", who, e.Frame)
	case tickback.Unpaused:
		l.Say("goes on, after a pause of %s", words.Seconds(e.For))
	case tickback.Frozen:
		l.Say("nothing is heard of %s, and without them too few are left to go on", who)
	case tickback.Quorate:
		l.Say("enough are there again to go on")
	case tickback.Lost:
		if e.Players == 0 { // of a match that we are joining
			l.Say("no way in at %s", e.Text)
			return
		}
		l.Lost, l.Why = l.Lost|e.Players, e.Text
		l.Say("%s is lost, at frame %d: %s", who, e.Frame, e.Text)
	case tickback.SpectatorJoined:
		l.Say("a spectator watches from %s", e.Text)
	case tickback.SpectatorLeft:
		l.Say("a spectator has gone: %s", e.Text)
	case tickback.Desync:
		if l.DesyncAt == 0 {
			l.DesyncAt = e.Frame
		}
		l.Say("desync: %s had another state, by frame %d at the latest%s", who, e.Frame, checksums(e))
	}
}

// checksums describes the checksums of states that differ, if they are known.
func checksums(e tickback.Event) string {
	if e.Ours == e.Theirs {
		return ""
	}
	return fmt.Sprintf(": checksum %016x there, %016x here", e.Theirs, e.Ours)
}

// Failed reports an error, unless it is nil.
func (l *Log) Failed(what string, err error) {
	if err != nil {
		l.Say("%s: %v", what, err)
	}
}
