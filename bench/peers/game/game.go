// Package game has the games of the comparison, for the engine of Tickback. The programs in Rust have the same ones, and
// everything that is measured is measured only after the hashes of their states were equal in all libraries.
package game

import (
	"fmt"

	"github.com/tickback/tickback/bench/peers/held"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// Seed is that of the inputs and of the duel.
const Seed = 1

// Input is what a player does in a frame: buttons that it holds, which are those of the duel.
type Input = duel.Input

// Tiny is the state of a game that costs next to nothing: it adds up the inputs.
type Tiny struct{ Sum uint64 }

func tinyTick(s *Tiny, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		s.Sum = (s.Sum<<5 | s.Sum>>59) + uint64(t.Input(p))
	}
}

// Kib64, Mib1 and Mib16 are large states, of which a frame changes little: a count, and one word for each player.
type (
	Kib64 struct{ Words [64 << 10 / 8]uint64 }
	Mib1  struct{ Words [1 << 20 / 8]uint64 }
	Mib16 struct{ Words [16 << 20 / 8]uint64 }
)

func kib64Tick(s *Kib64, t *rollback.Tick[Input]) { large(s.Words[:], t) }

func mib1Tick(s *Mib1, t *rollback.Tick[Input]) { large(s.Words[:], t) }

func mib16Tick(s *Mib16, t *rollback.Tick[Input]) { large(s.Words[:], t) }

// large runs a frame of a large state.
func large(words []uint64, t *rollback.Tick[Input]) {
	words[0]++
	for p := range t.Players() {
		at := 1 + (words[0]*7919+uint64(p)*104729)%uint64(len(words)-1)
		words[at] += uint64(t.Input(p)) + 1
	}
}

// NewTiny, NewKib64, NewMib1 and NewMib16 return the games with these states.
func NewTiny() rollback.Game[Tiny, Input] { return rollback.Game[Tiny, Input]{Step: tinyTick} }

// NewKib64 returns the game with that state.
func NewKib64() rollback.Game[Kib64, Input] { return rollback.Game[Kib64, Input]{Step: kib64Tick} }

// NewMib1 returns the game with that state.
func NewMib1() rollback.Game[Mib1, Input] { return rollback.Game[Mib1, Input]{Step: mib1Tick} }

// NewMib16 returns the game with that state.
func NewMib16() rollback.Game[Mib16, Input] { return rollback.Game[Mib16, Input]{Step: mib16Tick} }

// NewDuel returns the duel. Nobody plays its effects, so it declares none.
func NewDuel() rollback.Game[duel.State, Input] {
	g, err := duel.Game(Seed)
	if err != nil {
		panic(err) // the seed is not 0
	}
	g.Effects = nil
	return g
}

// Hash runs a game without predictions, all players at once, and returns the hash of the state after so many frames:
// XXH3-64 of its canonical bytes.
func Hash[S any](g rollback.Game[S, Input], players, frames int) (uint64, error) {
	plan, err := canon.PlanFor[S]()
	if err != nil {
		return 0, fmt.Errorf("game: %w", err)
	}
	e, err := rollback.New(g, rollback.Config{Players: players, Local: rollback.PlayerSet(1<<players - 1)})
	if err != nil {
		return 0, fmt.Errorf("game: %w", err)
	}
	in := held.NewTable(Seed, players, frames)
	for f := range frames {
		for p := range players {
			if err := e.AddLocal(rollback.Player(p), Input(in.At(p, f)), nil); err != nil {
				return 0, fmt.Errorf("game: frame %d: %w", f, err)
			}
		}
		if err := e.Tick(); err != nil {
			return 0, fmt.Errorf("game: frame %d: %w", f, err)
		}
	}
	return plan.Hash(e.State()), nil
}
