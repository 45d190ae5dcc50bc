package server

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/ends"
)

// Rule: whatever ends a client, what the log and the command say of it is true for that client, before the
// match has begun and after.
func TestHowClientsEnd(t *testing.T) {
	peer := []ends.End{{Never: "that ends the session of a peer"}}
	for _, begun := range []bool{false, true} {
		lost := ends.End{Err: &tickback.ServerLostError{For: "an answer", Long: 5 * time.Second}, Log: "waited 5s for an answer", Says: "nobody is there: no answer from the server 192.0.2.2:7000 for 5.0 s"}
		if begun {
			lost.Says = "lost the server 192.0.2.2:7000: silent for 5.0 s"
		}
		mismatch := func(item, ours, theirs string) error {
			return &tickback.MismatchError{Item: item, Ours: ours, Theirs: theirs}
		}
		ends.Check(t, ends.Table{
			"MismatchError": {
				{Err: mismatch("game", "1", "2"), Log: "the game differs: here 1, there 2", Says: "the server has another game: here \"1\", there \"2\""},
				{Err: mismatch("build", "1", "2"), Log: "the build differs: here 1, there 2", Says: "the server has another build of the game: here \"1\", there \"2\""},
				{Err: mismatch("number of players", "1", "2"), Log: "the number of players differs: here 1, there 2", Says: "the server has 2 places: give --players 2"},
				{Err: mismatch("Sight", "not given", "given"), Log: "the Sight differs: here not given, there given", Says: "the server has the other kind of --sight: give --sight partial"},
				{Err: mismatch("kind of match", "a server", "a match between peers"), Log: "the kind of match differs: here a server, there a match between peers", Says: "there is a match between peers, and no server: see spectate and match --join"},
				{Err: mismatch("tick rate", "30", "60"), Log: "the tick rate differs: here 30, there 60", Says: "the server cannot play with us: the tick rate differs: here 30, there 60"},
			},
			"PlaceError":       peer,
			"TimeoutError":     peer,
			"RefusedError":     peer,
			"LostError":        peer,
			"RemovedError":     peer,
			"QuorumError":      peer,
			"JoinError":        peer,
			"RestartedError":   peer,
			"SyncTestError":    {{Never: "connect has no sync test"}},
			"TokenError":       {{Err: &tickback.TokenError{Reason: "the token is not that of the match"}, Log: "the token is not that of the match: give the token that its players have", Says: "the server 192.0.2.2:7000 does not let us in: the token is not that of the match: give the token that its players have (see --token)"}},
			"ByeError":         {{Err: &tickback.ByeError{Reason: "rude"}, Log: "the server says: rude", Says: "the server 192.0.2.2:7000 says: rude"}},
			"ServerLostError":  {lost},
			"ErrPartial":       {{Never: "a recording that cannot be is refused before the match"}},
			"WishError":        peer,
			"ErrClosed":        {{Err: tickback.ErrClosed, Log: "the session is closed", Says: "the session is closed"}},
			"HostsError":       peer,
			"ErrHostRestarted": peer,
			"ErrEnd":           {{Err: tickback.ErrEnd, Log: "the match is over", Says: "the match is over"}},
		}, func(err error) string {
			m := &one{setup: &clientSetup{where: "192.0.2.2:7000"}, err: err, result: &clientResult{}}
			if begun {
				m.result.Wholes = 1
			}
			return m.explainError().Error()
		})
	}
}
