package live

import (
	"bytes"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/session/event"
)

// unsaid are the kinds of events that [Log.Event] does not report, and why.
var unsaid = map[event.What]string{
	event.Connected: "each way to play has words of its own", event.Started: "each way to play has words of its own",
	event.Live: "only spectators have it, who say it themselves", event.Ended: "each way to play says how",
	event.Open: "the start of the match follows", event.Proposed: "the start of the match follows", event.Accepted: "the start of the match follows",
	event.Message: "the commands send none", event.Resumed: "after a short wait there is nothing to say",
	event.Reported: "the report is saved, and that is said", event.Recorded: "the recorder says it",
	event.Warning: "only replays have it, and replay has words of its own", event.Closed: "the command says why when it ends",
}

// Rule: every kind of event has a line, or a reason why there is none; so must a kind that is added later.
func TestEveryEventIsSaidOrNot(t *testing.T) {
	kinds := 0
	for what := event.What(1); what.String() != event.What(255).String(); what++ {
		kinds++
		var errs bytes.Buffer
		l := &Log{App: &console.App{Stderr: &errs}, Left: tickback.SetOf(2)}
		l.Event(tickback.Event{What: what, Players: tickback.SetOf(1), Frame: 7, For: 5e9, Text: "a text"})
		if what == event.Restarted { // for a peer, the event Lost follows
			l.Event(tickback.Event{What: what, Text: "a text"})
		}
		if why := unsaid[what]; (errs.Len() == 0) != (why != "") {
			t.Errorf("%v: it says %q, and is not to say anything: %q", what, errs.String(), why)
		}
	}
	if kinds < 30 {
		t.Errorf("only %d kinds of events", kinds)
	}
}
