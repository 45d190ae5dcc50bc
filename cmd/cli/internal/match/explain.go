package match

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
)

// explainError rewords an error of a session for people, who count from 1.
func (s *matchSetup) explainError(err error) error {
	var (
		timeout  *session.TimeoutError
		place    *session.PlaceError
		mismatch *session.MismatchError
		refused  *session.RefusedError
		lost     *session.LostError
		removed  *session.RemovedError
		quorum   *session.QuorumError
		nobody   *tickback.HostsError
		earlier  *session.RestartedError
		join     *session.JoinError
	)
	switch {
	case errors.As(err, &place):
		return s.explainPlace(place)
	case errors.As(err, &mismatch):
		return s.explainMismatch(mismatch)
	case errors.As(err, &timeout) && timeout.For == "an answer":
		return s.unanswered(timeout)
	case errors.As(err, &timeout):
		return fmt.Errorf("waited %s for %s of %s", words.Seconds(timeout.After), timeout.For, s.contacts.named(timeout.Players))
	case errors.As(err, &refused) && refused.Players.Has(s.seat.player):
		return fmt.Errorf("cannot play what player 1 proposes: %s", refused.Reason)
	case errors.As(err, &refused):
		return fmt.Errorf("%s refused the match: %s", words.People(refused.Players), refused.Reason)
	case errors.As(err, &lost) && s.log.Left&lost.Players != 0 && s.log.Lost&lost.Players == 0:
		return fmt.Errorf("%s left before the match began", words.People(lost.Players))
	case errors.As(err, &lost) && lost.Restarted != 0:
		return fmt.Errorf("%s was started again, and has forgotten the match: start it again here, too", words.People(lost.Restarted))
	case errors.As(err, &lost):
		return fmt.Errorf("lost %s: %s", words.People(lost.Players), s.silence(lost.Why))
	case errors.As(err, &removed) && removed.Kicked:
		return fmt.Errorf("player 1 has sent us away, at frame %d%s", removed.Frame, words.Because(removed.Reason))
	case errors.As(err, &removed):
		return fmt.Errorf("the others have gone on without us, from frame %d on%s; come back with --join", removed.Frame, words.Because(removed.Reason))
	case errors.As(err, &quorum):
		return fmt.Errorf("nothing was heard of %s for %s, and without them too few are left to go on", words.People(quorum.Players), words.Seconds(quorum.After))
	case errors.As(err, &join) && join.Revoked:
		return errors.New("the token was revoked, since somebody was sent away: ask those who play for another one")
	case errors.As(err, &earlier):
		return s.explainRestarted(earlier)
	case errors.As(err, &nobody):
		return live.ExplainHosts(&s.log.Troubles, nobody, "cannot join", "nobody lets us in")
	case errors.Is(err, classic.ErrNobody):
		return fmt.Errorf("nobody is there: no answer from %s for %s", s.contacts.named(s.contacts.remote[0].Players), words.Seconds(s.contacts.timeout))
	case errors.Is(err, classic.ErrLost):
		return fmt.Errorf("lost %s: nothing new for %s", words.People(s.contacts.remote[0].Players), words.Seconds(s.contacts.drop))
	}
	return err
}

// silence adds the possible causes of a time-out to the text about it. If the addresses of two machines change at
// once, neither can find the other, and neither can know the cause, since no third machine can report it.
func (s *matchSetup) silence(why string) string {
	if s.seat.players != 2 || !strings.HasPrefix(why, "silent for ") {
		return why
	}
	return why + "; if both machines changed their network at once, neither can find the other: start the match again"
}

// unanswered names the peers that have sent nothing, or nothing that we understand.
func (s *matchSetup) unanswered(e *session.TimeoutError) error {
	for _, p := range s.contacts.remote {
		if text := s.log.Troubles.Of(p.Addr); text != "" && p.Players&e.Players != 0 {
			return fmt.Errorf("%s (%v) %s", words.People(p.Players), p.Addr, text)
		}
	}
	return fmt.Errorf("nobody is there: no answer from %s for %s", s.contacts.named(e.Players), words.Seconds(e.After))
}

func (s *matchSetup) explainMismatch(e *session.MismatchError) error {
	who := words.People(e.Players)
	switch e.Item {
	case admission.ItemGame:
		return fmt.Errorf("%s plays another game: here %s, there %s", who, e.Ours, e.Theirs)
	case admission.ItemBuild:
		return fmt.Errorf("%s has another build of the game: here %s, there %s", who, e.Ours, e.Theirs)
	}
	return fmt.Errorf("%s cannot play with us: the %s differs: here %s, there %s", who, e.Item, e.Ours, e.Theirs)
}

// explainPlace says which values of --player and --peer contradict each other.
func (s *matchSetup) explainPlace(e *session.PlaceError) error {
	at := s.contacts.named(e.Expected)
	if both := e.Local & e.Claimed; both != 0 {
		return fmt.Errorf("we are %s, and so is the machine that should be %s: each needs a --player of its own", words.People(both), at)
	}
	return fmt.Errorf("the machine that should be %s is %s: give --peer in the order of the players, without our own", at, words.People(e.Claimed))
}

// explainRestarted says how a restarted process can return to the match.
func (s *matchSetup) explainRestarted(e *session.RestartedError) error {
	who := s.contacts.named(e.Players)
	switch {
	case e.Joins:
		return fmt.Errorf("%s still plays the match that was begun from here before: it goes on without us; come back with --join", who)
	case e.Playing:
		return fmt.Errorf("%s still plays the match that was begun from here before: it goes on without us, and without a --token nobody can come back; start again when it is over", who)
	}
	return fmt.Errorf("%s has not given up yet the process that was here before: start again in a few seconds", who)
}
