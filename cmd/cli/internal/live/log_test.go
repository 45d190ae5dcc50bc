package live

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// The log reports who comes and goes, and a player who has returned no longer counts as gone.
func TestComingAndGoingIsTold(t *testing.T) {
	var errs bytes.Buffer
	l := &Log{App: &console.App{Stderr: &errs}}
	who := tickback.SetOf(1)
	for _, e := range []tickback.Event{
		{What: tickback.Dropped, Players: who, Frame: 7, Text: "silent"},
		{What: tickback.Joined, Players: who, Frame: 9},
		{What: tickback.Paused, Players: who, Frame: 11},
		{What: tickback.Unpaused, Players: who, For: time.Second},
		{What: tickback.Frozen, Players: who},
		{What: tickback.Quorate},
		{What: tickback.Lost, Text: "192.0.2.1:7000: no answer"},
		{What: tickback.Silent, Players: who, For: time.Second},
	} {
		l.Event(e)
	}
	const want = `the match goes on without player 2, from frame 7 on: silent
player 2 joined, from frame 9 on
player 2 wants a pause, from frame 11 on
goes on, after a pause of 1.0 s
nothing is heard of player 2, and without them too few are left to go on
enough are there again to go on
no way in at 192.0.2.1:7000: no answer
player 2: nothing heard for 1.0 s
`
	if errs.String() != want || l.Lost != 0 {
		t.Errorf("lost %v:\n%swant:\n%s", l.Lost, errs.String(), want)
	}
}

// A wait is reported at growing intervals, and its end only if the wait was reported.
func TestWaitingIsToldSeldom(t *testing.T) {
	var errs bytes.Buffer
	l := &Log{App: &console.App{Stderr: &errs}}
	l.Resumed(time.Second)
	if errs.Len() > 0 {
		t.Errorf("nothing was awaited: %q", errs.String())
	}
	for s := 1; s <= 16; s++ {
		l.Event(tickback.Event{What: tickback.Waiting, Players: tickback.SetOf(1), For: time.Duration(s) * time.Second, Text: "an answer"})
	}
	l.Event(tickback.Event{What: tickback.Resumed, For: 17 * time.Second})
	if got := strings.Count(errs.String(), "waiting for an answer of player 2, for"); got != 5 {
		t.Errorf("%d lines for 1, 2, 4, 8 and 16 seconds:\n%s", got, errs.String())
	}
	if !strings.HasSuffix(errs.String(), "goes on after 17 s\n") {
		t.Error(errs.String())
	}
	errs.Reset()
	for s := 1; s <= 16; s++ { // the same for spectators
		l.Wait("frames of 192.0.2.1:7000", time.Duration(s)*time.Second)
	}
	if got := strings.Count(errs.String(), "waiting for frames of 192.0.2.1:7000, for"); got != 5 {
		t.Errorf("%d lines for 1, 2, 4, 8 and 16 seconds:\n%s", got, errs.String())
	}
}

// Texts from other machines cannot control the terminal.
func TestEventsCannotDriveTheTerminal(t *testing.T) {
	var errs bytes.Buffer
	l := &Log{App: &console.App{Stderr: &errs}}
	l.Event(tickback.Event{What: tickback.Refused, Players: tickback.SetOf(1), Text: "\x1b[2J\nboo"})
	if want := `player 2 refuses the match: \x1b[2J\nboo` + "\n"; errs.String() != want {
		t.Errorf("%q, want %q", errs.String(), want)
	}
}
