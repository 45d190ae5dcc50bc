package hall

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/admission"
)

// Short names of the types of the tanks.
type (
	client  = tickback.Client[tanks.State, tanks.Input]
	options = tickback.ClientOptions[tanks.State, tanks.Input]
)

// clientView is our place in a match that a server owns: a client, and the stage that shows it.
type clientView struct {
	app   *app.App
	stage *app.TanksStage
	// connect opens a client with these options, using the connection to the server.
	connect func(o options) (*client, error)
	client  *client
	held    controls.Action

	players int  // places, as the server has them
	partial bool // the server only sends what we may know
	retry   foyer.Retry
	closing foyer.Leaving    // a client that is being left
	overAt  time.Time        // when the match was over; zero before
	begun   bool             // the match was shown
	placed  bool             // we have had a place in it
	seed    uint64           // the seed of the bot that plays if no person does
	tape    *recordings.Tape // the recording of the match; nil if there is none
	taped   bool             // recording the match has begun, or is not possible
	apart   apart
}

// apart says whether this machine has computed a different state from the server's, and the first tick in which it
// did.
type apart struct {
	is   bool
	from tickback.Frame
}

// note records the first desync, by which this machine's state came to differ from the server's.
func (a *apart) note(events []tickback.Event) {
	for _, e := range events {
		if e.What == tickback.Desync && !a.is {
			*a = apart{true, e.Frame}
		}
	}
}

// maxTries is the maximum number of times that a client starts again after it has adopted the server's description of
// the match; see adapt.
const maxTries = 3

func newClientView(a *app.App, connect func(o options) (*client, error)) *clientView {
	return &clientView{app: a, stage: app.NewTanksStage(a, 0), connect: connect, players: tanks.MaxPlayers, seed: uint64(a.NextSeed())}
}

// options returns the options of our client.
func (s *clientView) options(build string) options {
	o := options{
		Players: s.players, GameID: tanks.ID, Build: build, TickRate: tanks.TicksPerSecond, Start: app.StartTanks,
		Sample: s.sample,
	}
	if s.partial {
		o.Sight = func(st *tanks.State, p rollback.Player) rollback.PlayerSet { return tanks.Sight(st, p) }
	}
	return o
}

// sample returns our player's current input.
func (s *clientView) sample(p tickback.Player) tanks.Input {
	v := s.client.View()
	if s.app.Auto {
		return tanks.Bot{Seed: s.seed, Mood: tanks.Busy, Seen: uint8(min(max(v.Seen, 0), tanks.Rewind))}.Input(p, v.Frame, v.Current)
	}
	return app.TanksInput(s.held, v.Seen)
}

// follow opens a client if there is none, and leaves a match that is over. wanted says that there is a match in which
// we should take part. An error ends our stay.
func (s *clientView) follow(now time.Time, build string, wanted bool) error {
	switch {
	case !s.closing.Over(): // one at a time
	case s.client == nil && wanted && s.retry.Due(now):
		return s.open(now, build)
	case s.client != nil && !s.overAt.IsZero() && now.Sub(s.overAt) > foyer.Settle:
		s.retire()
	}
	return nil
}

func (s *clientView) open(now time.Time, build string) error {
	c, err := s.connect(s.options(build))
	switch {
	case err == nil:
	case foyer.NotYet(err):
		s.retry.At(now.Add(foyer.RetryEvery)) // later news from the room may change this
		return nil
	default:
		return err
	}
	s.client, s.overAt, s.begun = c, time.Time{}, true
	s.tape, s.taped, s.apart = nil, false, apart{}
	s.stage.Begin(s.app, c)
	return nil
}

// plays reports whether there is a client that is not over.
func (s *clientView) plays() bool { return s.client != nil && s.overAt.IsZero() }

// player returns our player, or -1.
func (s *clientView) player() int {
	if s.client != nil {
		if p, ok := s.client.Player(); ok {
			return int(p)
		}
	}
	return -1
}

// hold sets what our player holds, and name how the players are called.
func (s *clientView) hold(held controls.Action)           { s.held = held }
func (s *clientView) name(names [tanks.MaxPlayers]string) { s.stage.Names = names }

// retryAt sets when to open the next client.
func (s *clientView) retryAt(t time.Time) { s.retry.At(t) }

// after handles the result of an update. It reports whether the server was restarted. An error that it returns ends
// our stay.
func (s *clientView) after(now time.Time, err error) (restarted bool, fatal error) {
	if s.client == nil {
		return false, nil
	}
	events := s.client.Events()
	s.apart.note(events)
	restarted = slices.ContainsFunc(events, func(e tickback.Event) bool { return e.What == tickback.Restarted })
	if restarted {
		s.tape, s.taped, s.apart = nil, false, apart{} // another match begins, at a server that does not know the previous one
		s.stage.Jumped()
	}
	if p := s.player(); p >= 0 {
		s.placed = true
		s.stage.SetMine(tickback.SetOf(tickback.Player(p)))
		s.record()
	}
	if _, over := s.client.Outcome(); over && !s.client.View().Running {
		if s.overAt.IsZero() {
			s.overAt = now
			s.retry.Forget()
		}
		return restarted, nil
	}
	if err == nil {
		return restarted, nil
	}
	again := s.adapt(err)
	s.retire()
	switch {
	case again:
		s.retry.At(now)
		return restarted, nil
	case errors.Is(err, tickback.ErrClosed): // the page was left, and the browser has restored it
		s.retry.At(now.Add(foyer.RetryEvery))
		return restarted, nil
	}
	return restarted, err
}

// record records the match from here on, unless the server only sends what we may know. Names that become known later
// are added.
func (s *clientView) record() {
	if !s.taped {
		s.taped = true
		tape, o := s.app.Record(recordings.About("server", s.stage.Names[:]))
		if s.client.Record(tape, o) != nil {
			tape.Drop()
			return
		}
		s.tape = tape
	}
	if s.tape != nil && s.overAt.IsZero() {
		s.tape.Call(s.stage.Names)
	}
}

// adapt adopts the server's description of its match, and reports whether to try again with it.
func (s *clientView) adapt(err error) bool {
	var other *tickback.MismatchError
	if !errors.As(err, &other) || !s.retry.Again(maxTries) {
		return false
	}
	switch {
	case other.Item == admission.ItemPlayers:
		n, err := strconv.Atoi(other.Theirs)
		if err != nil || n < 1 || n > tanks.MaxPlayers {
			return false
		}
		s.players = n
		return true
	case other.Item == admission.ItemSight:
		s.partial = !s.partial
		return true
	}
	return false
}

// retire leaves the match, and keeps its last picture. That may take a second, and happens in the background.
func (s *clientView) retire() {
	if s.client == nil {
		return
	}
	old := s.client
	s.stage.Keep(foyer.Still(tickback.Session[tanks.State](old), foyer.Copy))
	s.stage.Quiet()
	s.client = nil
	s.closing.Start(func() { _ = old.Close() }) // nothing can be done about an error
}
