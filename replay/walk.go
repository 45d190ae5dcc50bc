package replay

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// stride is how many frames are simulated between two checks for cancellation.
const stride = 8192

// walk runs the frames of a recording on a simulation.
type walk struct {
	sim    Sim
	cursor *tbr.Cursor
	frame  agreed.Frame // used for frames that are stepped one by one
	empty  bool         // inputs have no bytes
	until  uint32       // the state at which to check for cancellation next

	finished bool   // the frame that ran last finishes the match, as the recording says
	result   uint64 // the result of the match, if finished
}

// from returns a walk that continues from the live state of a simulation.
func from(r *tbr.Reader, sim Sim) (*walk, error) {
	cursor, err := r.Frames(sim.State())
	if err != nil {
		return nil, err
	}
	return &walk{sim: sim, cursor: cursor, empty: r.Header().Shape.InputSize == 0, until: sim.State()}, nil
}

// begin returns a walk at the state with which a recording begins: state 0, or the
// keyframe of its first frame.
func begin(r *tbr.Reader, sim Sim) (*walk, error) {
	if err := enter(r, sim, r.First()); err != nil {
		return nil, err
	}
	return from(r, sim)
}

// enter sets a simulation to state 0, or to the state of a keyframe.
func enter(r *tbr.Reader, sim Sim, state uint32) error {
	if state == 0 {
		return sim.Init()
	}
	frame, encoded, err := r.Keyframe(state)
	if err == nil && frame != state {
		err = &tbr.Error{Reason: tbr.ErrNoKeyframe, Detail: fmt.Sprintf("of frame %d; the last one before is of %d", state, frame)}
	}
	if err != nil {
		return err
	}
	return sim.Load(state, encoded)
}

// nearest returns a walk at the nearest recorded state at or before a state.
func nearest(r *tbr.Reader, sim Sim, state uint32) (*walk, error) {
	frame, encoded, err := r.Keyframe(state)
	if err == nil {
		err = sim.Load(frame, encoded)
	}
	var incapable *rollback.CapabilityError
	if errors.Is(err, tbr.ErrNoKeyframe) || errors.As(err, &incapable) {
		err = enter(r, sim, r.First())
	}
	if err != nil {
		return nil, err
	}
	return from(r, sim)
}

// to runs the frames up to a state.
func (w *walk) to(ctx context.Context, state uint32) error {
	for at := w.sim.State(); at < state; at = w.sim.State() {
		if at >= w.until {
			if err := ctx.Err(); err != nil {
				return err
			}
			w.until = at + stride
		}
		run, err := w.cursor.Run(int(min(state-at, stride)))
		if err == io.EOF {
			err = fmt.Errorf("replay: the recording ends at frame %d, before state %d", at, state)
		}
		if err != nil {
			return err
		}
		if run.Orders == nil && !w.empty {
			err = w.sim.Run(run.Inputs, run.Gone)
		} else {
			err = w.each(run)
		}
		if err != nil {
			return fmt.Errorf("replay: from frame %d on: %w", run.First, err)
		}
		w.finished, w.result = run.Finished, run.Result
	}
	return nil
}

// each runs frames one by one.
func (w *walk) each(run *tbr.Run) error {
	row := len(run.Inputs) / run.Frames
	for i := range run.Frames {
		w.frame = agreed.Frame{Number: run.First + uint32(i), Inputs: run.Inputs[i*row : (i+1)*row], Gone: run.Gone, Orders: run.Orders}
		if err := w.sim.Step(&w.frame); err != nil {
			return err
		}
	}
	return nil
}
