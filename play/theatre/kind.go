package theatre

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/wire/rate"
)

// kind is a game whose recordings can be played.
type kind interface {
	// check returns an error for a match that the game does not support.
	check(h *tbr.Header) error
	// verifier returns the game for package replay; its step calls each.
	verifier(id string, each func()) (replay.Game, error)
	// scanner returns a player of a recording.
	scanner(id string, r *tbr.Reader) (player, error)
	mark(e *effects.Event) (Mark, bool)
	held(input []byte) Held
}

// player is a replay.Player of any game.
type player interface {
	Step() error
	At() rollback.Frame
	Gone() rollback.PlayerSet
	Effects() []effects.Event
	Checked() (compared uint64, wrong rollback.Frame)
}

// kindOf returns the game of a recording.
func kindOf(id string) (kind, bool) {
	switch id {
	case duel.ID, duel.RoundID:
		game, err := duel.Game(1)
		if id == duel.RoundID {
			game, err = duel.Round(1)
		}
		return &typed[duel.State, duel.Input]{
			game: plain(game), size: 2, most: 2, rate: duel.TicksPerSecond, marks: duelMark, keys: duelHeld,
			start: func(h *tbr.Header) (func(*duel.State), error) { return duel.Start(h.Seed) },
		}, err == nil
	case arena.ID:
		return &typed[arena.State, arena.Input]{
			game: plain(arena.Game(0)), size: 3, most: arena.MaxPlayers, rate: arena.TicksPerSecond, marks: arenaMark, keys: arenaHeld,
			start: func(h *tbr.Header) (func(*arena.State), error) { return arena.Start(h.Seed, h.Data) },
		}, true
	case tanks.ID:
		return &typed[tanks.State, tanks.Input]{
			game: plain(tanks.Game(0)), size: 4, most: tanks.MaxPlayers, rate: tanks.TicksPerSecond, marks: tanksMark, keys: tanksHeld,
			start: func(h *tbr.Header) (func(*tanks.State), error) { return tanks.Start(h.Seed, h.Data) },
		}, true
	case skirmish.ID:
		game, err := skirmish.New(skirmish.Usual, 0)
		return &typed[skirmish.World, skirmish.Input]{
			game: func(each func()) rollback.Definition[skirmish.World, skirmish.Input] {
				g := game
				g.Step = counted(game.Step, each)
				return g
			},
			most: skirmish.MaxPlayers, rate: skirmish.TicksPerSecond, marks: skirmishMark, keys: func([]byte) Held { return 0 },
			start: func(h *tbr.Header) (func(*skirmish.World), error) { return skirmish.Start(h.Seed, h.Data) },
		}, err == nil
	}
	return nil, false
}

// typed is a kind with its types.
type typed[S any, I comparable] struct {
	// game returns the game; its step calls each, unless that is nil.
	game  func(each func()) rollback.Definition[S, I]
	size  int // bytes per input
	most  int // the maximum number of players
	rate  int // frames per second
	start func(h *tbr.Header) (func(*S), error)
	marks func(e *effects.Event) (Mark, bool)
	keys  func(input []byte) Held
}

// plain returns the game function for a game whose state is plain.
func plain[S any, I comparable](game rollback.Game[S, I]) func(each func()) rollback.Definition[S, I] {
	return func(each func()) rollback.Definition[S, I] {
		g := game
		g.Step = counted(game.Step, each)
		return g
	}
}

// counted returns a step that first calls each, unless that is nil.
func counted[S any, I comparable](step func(*S, *rollback.Tick[I]), each func()) func(*S, *rollback.Tick[I]) {
	if each == nil {
		return step
	}
	return func(s *S, t *rollback.Tick[I]) {
		each()
		step(s, t)
	}
}

func (k *typed[S, I]) check(h *tbr.Header) error {
	if h.Shape.Players < 2 || h.Shape.Players > k.most {
		return fmt.Errorf("%w: %d players; %q has 2 to %d", ErrShape, h.Shape.Players, h.Game, k.most)
	}
	if h.Shape.InputSize != k.size {
		return fmt.Errorf("%w: inputs of %d bytes; those of %q have %d", ErrShape, h.Shape.InputSize, h.Game, k.size)
	}
	if h.TickRate != k.rate || h.Rate.Given() {
		return fmt.Errorf("%w: %s frames a second, want %d", ErrShape, rate.Text(h.TickRate, h.Rate), k.rate)
	}
	_, err := k.start(h)
	return err
}

func (k *typed[S, I]) verifier(id string, each func()) (replay.Game, error) {
	return replay.Of(id, "", k.game(each), k.start)
}

func (k *typed[S, I]) scanner(id string, r *tbr.Reader) (player, error) {
	return replay.NewPlayer(k.game(nil), r, replay.PlayerOptions[S]{Game: id, Start: k.start, Cache: -1})
}

func (k *typed[S, I]) mark(e *effects.Event) (Mark, bool) { return k.marks(e) }
func (k *typed[S, I]) held(input []byte) Held             { return k.keys(input) }

// Replay plays a file as a session, by a clock. S and I are the types of its game.
func Replay[S any, I comparable](f *File, o tickback.ReplayOptions[S, I]) (*tickback.Replayer[S, I], error) {
	k, ok := f.kind.(*typed[S, I])
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrGame, f.Header().Game)
	}
	o.GameID = f.Header().Game
	o.Start = func(tickback.Parameters) (func(*S), error) { return k.start(f.Header()) }
	return tickback.Replay(k.game(nil), f.source(), int64(len(f.bytes)), o)
}
