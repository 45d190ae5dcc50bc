package foyer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tickback/tickback"
)

// explainServed explains how a match that a server owns failed; ok is false for any other error.
func explainServed(err error) (t Trouble, ok bool) {
	var (
		bye    *tickback.ByeError
		silent *tickback.ServerLostError
		other  *tickback.MismatchError
	)
	switch {
	case errors.As(err, &silent):
		return Trouble{
			Title: "The server is silent", What: fmt.Sprintf("Nothing has come from it for %v.", silent.Long.Round(time.Second)),
			Help: "Look at your connection, and ask whether it still runs; then try again.",
		}, true
	case errors.As(err, &bye):
		return explainBye(bye.Reason), true
	case errors.As(err, &other) && other.Item == "build":
		return Trouble{
			Title: "Another version", What: fmt.Sprintf("You have build %q, and the server has %q.", other.Ours, other.Theirs),
			Help: "Load the page again; if that does not help, the server is the older one.",
		}, true
	case errors.As(err, &other) && other.Item == "game":
		return Trouble{Title: "Another game", What: fmt.Sprintf("The server plays %q, and not %q.", other.Theirs, other.Ours), Help: "Look at its address."}, true
	}
	return t, false
}

// byes are what servers say, and what it means.
var byes = []struct {
	says string
	Trouble
}{
	{"all places are taken", Trouble{Title: "The match is full", What: "All places are taken.", Help: "Try again when somebody has left."}},
	{"the token was revoked", Trouble{Title: "The server does not let you in", What: "Your token is no longer good.", Help: "Ask who runs the server for the new one."}},
	{"the token of the match", Trouble{Title: "The server does not let you in", What: "It wants a token that you do not have.", Help: "Ask who runs the server for it, and start with -token TOKEN."}},
	{"the match is over", Trouble{Title: "The match is over", What: "The server takes nobody in any more.", Help: "Wait for the next one."}},
	{"kicked", Trouble{Title: "You were sent away", What: "The host has taken you out of the match.", Help: "Ask the host."}},
	{"closed", Trouble{Title: "The server has ended the match", What: "Whoever runs it has closed it.", Help: "Ask when there is another one."}},
}

func explainBye(reason string) Trouble {
	for _, b := range byes {
		if strings.Contains(reason, b.says) {
			return b.Trouble
		}
	}
	return Trouble{Title: "The server has ended it", What: "It says: " + reason + ".", Help: "Try again, or ask who runs it."}
}
