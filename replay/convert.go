package replay

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// Buttons translates the input of a player, as in [agreed.Frame], to a mask of buttons and back, as RPLK v1 requires.
type Buttons struct {
	// Append appends the input for these buttons.
	Append func(b []byte, buttons uint16) []byte
	// Of returns the buttons of an input.
	Of func(input []byte) uint16
}

// ErrNoRPLK is wrapped by every error that says why a recording cannot be converted to RPLK v1.
var ErrNoRPLK = errors.New("replay: RPLK v1 cannot hold the recording")

// Import converts a recording of RPLK v1 to one of this package, with this header. The match is simulated on this
// build to get hashes and keyframes: they are what this build computes from the inputs, and not what the recording
// build computed. progress, if given, gets the number of frames done.
func Import(ctx context.Context, w io.Writer, src *rplk.Reader, h tbr.Header, g Game, buttons Buttons, progress func(frames uint32)) error {
	if h.Shape.Players != 2 {
		return fmt.Errorf("replay: RPLK v1 has two players, not %d", h.Shape.Players)
	}
	sim, err := g.Sim(&h)
	if err != nil {
		return err
	}
	if err := sim.Init(); err != nil {
		return err
	}
	out, err := tbr.NewWriter(w, h)
	if err != nil {
		return err
	}
	i := importer{w: out, sim: sim, marshals: g.Marshals(), buttons: buttons, frames: src.Header().Frames}
	frames := make([]rplk.Inputs, batch)
	for ctx.Err() == nil {
		n, err := src.Read(frames)
		// A frame before an error may be wrong, but the recording is discarded anyway.
		for _, in := range frames[:n] {
			if err := i.add(in); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(out.Next())
		}
		if err == io.EOF { // exactly io.EOF: a wrapped one is an error of the source
			return i.close()
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// importer writes frames when only the buttons are known.
type importer struct {
	w        *tbr.Writer
	sim      Sim
	marshals bool
	buttons  Buttons
	frames   uint32 // how many there are
	frame    agreed.Frame
	state    []byte
}

func (i *importer) add(in rplk.Inputs) error {
	if i.marshals && i.w.WantsKeyframe() {
		var err error
		if i.state, err = i.sim.Marshal(i.state[:0]); err != nil {
			return err
		}
		if err := i.w.Keyframe(i.state); err != nil {
			return err
		}
	}
	f := &i.frame
	f.Number = i.w.Next()
	f.Inputs = i.buttons.Append(i.buttons.Append(f.Inputs[:0], in[0]), in[1])
	if err := i.sim.Step(f); err != nil {
		return err
	}
	// RPLK does not record what finishes a match. If there are frames after it, the match was not finished.
	if frame, result, over := i.sim.Result(); over && frame == f.Number && frame == i.frames-1 {
		f.Finished, f.Result = true, result
	}
	if err := i.w.Frame(f); err != nil {
		return err
	}
	if every := i.w.Header().HashEvery; every == 0 || i.w.Next()%uint32(every) != 0 {
		return nil
	}
	hash, err := i.sim.Hash()
	if err != nil {
		return err
	}
	return i.w.Hash(i.w.Next(), hash)
}

// close ends the recording.
func (i *importer) close() error {
	hash, err := i.sim.Hash()
	if err != nil && i.w.Header().HashEvery > 0 {
		return err
	}
	return i.w.Close(tbr.End{Hashed: err == nil, Hash: hash, Reason: "converted from RPLK v1"})
}

// Export converts a recording to RPLK v1. What RPLK cannot hold is refused ([ErrNoRPLK]): a number of players other
// than two, a seed of 0 or of more than 32 bits, parameters besides the seed, a beginning other than frame 0, orders,
// absent players, and inputs that are more than buttons.
func Export(ctx context.Context, w *rplk.Writer, r *tbr.Reader, buttons Buttons) error {
	h := r.Header()
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrNoRPLK}, args...)...)
	}
	switch {
	case h.Shape.Players != 2:
		return refuse("it has %d players, not 2", h.Shape.Players)
	case h.Seed == 0 || h.Seed>>32 != 0:
		return refuse("its seed is %d, not 1 to %d", h.Seed, uint32(1<<32-1))
	case len(h.Data) > 0 || h.Content != 0:
		return refuse("its match has parameters besides the seed: content %d and %d bytes of data", h.Content, len(h.Data))
	case r.First() != 0:
		return refuse("it begins with frame %d, not 0", r.First())
	}
	if err := r.Damage(); err != nil {
		return err
	}
	cursor, err := r.Frames(0)
	if err != nil {
		return err
	}
	row := make([]rplk.Inputs, 1)
	var again []byte
	for ctx.Err() == nil {
		f, err := cursor.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if f.Gone != 0 {
			return refuse("a player is gone in frame %d", f.Number)
		}
		if f.Orders != nil {
			return refuse("there are orders in frame %d", f.Number)
		}
		size := h.Shape.InputSize
		for p := range 2 {
			in := f.Inputs[p*size : (p+1)*size]
			row[0][p] = buttons.Of(in)
			if again = buttons.Append(again[:0], row[0][p]); string(again) != string(in) {
				return refuse("the input of player %d in frame %d is more than 16 buttons", p, f.Number)
			}
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return ctx.Err()
}
