package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic"
)

// playing is this machine's part of a match, whatever the game and the protocol.
type playing interface {
	running
	// result fills in what is known of the match.
	result(res *matchResult)
}

// playMatch plays at a seat that is connected, and leaves. The result has what is
// known, also with an error.
func (a *matchFamily) playMatch(ctx context.Context, g matchGame, s *seat, res *matchResult) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.bot == keyboard {
		title := fmt.Sprintf("%s   player %d of %d", s.game.id, s.player+1, s.players)
		screen, err := openScreen(a.app, title, s.game.keys+"; P pauses, Ctrl-C leaves", cancel)
		if err != nil {
			return err
		}
		defer screen.close()
		s.keys, s.log.screen = screen.keys, screen
	}
	s.log.bar = newProgress(a.stderr, barTotal(s.frames), "playing")
	defer s.log.hide()

	var m playing
	err := survive(func() (err error) {
		if m, err = g.join(s); err == nil {
			err = s.log.loop(ctx, m)
		}
		return err
	})
	if m == nil {
		return err
	}
	if told := survive(m.leave); told != nil {
		err = errors.Join(err, told)
	}
	err = s.verdict(m, err, res)
	if res.started {
		s.log.say("%s", res.sentence())
	}
	return err
}

func barTotal(frames tickback.Frame) int64 {
	if frames == 0 {
		return -1
	}
	return int64(frames)
}

// verdict says whether all went well, from how the loop ended.
func (s *seat) verdict(m playing, err error, res *matchResult) error {
	if failed := survive(func() error { m.result(res); return nil }); failed != nil {
		return failed
	}
	l := s.log
	switch {
	case errors.Is(err, errInterrupted):
		res.Reason = "interrupted"
		return err
	case err != nil && !res.over:
		res.Reason = s.reason(err)
		return s.blame(err)
	case res.Health == "desynced":
		res.Reason = "desynced"
		return fmt.Errorf("desync: the players were not in the same states, from frame %d on at the latest: the game is not deterministic, or a build differs", l.desyncAt)
	case res.complete():
		return nil
	case l.lost != 0:
		res.Reason = "lost"
		return fmt.Errorf("lost %s after %d frames: %s", people(l.lost), res.Frames, s.silence(l.why))
	case res.limit == 0:
		res.Reason = "left"
		return nil
	}
	res.Reason = "left"
	return fmt.Errorf("%s left after %d of %d frames", people(l.left), res.Frames, res.limit)
}

// reason is why a match ended early, in a word.
func (s *seat) reason(err error) string {
	var (
		removed *tickback.RemovedError
		quorum  *tickback.QuorumError
	)
	switch {
	case errors.As(err, &removed) && removed.Kicked:
		return "kicked"
	case errors.As(err, &removed):
		return "removed"
	case errors.As(err, &quorum):
		return "quorum"
	case s.log.lost != 0 || errors.Is(err, classic.ErrLost):
		return "lost"
	}
	return "failed"
}
