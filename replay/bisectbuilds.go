package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/tickback/tickback/canon"
)

// Split says where two builds that play the same recording diverge.
type Split struct {
	Found bool // whether they diverge at all
	// State is the first state that differs: its hashes are not equal.
	State        uint32
	HashA, HashB uint64
	// Step says whether a step led to State, that of frame State - 1: the state before is still the same. Otherwise
	// the recording begins with State.
	Step bool
	// Fields are the differing fields, under the names that the builds give them. It is empty if neither build shows
	// the part that differs.
	Fields canon.Report

	// Frames is how many frames both builds simulated.
	Frames uint32
	// ResultA and ResultB say how the match finished, if all states are the same.
	ResultA, ResultB Result
}

// ErrOtherRecording means that the two builds play different recordings.
var ErrOtherRecording = errors.New("replay: the builds do not play the same recording")

// BisectBuilds finds the exact first state in which two builds of a game differ, and at most that many of its differing
// fields. Both builds simulate the recording once, up to that state. They are first compared by hashes over many
// states, then by the hash of each state. progress, if given, gets the number of frames done.
func BisectBuilds(ctx context.Context, a, b Build, most int, progress func(frames uint32)) (*Split, error) {
	first, second := a.About(), b.About()
	if first.First != second.First || first.Next != second.Next || first.Game != second.Game {
		return nil, fmt.Errorf("%w: frames %d to %d of %q, and %d to %d of %q", ErrOtherRecording,
			first.First, first.Next, first.Game, second.First, second.Next, second.Game)
	}
	s := &Split{}
	for at := first.First; ; {
		// First, compare only the state with which the recording begins.
		chainA, chainB, err := both(
			func() (uint64, error) { return a.Advance(ctx, at) },
			func() (uint64, error) { return b.Advance(ctx, at) })
		if err != nil {
			return nil, err
		}
		s.Frames = at - first.First
		if progress != nil {
			progress(s.Frames)
		}
		if chainA != chainB {
			return s, s.narrow(ctx, a, b, at, most)
		}
		if at >= first.Next {
			break
		}
		at += min(MaxAdvance, first.Next-at)
	}
	var err error
	s.ResultA, s.ResultB, err = both(
		func() (Result, error) { return a.Result(ctx) },
		func() (Result, error) { return b.Result(ctx) })
	return s, err
}

// narrow finds the first state that differs, among those up to state end.
func (s *Split) narrow(ctx context.Context, a, b Build, end uint32, most int) error {
	hashesA, hashesB, err := both(
		func() ([]uint64, error) { return a.Hashes(ctx) },
		func() ([]uint64, error) { return b.Hashes(ctx) })
	if err != nil {
		return err
	}
	n := len(hashesA)
	if n != len(hashesB) || n == 0 || uint32(n) > end+1 {
		return fmt.Errorf("replay: the builds report %d and %d states", n, len(hashesB))
	}
	i := 0
	for i < n && hashesA[i] == hashesB[i] {
		i++
	}
	if i == n {
		return errors.New("replay: the chains of the builds differ, and their hashes do not")
	}
	s.Found, s.State = true, end-uint32(n-1-i)
	s.HashA, s.HashB = hashesA[i], hashesB[i]
	s.Step = s.State > a.About().First
	viewA, viewB, err := both(
		func() (*View, error) { return a.State(ctx, s.State) },
		func() (*View, error) { return b.State(ctx, s.State) })
	if err != nil {
		return err
	}
	if viewA.Hash != s.HashA || viewB.Hash != s.HashB {
		return fmt.Errorf("replay: state %d did not come out the same a second time: the game is not deterministic", s.State)
	}
	s.Fields = canon.DiffTexts(viewA.Text, viewB.Text, most)
	return nil
}

// both runs two calls in parallel. If both fail, it returns the error of the first.
func both[T any](first, second func() (T, error)) (a, b T, err error) {
	done := make(chan error, 1)
	go func() {
		done <- Survive(func() (err error) {
			b, err = second()
			return err
		})
	}()
	err = Survive(func() (err error) {
		a, err = first()
		return err
	})
	return a, b, errors.Join(err, <-done)
}
