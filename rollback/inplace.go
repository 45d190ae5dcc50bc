package rollback

import (
	"fmt"

	"github.com/tickback/tickback/canon"
)

// SaveInPlace returns a game that need not know how to save, restore, compare and hash itself: a
// [canon.Saver] does that, for whatever S leads to. The game gives Step, and New or Init, and the rest of
// what it has; Save, Restore, Equal and Slots are set here, and Hash with Slots.Hash if the game gives no Hash.
// The options say what is no state, or cannot be saved. An error is about these.
//
//	game, err := rollback.SaveInPlace(rollback.OwnMemory[Game, canon.Memento[Game], Input]{
//		New: newGame, Step: step,
//	}, canon.Leave("Game.window"))
//
// A state that cannot be saved ends the match with a [*canon.WalkError] that names the path.
// What is reached through package variables alone is not seen: keep it out of the step, or have S lead to it.
func SaveInPlace[S any, I comparable](game OwnMemory[S, canon.Memento[S], I], opts ...canon.SaverOption) (OwnMemory[S, canon.Memento[S], I], error) {
	v, err := canon.SaverFor[S](opts...)
	if err != nil {
		return game, fmt.Errorf("rollback: %w", err)
	}
	// What goes wrong is in the memento: see own.check. What the saver remembers of types, and the memory that it
	// uses meanwhile, are nothing of the state.
	//detlint:ignore closure as the sentence above says
	game.Save = func(s *S, slot *canon.Memento[S]) { _ = v.Save(s, slot) }
	//detlint:ignore closure as above
	game.Restore = func(s *S, slot *canon.Memento[S]) { _ = v.Restore(s, slot) }
	game.Equal = v.Equal
	game.Slots = Slots[canon.Memento[S]]{
		Size:    (*canon.Memento[S]).Size,
		Diff:    v.Diff,
		Release: (*canon.Memento[S]).Forget,
	}
	if game.Hash == nil {
		game.hash = v.Hash
		game.Hash = func(s *S) uint64 {
			h, _ := v.Hash(s) //detlint:ignore closure as above
			return h
		}
		game.Slots.Hash = (*canon.Memento[S]).Hash
	}
	return game, nil
}

// failing is a slot that can say that a state could not be saved in it, or brought back.
type failing interface{ Err() error }

// check asks a slot whether a state was saved in it, or restored from it, and returns the first error that
// there was, which ends the match.
func (m *own[S, V, I]) check(slot *V, what string) error {
	if m.failing && m.lost == nil {
		if err := any(slot).(failing).Err(); err != nil {
			m.lost = fmt.Errorf("rollback: a state cannot be %s: %w", what, err)
		}
	}
	return m.lost
}
