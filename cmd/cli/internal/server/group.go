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
	"github.com/tickback/tickback/session/admission"
)

// playing is a client of any game.
type playing interface {
	live.Running
	// result fills in what is known about the match. ended means that it is over, and finished that the game has ended
	// it.
	result(res *clientResult) (ended, finished bool)
	// desyncAt returns the number of the state that differed from the server's, if there was one.
	desyncAt() tickback.Frame
}

// one is one client of a group, with how it ended.
type one struct {
	playing
	setup  *clientSetup
	result *clientResult
	over   bool
	err    error // the error of the session
	why    error // the reason why it ended early, for people

	ended, finished bool // how the match ended
}

// group runs all clients of a process as if they were one.
type group struct{ list []*one }

// Turn runs the clients that are not over. The group is over when all of them are.
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

// Rest waits. With several clients it cannot know which one has something to do next.
func (g *group) Rest(d time.Duration) {
	if len(g.list) == 1 {
		g.list[0].Rest(d)
		return
	}
	time.Sleep(min(d, 2*time.Millisecond))
}

// Frames returns the frames of the first client.
func (g *group) Frames() tickback.Frame { return g.list[0].Frames() }

// Picture returns the picture of the first client.
func (g *group) Picture() []string { return g.list[0].Picture() }

// Leave closes the clients one after the other, all of them even if some fail, and joins their errors.
func (g *group) Leave() error {
	var errs []error
	for _, m := range g.list {
		errs = append(errs, m.playing.Leave())
	}
	return errors.Join(errs...)
}

// explainError says why clients ended early: each reason once, with the number of clients concerned.
func (g *group) explainError() error {
	if len(g.list) == 1 {
		return g.list[0].why
	}
	var reasons []string
	count := map[string]int{}
	for _, m := range g.list {
		if m.why == nil {
			continue
		}
		m.result.Error = console.ErrorText(m.why)
		if count[m.result.Error]++; count[m.result.Error] == 1 {
			reasons = append(reasons, m.result.Error)
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	for i, text := range reasons {
		reasons[i] = fmt.Sprintf("%d of %d: %s", count[text], len(g.list), text)
	}
	return errors.New(strings.Join(reasons, "; "))
}

// verdict returns an error unless everything went well for a client.
func (m *one) verdict(interrupted bool) error {
	res := m.result
	switch {
	case interrupted && !m.over:
		res.Reason = "interrupted"
		return console.ErrInterrupted
	case m.err != nil && !m.ended:
		return m.explainError()
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

// explainError rewords the error of a client for people.
func (m *one) explainError() error {
	var (
		bye     *tickback.ByeError
		token   *tickback.TokenError
		lost    *tickback.ServerLostError
		differs *tickback.MismatchError
		s       = m.setup
	)
	switch {
	case errors.As(m.err, &bye):
		m.result.Reason = "refused"
		if m.result.begun() {
			m.result.Reason = "lost"
		}
		return fmt.Errorf("the server %s says: %s", s.where, bye.Reason)
	case errors.As(m.err, &token):
		m.result.Reason = "refused"
		return fmt.Errorf("the server %s does not let us in: %w (see --token)", s.where, token)
	case errors.As(m.err, &lost):
		m.result.Reason = "lost"
		if !m.result.begun() {
			m.result.Reason = "failed"
			return fmt.Errorf("nobody is there: no answer from the server %s for %s", s.where, words.Seconds(lost.Long))
		}
		return fmt.Errorf("lost the server %s: silent for %s", s.where, words.Seconds(lost.Long))
	case errors.As(m.err, &differs):
		m.result.Reason = "refused"
		return explainMismatch(differs)
	}
	return m.err
}

func explainMismatch(e *tickback.MismatchError) error {
	switch e.Item {
	case admission.ItemGame:
		return fmt.Errorf("the server has another game: here %s, there %s", e.Ours, e.Theirs)
	case admission.ItemBuild:
		return fmt.Errorf("the server has another build of the game: here %s, there %s", e.Ours, e.Theirs)
	case admission.ItemPlayers:
		return fmt.Errorf("the server has %s places: give --players %s", e.Theirs, e.Theirs)
	case admission.ItemSight:
		kind := sightFull
		if e.Theirs == "given" {
			kind = sightPartial
		}
		return fmt.Errorf("the server has the other kind of --sight: give --sight %s", kind)
	case "kind of match":
		return fmt.Errorf("there is %s, and no server: see spectate and match --join", e.Theirs)
	}
	return fmt.Errorf("the server cannot play with us: the %s differs: here %s, there %s", e.Item, e.Ours, e.Theirs)
}
