package rollback

import (
	"fmt"

	"github.com/tickback/tickback/canon"
)

// SaveInPlace completes a game that cannot save, restore, compare and hash itself: a [canon.Saver] does that, for
// everything reachable from S. The game provides Step, and New or Init, and whatever else it has. SaveInPlace sets
// Save, Restore, Equal and Slots, and also Hash and Slots.Hash if the game has no Hash. The options say what is not
// part of the state, or cannot be saved. Errors are about the options.
//
// With the option [canon.Encoded] states are encoded, too, unless the game has Marshal: relative to state 0, which all
// machines have; see [canon.Origin]. So late joiners and spectators begin with a state instead of frame 0, recordings
// have states to seek to, and a server can own the match. tickbacktest.Check tries it.
//
//	game, err := rollback.SaveInPlace(rollback.OwnMemory[Game, canon.Memento[Game], Input]{
//		New: newGame, Step: step,
//	}, canon.Leave("Game.window"))
//
// A state that cannot be saved ends the match with a [*canon.WalkError] that names the path. Data reachable only
// through package variables is not seen: keep it out of the step, or make it reachable from S.
func SaveInPlace[S any, I comparable](game OwnMemory[S, canon.Memento[S], I], opts ...canon.SaverOption) (OwnMemory[S, canon.Memento[S], I], error) {
	v, err := canon.SaverFor[S](opts...)
	if err != nil {
		return game, fmt.Errorf("rollback: %w", err)
	}
	// Errors are kept in the memento: see own.check. What the saver remembers about types, and the memory that it uses in
	// the meantime, are not part of the state.
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
	if v.Encodes() && game.Marshal == nil {
		game.origin = func(s *S) (e encoder[S, canon.Memento[S]], err error) {
			o, err := v.Origin(s)
			if err == nil {
				e = encoder[S, canon.Memento[S]]{o.Marshal, o.MarshalSaved, o.Unmarshal}
			}
			return e, err
		}
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

// failing is a slot that can report that a state could not be saved in it or restored from it.
type failing interface{ Err() error }

// check asks a slot whether saving a state in it or restoring one from it failed, and returns the first such error,
// which ends the match.
func (m *own[S, V, I]) check(slot *V, what string) error {
	if m.failing && m.lost == nil {
		if err := any(slot).(failing).Err(); err != nil {
			m.lost = fmt.Errorf("rollback: a state cannot be %s: %w", what, err)
		}
	}
	return m.lost
}
