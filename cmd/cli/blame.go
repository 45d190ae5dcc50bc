package cli

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/classic"
)

// blame puts an error of a session into words for people, who count from 1.
func (s *seat) blame(err error) error {
	var (
		timeout  *session.TimeoutError
		mismatch *session.MismatchError
		refused  *session.RefusedError
		lost     *session.LostError
		removed  *session.RemovedError
		quorum   *session.QuorumError
		nobody   *tickback.HostsError
	)
	switch {
	case errors.As(err, &mismatch):
		return s.blameMismatch(mismatch)
	case errors.As(err, &timeout) && timeout.For == "an answer":
		return fmt.Errorf("nobody is there: no answer from %s for %s", s.named(timeout.Players), seconds(timeout.After))
	case errors.As(err, &timeout):
		return fmt.Errorf("waited %s for %s of %s", seconds(timeout.After), timeout.For, s.named(timeout.Players))
	case errors.As(err, &refused) && refused.Players.Has(s.player):
		return fmt.Errorf("cannot play what player 1 proposes: %s", refused.Reason)
	case errors.As(err, &refused):
		return fmt.Errorf("%s refused the match: %s", people(refused.Players), refused.Reason)
	case errors.As(err, &lost) && s.log.left&lost.Players != 0 && s.log.lost&lost.Players == 0:
		return fmt.Errorf("%s left before the match began", people(lost.Players))
	case errors.As(err, &lost):
		return fmt.Errorf("lost %s: %s", people(lost.Players), lost.Why)
	case errors.As(err, &removed) && removed.Kicked:
		return fmt.Errorf("player 1 has sent us away, at frame %d%s", removed.Frame, because(removed.Reason))
	case errors.As(err, &removed):
		return fmt.Errorf("the others have gone on without us, from frame %d on%s; come back with --join", removed.Frame, because(removed.Reason))
	case errors.As(err, &quorum):
		return fmt.Errorf("nothing was heard of %s for %s, and without them too few are left to go on", people(quorum.Players), seconds(quorum.After))
	case errors.As(err, &nobody):
		return blameHosts(nobody, "join", "nobody lets us in")
	case errors.Is(err, classic.ErrNobody):
		return fmt.Errorf("nobody is there: no answer from %s for %s", s.named(s.remote[0].Players), seconds(s.timeout))
	case errors.Is(err, classic.ErrLost):
		return fmt.Errorf("lost %s: nothing new for %s", people(s.remote[0].Players), seconds(s.drop))
	}
	return err
}

func (s *seat) blameMismatch(e *session.MismatchError) error {
	who := people(e.Players)
	switch e.Item {
	case "game":
		return fmt.Errorf("%s plays another game: here %s, there %s", who, e.Ours, e.Theirs)
	case "build":
		return fmt.Errorf("%s has another build of the game: here %s, there %s", who, e.Ours, e.Theirs)
	case "place of the players":
		return fmt.Errorf("at the address of %s another player is playing: check --player, and the order of --peer", who)
	}
	return fmt.Errorf("%s cannot play with us: the %s differs: here %s, there %s", who, e.Item, e.Ours, e.Theirs)
}

// named names players with their addresses.
func (s *seat) named(set tickback.PlayerSet) string {
	text := people(set)
	if set.Len() != 1 {
		return text
	}
	for _, p := range s.remote {
		if p.Players == set {
			text += " at " + p.Addr.String()
		}
	}
	return text
}
