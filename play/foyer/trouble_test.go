package foyer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/webrtc"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/session"
)

// Every error has its own explanation, with advice.
func TestEveryFailureHasItsOwnWords(t *testing.T) {
	peer := func(r webrtc.Reason) error {
		return &online.PeerError{Peers: []online.FailedPeer{{Member: rooms.Member{Name: "Bo"}, Reason: r}}, Err: errors.New("lost")}
	}
	seen := map[string]error{}
	for _, c := range []struct {
		err   error
		words []string
	}{
		{rooms.ErrFull, []string{"full"}},
		{rooms.ErrSeatTaken, []string{"seat"}},
		{rooms.ErrGone, []string{"gone", "link"}},
		{rooms.ErrMember, []string{"place"}},
		{rooms.ErrRate, []string{"Wait"}},
		{rooms.ErrServerFull, []string{"server is full"}},
		{rooms.ErrShutdown, []string{"shut down"}},
		{rooms.ErrExpired, []string{"ended"}},
		{rooms.ErrKicked, []string{"sent away", "host"}},
		{rooms.ErrReplaced, []string{"another page"}},
		{rooms.ErrSlow, []string{"slow"}},
		{rooms.ErrHost, []string{"host"}},
		{rooms.ErrNotReady, []string{"cannot begin"}},
		{rooms.ErrBadMessage, []string{"Load the page again"}},
		{rooms.ErrUnreachable, []string{"cannot be reached"}},
		{context.DeadlineExceeded, []string{"does not answer"}},
		{online.ErrLink, []string{"link"}},
		{webrtc.ErrUnsupported, []string{"WebRTC", "another browser"}},
		{rooms.ErrGame, []string{"server"}},
		{&rooms.MismatchError{Item: "build", Ours: "play 2", Rooms: "play 1"}, []string{"version", `"play 2"`, `"play 1"`}},
		{peer(webrtc.Blocked), []string{"Bo", "TURN", "another network"}},
		{peer(webrtc.NoAnswer), []string{"Bo", "does not answer"}},
		{peer(webrtc.Gone), []string{"Bo", "lost"}},
		{peer(webrtc.Unsupported), []string{"Bo", "browser"}},
		{&session.LostError{Why: "silent for 5s"}, []string{"silent for 5s"}},
		{&session.LostError{Why: "no match can begin without them", Restarted: 2}, []string{"has ended", "was started again"}},
		{&session.TimeoutError{For: "the start", After: 15 * time.Second}, []string{"15s", "the start"}},
		{&session.QuorumError{}, []string{"Too few"}},
		{&session.RemovedError{Kicked: true, Reason: "language"}, []string{"language"}},
		{&session.JoinError{Why: "no token"}, []string{"no token"}},
		{&session.RefusedError{Reason: "the seed"}, []string{"the seed"}},
		{&session.MismatchError{Item: "tick rate", Ours: "60", Theirs: "50"}, []string{"tick rate", "60", "50"}},
		{online.ErrNobody, []string{"Nobody"}},
		{&tickback.ServerLostError{For: "the server", Long: 5 * time.Second}, []string{"silent", "5s"}},
		{&tickback.ByeError{Reason: "all places are taken"}, []string{"full"}},
		{&tickback.TokenError{Reason: "no"}, []string{"token", "-token"}},
		{&tickback.TokenError{Reason: "no", Revoked: true}, []string{"token", "new one"}},
		{&tickback.ByeError{Reason: "the match is over"}, []string{"over"}},
		{&tickback.ByeError{Reason: "kicked: language"}, []string{"sent away", "out of the match."}},
		{&tickback.ByeError{Reason: "it is shutting down"}, []string{"ended the match"}},
		{&tickback.ByeError{Reason: "silent for 5s"}, []string{"silent for 5s"}},
		{&session.MismatchError{Item: "build", Ours: `"tanks 2"`, Theirs: `"tanks 1"`, Server: true}, []string{"version", "the server", `"tanks 2"`, `"tanks 1"`}},
		{&session.MismatchError{Item: "build", Ours: `"duel 2"`, Theirs: `"duel 1"`}, []string{"version", "the others", `"duel 2"`, `"duel 1"`}},
		{&session.MismatchError{Item: "game", Ours: `"tanks"`, Theirs: `"duel"`, Server: true}, []string{"The server plays", `"duel"`}},
		{errors.New("something else"), []string{"something else"}},
	} {
		trouble := foyer.Explain(fmt.Errorf("wrapped: %w", c.err))
		got := trouble.Text()
		for _, w := range c.words {
			if !strings.Contains(got, w) {
				t.Errorf("%v: %q does not say %q", c.err, got, w)
			}
		}
		if before := seen[got]; before != nil {
			t.Errorf("%v and %v are both %q", before, c.err, got)
		}
		seen[got] = c.err
	}
}
