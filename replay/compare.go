package replay

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// Comparison lists the differences between two recordings of one match.
type Comparison struct {
	// Header lists the differences of the headers about the match, each a line such as "seed: 1 != 2". Information
	// about the recordings themselves is not compared.
	Header []string
	// SameBody means that both are closed and complete, and their agreed bodies have the same digest. Then frames and
	// hashes were not compared one by one.
	SameBody bool
	// From and To are the range of frames that both recordings have: the first is From, the last To - 1. It may be
	// empty.
	From, To uint32
	// Frame is the first difference between agreed frames; nil if there is none.
	Frame *FrameDifference
	// Hash is the first hash that both recordings have and that differs; nil if there is none. Hashes is the number of
	// hashes that both have, up to there.
	Hash   *HashDifference
	Hashes uint32
	// End lists how the ends of the recordings differ, if both end with the same frame.
	End []string
	// DamageA and DamageB are the defects of the files. The comparison ends where frames cannot be read.
	DamageA, DamageB error
}

// FrameDifference is a frame that differs between two recordings.
type FrameDifference struct {
	Number uint32
	// What is the first of "inputs", "statuses", "orders" and "finish" that differs, and Player is the player concerned; a
	// finish has none.
	What   string
	Player int
	A, B   agreed.Frame // both frames; they belong to the caller
}

// HashDifference is a state with different hashes in two recordings: the states diverge
// there, or since the last equal hash.
type HashDifference struct {
	Good, State uint32 // as in a Mismatch
	A, B        tbr.Hash
}

// Same reports whether no difference was found in the match, in the frames that both have, in their hashes, and in the
// ends.
func (c *Comparison) Same() bool {
	return len(c.Header) == 0 && c.Frame == nil && c.Hash == nil && len(c.End) == 0 && c.DamageA == nil && c.DamageB == nil
}

// Compare finds the first difference between two recordings of one match. It returns an error if it cannot compare
// them: that of ctx, or because the inputs have different sizes.
func Compare(ctx context.Context, a, b *tbr.Reader) (*Comparison, error) {
	c := &Comparison{
		Header:  headerDifferences(a.Header(), b.Header()),
		DamageA: firstOf(a.Damage(), a.CheckChunks()), DamageB: firstOf(b.Damage(), b.CheckChunks()),
	}
	c.From, c.To = max(a.First(), b.First()), min(a.Next(), b.Next())
	c.To = max(c.From, c.To)
	endA, closedA := a.End()
	endB, closedB := b.End()
	if closedA && closedB && endA.Digest == endB.Digest && c.DamageA == nil && c.DamageB == nil {
		c.SameBody = true
		c.End = endDifferences(&endA, &endB)
		return c, nil
	}
	if x, y := a.Header().Shape, b.Header().Shape; x.Players != y.Players || x.InputSize != y.InputSize {
		return c, fmt.Errorf("replay: recordings of %d players with inputs of %d bytes and of %d players with %d have no frames to compare",
			x.Players, x.InputSize, y.Players, y.InputSize)
	}
	if err := c.frames(ctx, a, b); err != nil {
		return c, err
	}
	c.hashes(a, b)
	if closedA && closedB && endA.Next == endB.Next && c.Frame == nil {
		c.End = endDifferences(&endA, &endB)
	}
	return c, nil
}

// frames compares the frames that both have.
func (c *Comparison) frames(ctx context.Context, a, b *tbr.Reader) error {
	if c.From == c.To {
		return nil
	}
	x, err := a.Frames(c.From)
	if err != nil {
		c.DamageA = err
		return nil
	}
	y, err := b.Frames(c.From)
	if err != nil {
		c.DamageB = err
		return nil
	}
	for n := c.From; n < c.To; n++ {
		if n%stride == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		f, errA := x.Next()
		g, errB := y.Next()
		if errA != nil || errB != nil {
			c.To = n
			c.DamageA, c.DamageB = firstOf(readError(errA), c.DamageA), firstOf(readError(errB), c.DamageB)
			return nil
		}
		if c.Frame = frameDifference(f, g, a.Header().Shape.InputSize); c.Frame != nil {
			return nil
		}
	}
	return nil
}

// readError returns the error for a frame that should be in the recording but cannot be read.
func readError(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// hashes compares the hashes that both have.
func (c *Comparison) hashes(a, b *tbr.Reader) {
	nextA, stopA := iter.Pull2(a.Hashes(c.From))
	defer stopA()
	nextB, stopB := iter.Pull2(b.Hashes(c.From))
	defer stopB()
	good := c.From
	h, errA, okA := nextA()
	g, errB, okB := nextB()
	for okA && okB && errA == nil && errB == nil && h.State <= c.To && g.State <= c.To {
		switch {
		case h.State < g.State:
			h, errA, okA = nextA()
			continue
		case g.State < h.State:
			g, errB, okB = nextB()
			continue
		}
		c.Hashes++
		if bits := min(h.Bits, g.Bits); (h.Hash^g.Hash)<<(64-bits) != 0 {
			c.Hash = &HashDifference{good, h.State, h, g}
			return
		}
		good = h.State
		h, errA, okA = nextA()
		g, errB, okB = nextB()
	}
	c.DamageA, c.DamageB = firstOf(c.DamageA, errA), firstOf(c.DamageB, errB)
}
