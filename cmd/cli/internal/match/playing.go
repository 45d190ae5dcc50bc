package match

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/terminal"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// playing is this machine's part of a match, for any game and protocol.
type playing interface {
	live.Running
	// result fills in what is known about the match.
	result(res *matchResult)
}

// playMatch plays a match, whose socket is open and has the given address, and then leaves. res gets
// everything that is known, even after an error.
func (a *family) playMatch(ctx context.Context, g Game, s *matchSetup, at netip.AddrPort, res *matchResult) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var m playing
	err := console.CatchPanic(func() (err error) { m, err = g.join(s); return err })
	if err != nil {
		return err
	}
	a.announce(s, at)
	if s.seat.bot == keyboard {
		title := fmt.Sprintf("%s   player %d of %d", s.seat.game.ID, s.seat.player+1, s.seat.players)
		screen, err := terminal.Open(a.App, title, s.seat.game.Keys+"; P pauses, Ctrl-C leaves", cancel)
		if err != nil {
			return errors.Join(err, m.Leave())
		}
		defer screen.Close()
		s.keys, s.log.Screen = screen.Keys, screen
	}
	s.log.Bar = console.NewProgress(a.Stderr, barTotal(s.terms.frames), "playing")
	defer s.log.Hide()

	err = console.CatchPanic(func() error { return s.log.Loop(ctx, m) })
	if told := console.CatchPanic(m.Leave); told != nil {
		err = errors.Join(err, told)
	}
	err = s.verdict(m, err, res)
	if res.ending.started {
		s.log.Say("%s", res.sentence())
	}
	return err
}

func barTotal(frames tickback.Frame) int64 {
	if frames == 0 {
		return -1
	}
	return int64(frames)
}

// verdict returns an error unless everything went well. err is the error that ended the loop.
func (s *matchSetup) verdict(m playing, err error, res *matchResult) error {
	if failed := console.CatchPanic(func() error { m.result(res); return nil }); failed != nil {
		return failed
	}
	l := s.log
	switch {
	case errors.Is(err, console.ErrInterrupted):
		res.Reason = "interrupted"
		return err
	case err != nil && !res.ending.over:
		res.Reason = s.reason(err)
		return s.explainError(err)
	case res.Health == "desynced":
		res.Reason = "desynced"
		return fmt.Errorf("desync: the players were not in the same states, from frame %d on at the latest: the game is not deterministic, or a build differs", l.DesyncAt)
	case res.complete():
		return nil
	case l.Lost != 0:
		res.Reason = "lost"
		return fmt.Errorf("lost %s after %d frames: %s", words.People(l.Lost), res.Frames, s.silence(l.Why))
	case res.ending.limit == 0:
		res.Reason = "left"
		return nil
	}
	res.Reason = "left"
	if l.Left == 0 { // everybody was still here when the match ended
		return fmt.Errorf("the match was ended after %d of %d frames", res.Frames, res.ending.limit)
	}
	return fmt.Errorf("%s left after %d of %d frames", words.People(l.Left), res.Frames, res.ending.limit)
}

// reason returns why a match ended early, in one word.
func (s *matchSetup) reason(err error) string {
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
	case s.log.Lost != 0 || errors.Is(err, classic.ErrLost):
		return "lost"
	}
	return "failed"
}
