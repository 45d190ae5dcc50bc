package foyer

import (
	"errors"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/served"
)

// explainServed explains how a match that a server owns failed; ok is false for any other error.
func explainServed(err error) (t Trouble, ok bool) {
	var (
		bye    *tickback.ByeError
		token  *tickback.TokenError
		silent *tickback.ServerLostError
		other  *tickback.MismatchError
	)
	switch {
	case errors.As(err, &silent):
		return Trouble{
			Title: words.T("The server is silent"), What: words.F("Nothing has come from it for %v.", silent.Long.Round(time.Second)),
			Help: words.T("Look at your connection, and ask whether it still runs; then try again."),
		}, true
	case errors.As(err, &bye):
		return explainBye(bye.Reason), true
	case errors.As(err, &token) && token.Revoked:
		return Trouble{
			Title: words.T("The server does not let you in"), What: words.T("Your token is no longer good."), Help: words.T("Ask who runs the server for the new one."),
		}, true
	case errors.As(err, &token):
		return Trouble{
			Title: words.T("The server does not let you in"), What: words.T("It wants a token that you do not have."),
			Help: words.T("Ask who runs the server for it, and start with -token TOKEN."),
		}, true
	case errors.As(err, &other) && !other.Server: // a peer
		return t, false
	case other != nil && other.Item == admission.ItemBuild:
		return Trouble{
			Title: words.T("Another version"), What: words.F("You have build %s, and the server has %s.", other.Ours, other.Theirs),
			Help: words.T("Load the page again; if that does not help, the server is the older one."),
		}, true
	case other != nil && other.Item == admission.ItemGame:
		return Trouble{Title: words.T("Another game"), What: words.F("The server plays %s, and not %s.", other.Theirs, other.Ours), Help: words.T("Look at its address.")}, true
	}
	return t, false
}

// byes are the servers' reasons for a goodbye, with explanations.
var byes = []struct {
	says string
	Trouble
}{
	{"all places are taken", Trouble{Title: words.K("The match is full"), What: words.K("All places are taken."), Help: words.K("Try again when somebody has left.")}},
	{"the match is over", Trouble{Title: words.K("The match is over"), What: words.K("The server takes nobody in any more."), Help: words.K("Wait for the next one.")}},
	{"kicked", Trouble{Title: words.K("You were sent away"), What: words.K("The host has taken you out of the match."), Help: words.K("Ask the host.")}},
	{served.Closing, Trouble{Title: words.K("The server has ended the match"), What: words.K("Whoever runs it has closed it."), Help: words.K("Ask when there is another one.")}},
}

func explainBye(reason string) Trouble {
	for _, b := range byes {
		if strings.Contains(reason, b.says) {
			return b.Own()
		}
	}
	return Trouble{Title: words.T("The server has ended it"), What: words.F("It says: %s.", reason), Help: words.T("Try again, or ask who runs it.")}
}
