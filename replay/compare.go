package replay

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// Comparison is how two recordings of one match differ.
type Comparison struct {
	// Header is what the headers say differently of the match, each a line such as
	// "seed: 1 != 2". Of what recordings say of themselves nothing is compared.
	Header []string
	// SameBody: both are closed, and their agreed bodies have the same digest. Then
	// nothing else was looked at.
	SameBody bool
	// From and To are the frames that both have: From, before To. They may be none.
	From, To uint32
	// Frame is the first difference in what was agreed; nil if there is none.
	Frame *FrameDifference
	// Hash is the first hash that both have and that is not the same; nil if there is
	// none. Hashes is how many both have, up to there.
	Hash   *HashDifference
	Hashes uint32
	// End is what the ends say differently, if both end with the same frame.
	End []string
	// DamageA and DamageB are why frames could not be read: there the comparison ends.
	DamageA, DamageB error
}

// FrameDifference is a frame that two recordings have differently.
type FrameDifference struct {
	Number uint32
	// What is "inputs", "statuses", "orders" or "finish", the first of them that differs,
	// and Player whose; of a finish nobody's.
	What   string
	Player int
	A, B   agreed.Frame // both frames; they are the caller's
}

// HashDifference is a state of which two recordings have different hashes: it, or one
// since the last that was the same, is where the states part.
type HashDifference struct {
	Good, State uint32 // as in a Mismatch
	A, B        tbr.Hash
}

// Same reports whether no difference was found: in the match, in the frames that both
// have, in their hashes, nor in the ends.
func (c *Comparison) Same() bool {
	return len(c.Header) == 0 && c.Frame == nil && c.Hash == nil && len(c.End) == 0 && c.DamageA == nil && c.DamageB == nil
}

// Compare finds the first difference of two recordings of one match. The error is one
// that keeps it from doing so: that of ctx, or inputs of different sizes.
func Compare(ctx context.Context, a, b *tbr.Reader) (*Comparison, error) {
	c := &Comparison{Header: headerDifferences(a.Header(), b.Header()), DamageA: a.Damage(), DamageB: b.Damage()}
	c.From, c.To = max(a.First(), b.First()), min(a.Next(), b.Next())
	c.To = max(c.From, c.To)
	endA, closedA := a.End()
	endB, closedB := b.End()
	if closedA && closedB && endA.Digest == endB.Digest {
		c.SameBody = true
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

// headerDifferences compares what is agreed of a match.
func headerDifferences(a, b *tbr.Header) (list []string) {
	add := func(name string, x, y any) {
		if x != y {
			list = append(list, fmt.Sprintf("%s: %v != %v", name, x, y))
		}
	}
	add("game", a.Game, b.Game)
	add("players", a.Shape.Players, b.Shape.Players)
	add("bytes of inputs", a.Shape.InputSize, b.Shape.InputSize)
	add("bytes of orders", a.Shape.MaxOrders, b.Shape.MaxOrders)
	add("tick rate", a.TickRate, b.TickRate)
	add("seed", a.Seed, b.Seed)
	add("content", a.Content, b.Content)
	add("length", a.Length, b.Length)
	if !bytes.Equal(a.Data, b.Data) {
		add("data", fmt.Sprintf("%x", short(a.Data)), fmt.Sprintf("%x", short(b.Data)))
	}
	add("hash every", a.HashEvery, b.HashEvery)
	add("keyframe every", a.KeyframeEvery, b.KeyframeEvery)
	add("hash of state 0", a.State0, b.State0)
	return list
}

// short is the beginning of what is shown of data, with their length to tell them
// apart.
func short(data []byte) []byte {
	const most = 32
	if len(data) > most {
		return fmt.Appendf(data[:most:most], "... %d bytes", len(data))
	}
	return data
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

// readError is an error of a frame that the recording says it has.
func readError(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// frameDifference compares two frames of the same number, with inputs of so many bytes.
func frameDifference(a, b *agreed.Frame, size int) *FrameDifference {
	d := &FrameDifference{Number: a.Number, Player: -1}
	switch {
	case !bytes.Equal(a.Inputs, b.Inputs):
		d.What = "inputs"
		i := 0
		for a.Inputs[i] == b.Inputs[i] {
			i++
		}
		d.Player = i / size
	case a.Gone != b.Gone:
		d.What = "statuses"
		for d.Player = 0; (a.Gone^b.Gone)>>d.Player&1 == 0; d.Player++ {
		}
	case ordersDiffer(a.Orders, b.Orders) >= 0:
		d.What, d.Player = "orders", ordersDiffer(a.Orders, b.Orders)
	case a.Finished != b.Finished || a.Result != b.Result:
		d.What = "finish"
	default:
		return nil
	}
	d.A, d.B = cloneFrame(a), cloneFrame(b)
	return d
}

// ordersDiffer returns the first player whose orders are not the same, or -1.
func ordersDiffer(a, b [][]byte) int {
	for p := range max(len(a), len(b)) {
		if !bytes.Equal(ordersOf(a, p), ordersOf(b, p)) {
			return p
		}
	}
	return -1
}

func ordersOf(all [][]byte, p int) []byte {
	if p < len(all) {
		return all[p]
	}
	return nil
}

func cloneFrame(f *agreed.Frame) agreed.Frame {
	c := *f
	c.Inputs = bytes.Clone(f.Inputs)
	c.Orders = nil
	for _, o := range f.Orders {
		c.Orders = append(c.Orders, bytes.Clone(o))
	}
	return c
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

func endDifferences(a, b *tbr.End) (list []string) {
	add := func(name string, x, y any) {
		if x != y {
			list = append(list, fmt.Sprintf("%s: %v != %v", name, x, y))
		}
	}
	add("finished", a.Finished, b.Finished)
	add("result", a.Result, b.Result)
	add("players gone", a.Gone, b.Gone)
	if a.Hashed && b.Hashed {
		add("hash of the last state", a.Hash, b.Hash)
	}
	if a.Chain != 0 && b.Chain != 0 {
		add("chain", a.Chain, b.Chain)
	}
	return list
}
