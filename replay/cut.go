package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tickback/tickback/replay/tbr"
)

// Reasons why recordings cannot be cut or joined.
var (
	// ErrNothing means that the requested part has no frames.
	ErrNothing = errors.New("replay: no frame is left")
	// ErrNeedsGame means that a state or a hash is needed that is not recorded, but the game is not given, or cannot read
	// states.
	ErrNeedsGame = errors.New("replay: the game is needed to simulate what is not recorded")
	// ErrNotReproduced means that this build does not reproduce the recorded hashes, so it cannot compute what is
	// missing in the recording.
	ErrNotReproduced = errors.New("replay: this build does not reproduce the recording")
	// ErrOtherMatch means that the recordings are not of the same match.
	ErrOtherMatch = errors.New("replay: the recordings are not of the same match")
	// ErrHole means that frames between two recordings are missing.
	ErrHole = errors.New("replay: frames are missing between the recordings")
)

// Cut writes the frames of a recording from from to before to as a separate recording. Hashes and keyframes are the
// recorded ones. If the part begins with a frame without a keyframe, or ends within a block, a state or a hash has to
// be simulated from the keyframe before it. That needs the game, which may otherwise be nil. Optional chunks are left
// out.
func Cut(ctx context.Context, w io.Writer, r *tbr.Reader, g Game, from, to uint32) error {
	return splice(ctx, w, []*tbr.Reader{r}, g, from, to)
}

// Join writes one recording made of several that are parts of one match. The parts may be in any order; they must touch
// or overlap, and have the same frames and hashes where they overlap. The game is needed only where parts meet at a
// hash that none of them has; it may be nil. Optional chunks are left out.
func Join(ctx context.Context, w io.Writer, parts []*tbr.Reader, g Game) error {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b *tbr.Reader) int {
		if a.First() != b.First() {
			return int(int64(a.First()) - int64(b.First()))
		}
		return int(int64(b.Next()) - int64(a.Next()))
	})
	if len(parts) == 0 {
		return ErrNothing
	}
	kept := parts[:1]
	for _, p := range parts[1:] {
		last := kept[len(kept)-1]
		if p.First() > last.Next() {
			return fmt.Errorf("%w: %d to %d", ErrHole, last.Next(), p.First()-1)
		}
		c, err := Compare(ctx, last, p)
		switch {
		case err != nil:
			return err
		case len(c.Header) > 0:
			return fmt.Errorf("%w: %s", ErrOtherMatch, c.Header[0])
		case c.Frame != nil:
			return fmt.Errorf("%w: the %s of frame %d are not the same", ErrOtherMatch, c.Frame.What, c.Frame.Number)
		case c.Hash != nil:
			return fmt.Errorf("%w: the hash of state %d is not the same", ErrOtherMatch, c.Hash.State)
		}
		if p.Next() > last.Next() {
			kept = append(kept, p)
		}
	}
	return splice(ctx, w, kept, g, kept[0].First(), kept[len(kept)-1].Next())
}
