package theatre

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// kind is a game whose recordings can be played.
type kind interface {
	// check rejects a match that the game does not have.
	check(h *tbr.Header) error
	// verifier returns the game for package replay; its step calls each.
	verifier(id string, each func()) (replay.Game, error)
	// scanner returns a player of a recording.
	scanner(id string, r *tbr.Reader) (player, error)
	mark(e *effects.Event) (Mark, bool)
	held(input []byte) Held
}

// player is a replay.Player of either game.
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
			game: game, size: 2, most: 2, marks: duelMark, keys: duelHeld,
			start: func(h *tbr.Header) (func(*duel.State), error) { return duel.Start(h.Seed) },
		}, err == nil
	case arena.ID:
		return &typed[arena.State, arena.Input]{
			game: arena.Game(0), size: 3, most: arena.MaxPlayers, marks: arenaMark, keys: arenaHeld,
			start: func(h *tbr.Header) (func(*arena.State), error) { return arena.Start(h.Seed, h.Data) },
		}, true
	}
	return nil, false
}

// typed is a kind with its types.
type typed[S any, I comparable] struct {
	game  rollback.Game[S, I]
	size  int // bytes of an input
	most  int // players
	start func(h *tbr.Header) (func(*S), error)
	marks func(e *effects.Event) (Mark, bool)
	keys  func(input []byte) Held
}

func (k *typed[S, I]) check(h *tbr.Header) error {
	if h.Shape.Players < 2 || h.Shape.Players > k.most {
		return fmt.Errorf("%w: %d players; %q has 2 to %d", ErrShape, h.Shape.Players, h.Game, k.most)
	}
	if h.Shape.InputSize != k.size {
		return fmt.Errorf("%w: inputs of %d bytes; those of %q have %d", ErrShape, h.Shape.InputSize, h.Game, k.size)
	}
	if h.TickRate != duel.TicksPerSecond { // the arena's too
		return fmt.Errorf("%w: %d frames a second, want %d", ErrShape, h.TickRate, duel.TicksPerSecond)
	}
	_, err := k.start(h)
	return err
}

func (k *typed[S, I]) verifier(id string, each func()) (replay.Game, error) {
	game := k.game
	game.Step = func(s *S, t *rollback.Tick[I]) {
		each()
		k.game.Step(s, t)
	}
	return replay.Of(id, "", game, k.start)
}

func (k *typed[S, I]) scanner(id string, r *tbr.Reader) (player, error) {
	return replay.NewPlayer(k.game, r, replay.PlayerOptions[S]{Game: id, Start: k.start, Cache: -1})
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
	return tickback.Replay(k.game, f.source(), int64(len(f.bytes)), o)
}
