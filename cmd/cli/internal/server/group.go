package server

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// playing is a client, whatever the game.
type playing interface {
	live.Running
	// result fills in what is known of the match. ended says that it is over, and finished that
	// the game has ended it.
	result(res *clientResult) (ended, finished bool)
	// desyncAt is where the states differed from the server's, if they did.
	desyncAt() tickback.Frame
}

// one is a client of a group, and how it ended.
type one struct {
	playing
	seat   *seat
	result *clientResult
	over   bool
	err    error

	ended, finished bool // the match
}

// group is all clients of a process, as one that runs.
type group struct{ list []*one }

// Turn runs those that are not over. All of them are over at the end.
func (g *group) Turn() (wait time.Duration, over bool, err error) {
	wait, over = time.Second, true
	for _, m := range g.list {
		if m.over {
			continue
		}
		w, done, err := m.playing.Turn()
		m.over, m.err = done || err != nil, err
		if over = over && m.over; !m.over {
			wait = min(wait, w)
		}
	}
	return wait, over, nil
}

// Rest waits; of several clients any can be next.
func (g *group) Rest(d time.Duration) {
	if len(g.list) == 1 {
		g.list[0].Rest(d)
		return
	}
	time.Sleep(min(d, 2*time.Millisecond))
}

func (g *group) Frames() tickback.Frame { return g.list[0].Frames() }

func (g *group) Picture() []string { return g.list[0].Picture() }

func (g *group) Leave() error {
	var errs []error
	for _, m := range g.list {
		errs = append(errs, m.playing.Leave())
	}
	return errors.Join(errs...)
}

// verdict says whether all went well for a client.
func (m *one) verdict(interrupted bool) error {
	res := m.result
	switch {
	case interrupted && !m.over:
		res.Reason = "interrupted"
		return console.ErrInterrupted
	case m.err != nil && !m.ended:
		return m.blame()
	case res.Health == "desynced":
		res.Reason = "desynced"
		return fmt.Errorf("desync: our state was not the server's, by frame %d at the latest: the game is not deterministic, or a build differs", m.desyncAt())
	case m.finished:
		res.Reason = "finished"
	default:
		res.Reason = "length"
	}
	return nil
}

// blame puts an error of a client into words.
func (m *one) blame() error {
	var (
		bye     *tickback.ByeError
		lost    *tickback.ServerLostError
		differs *tickback.MismatchError
		s       = m.seat
	)
	switch {
	case errors.As(m.err, &bye):
		m.result.Reason = "refused"
		if m.result.begun() {
			m.result.Reason = "lost"
		}
		if strings.Contains(bye.Reason, "token") {
			return fmt.Errorf("the server %v does not let us in: %s (see --token)", s.server, bye.Reason)
		}
		return fmt.Errorf("the server %v says: %s", s.server, bye.Reason)
	case errors.As(m.err, &lost):
		m.result.Reason = "lost"
		if !m.result.begun() {
			m.result.Reason = "failed"
			return fmt.Errorf("nobody is there: no answer from the server %v for %s", s.server, words.Seconds(lost.Long))
		}
		return fmt.Errorf("lost the server %v: silent for %s", s.server, words.Seconds(lost.Long))
	case errors.As(m.err, &differs):
		m.result.Reason = "refused"
		return blameMismatch(differs)
	}
	return m.err
}

func blameMismatch(e *tickback.MismatchError) error {
	switch {
	case e.Item == "game":
		return fmt.Errorf("the server has another game: here %s, there %s", e.Ours, e.Theirs)
	case e.Item == "build":
		return fmt.Errorf("the server has another build of the game: here %s, there %s", e.Ours, e.Theirs)
	case e.Item == "number of players":
		return fmt.Errorf("the server has %s places: give --players %s", e.Theirs, e.Theirs)
	case strings.HasPrefix(e.Item, "kind of match"):
		return errors.New("the server has the other kind of --sight, or is none: full and partial cannot play together")
	}
	return fmt.Errorf("the server cannot play with us: the %s differs: here %s, there %s", e.Item, e.Ours, e.Theirs)
}
