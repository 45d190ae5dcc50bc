package server

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/ends"
)

// Rule: whatever ends a client, the log and the output of the command are true for that client, before and after the
// match has begun.
func TestHowClientsEnd(t *testing.T) {
	peer := []ends.End{{Never: "that ends the session of a peer"}}
	for _, begun := range []bool{false, true} {
		lost := ends.End{Err: &tickback.ServerLostError{For: "an answer", Long: 5 * time.Second}, Log: "waited 5s for an answer", Says: "nobody is there: no answer from the server 192.0.2.2:7000 for 5.0 s"}
		if begun {
			lost.Says = "lost the server 192.0.2.2:7000: silent for 5.0 s"
		}
		mismatch := func(item, ours, theirs string) error {
			return &tickback.MismatchError{Item: item, Ours: ours, Theirs: theirs, Server: true}
		}
		ends.Check(t, ends.Table{
			"MismatchError": {
				{Err: mismatch("game", `"1"`, `"2"`), Log: `the game differs: here "1", at the server "2": look at its address, and at GameID`, Says: "the server has another game: here \"1\", there \"2\""},
				{Err: mismatch("build", `"1"`, `"2"`), Log: `the build differs: here "1", at the server "2": both sides need the same build of the game`, Says: "the server has another build of the game: here \"1\", there \"2\""},
				{Err: mismatch("number of players", "1", "2"), Log: "the number of players differs: here 1, at the server 2: Players has to be that of the server", Says: "the server has 2 places: give --players 2"},
				{Err: mismatch("Sight", "not given", "given"), Log: "the Sight is not given here, and given at the server: give the same one to Serve and Connect, or none to both", Says: "the server has the other kind of --sight: give --sight partial"},
				{Err: mismatch("kind of match", "a server", "a match between peers"), Log: "there is a match between peers, and here a server: Connect plays at what Serve runs; watch a match between peers with Spectate, or join it with P2P", Says: "there is a match between peers, and no server: see spectate and match --join"},
				{Err: mismatch("tick rate", "30", "60"), Log: "the tick rate differs: here 30, at the server 60: TickRate has to be that of the server", Says: "the server cannot play with us: the tick rate differs: here 30, there 60"},
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
			"JournalError":     {{Never: "it ends a server"}},
			"ErrJournalEnded":  {{Never: "it ends a server"}},
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
