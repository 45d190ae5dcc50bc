package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/tickback/tickback/replay/tbr"
)

// checker verifies parts, one after the other.
type checker struct {
	v     *verifier
	part  *part
	sim   Sim
	walk  *walk
	there bool   // the walk has reached the keyframe with which the next part may begin
	state []byte // the encoded state, to compare with a keyframe
	told  uint32 // the frames of the part that were reported to progress
}

// check simulates the part. An error ends the verification; defects of the recording are recorded in the part.
func (c *checker) check(ctx context.Context, p *part) error {
	goesOn := c.there && c.sim.State() == p.from
	c.part, c.there, c.told = p, false, 0
	p.links.every = c.v.every
	err := surviveFrames(c.sim, func() error { return c.run(ctx, goesOn) })
	c.tell()
	var panicked *PanicError
	switch {
	case err == nil || ctx.Err() != nil || errors.As(err, &panicked):
		return err
	default: // the recording cannot be read, or has invalid states or inputs
		c.part.damage = err
		return nil
	}
}

// run simulates the part, from its keyframe unless the live state is already that one.
func (c *checker) run(ctx context.Context, goesOn bool) error {
	p := c.part
	p.checked = p.from
	if !goesOn {
		var err error
		c.walk = nil
		if err = enter(c.v.r, c.sim, p.from); err != nil {
			return err
		}
		if wrong, err := c.compareState0(); wrong || err != nil {
			return err
		}
		if c.walk, err = from(c.v.r, c.sim); err != nil {
			return err
		}
	}
	for h, err := range c.v.r.Hashes(p.from + 1) {
		if err == nil && h.State > p.to {
			break
		}
		if err == nil {
			err = c.to(ctx, h.State)
		}
		if err != nil {
			return err
		}
		if wrong, err := c.compare(h); wrong || err != nil {
			return errors.Join(err, c.describe(ctx))
		}
	}
	if err := c.to(ctx, p.to); err != nil {
		return err
	}
	if p.keyframe {
		return c.compareKeyframe()
	}
	return c.end()
}

// compareState0 compares state 0 with its hash in the header.
func (c *checker) compareState0() (wrong bool, err error) {
	h := c.v.r.Header()
	if c.part.from > 0 || h.State0 == 0 {
		return false, nil
	}
	wrong, err = c.compare(tbr.Hash{State: 0, Hash: h.State0, Bits: 64})
	c.part.hashes = 0 // state 0 proves nothing about the frames
	return wrong, err
}

// to runs the simulation up to a state.
func (c *checker) to(ctx context.Context, state uint32) error {
	for {
		at := c.sim.State()
		if at >= state {
			return nil
		}
		pace := uint32(stride)
		if c.v.every == 1 {
			pace = 1
		}
		err := c.walk.to(ctx, at+min(state-at, pace))
		c.part.frames = c.sim.State() - c.part.from
		if err != nil {
			return err
		}
		if c.v.every == 1 {
			if hash, err := c.sim.Hash(); err == nil {
				c.part.links.add(c.sim.State(), hash)
			}
		}
		if c.part.frames-c.told >= stride {
			c.tell()
		}
	}
}

func (c *checker) tell() {
	c.v.progress(c.part.frames - c.told)
	c.told = c.part.frames
}

// compare compares the live state with its recorded hash, and reports whether they differ.
func (c *checker) compare(h tbr.Hash) (wrong bool, err error) {
	hash, err := c.sim.Hash()
	if err != nil {
		return false, err
	}
	c.part.links.add(h.State, hash)
	if !h.Matches(hash) {
		c.part.mismatch = &Mismatch{Good: c.part.checked, State: h.State, Recorded: h, Computed: hash}
		return true, nil
	}
	c.part.hashes++
	c.part.checked = h.State
	return false, nil
}

// describe continues to the keyframe at the end of the part, to get the differing fields.
func (c *checker) describe(ctx context.Context) error {
	p := c.part
	if !p.keyframe || c.walk == nil {
		return nil
	}
	// If the rest is damaged, the mismatch remains, but without fields.
	if err := c.to(ctx, p.to); err != nil {
		return ctx.Err()
	}
	if _, encoded, err := c.v.r.Keyframe(p.to); err == nil {
		c.fields(encoded)
	}
	return nil
}

// fields lists the differences between the keyframe and the live state.
func (c *checker) fields(encoded []byte) {
	if r, err := c.sim.Differences(encoded, c.v.o.MostFields); err == nil && r.Total > 0 {
		c.part.mismatch.Fields, c.part.mismatch.FieldsAt = r, c.sim.State()
	}
}

// compareKeyframe compares the live state with its keyframe.
func (c *checker) compareKeyframe() error {
	p := c.part
	frame, encoded, err := c.v.r.Keyframe(p.to)
	if err != nil || frame != p.to {
		return firstOf(err, fmt.Errorf("replay: there is no keyframe of frame %d", p.to))
	}
	if c.state, err = c.sim.Marshal(c.state[:0]); err != nil {
		return err
	}
	if bytes.Equal(c.state, encoded) {
		p.keyframes++
		p.checked, c.there = p.to, true
		return nil
	}
	hash, err := c.sim.Hash()
	if err != nil {
		return err
	}
	// The state may have matched its hash: then the keyframe is wrong.
	p.mismatch = &Mismatch{Good: min(p.checked, p.to-1), State: p.to, Recorded: tbr.Hash{State: p.to}, Computed: hash}
	c.fields(encoded)
	return nil
}

// end compares the end of the recording.
func (c *checker) end() error {
	p := c.part
	c.lastHash()
	end, closed := c.v.r.End()
	if !closed {
		return nil // which is reported as damage
	}
	if end.Hashed {
		if wrong, err := c.compare(tbr.Hash{State: p.to, Hash: end.Hash, Bits: 64}); wrong || err != nil {
			return err
		}
	}
	if end.Finished != c.walk.finished || end.Finished && end.Result != c.walk.result {
		return fmt.Errorf("replay: the end of the recording contradicts its last frame")
	}
	if c.finish(); p.mismatch == nil && c.v.o.Last != nil {
		c.v.o.Last(c.sim)
	}
	return nil
}

// finish compares how the match was finished in the recording and by the game.
func (c *checker) finish() {
	p := c.part
	frame, result, over := c.sim.Result()
	recorded, said := c.walk.finished, c.walk.result
	switch {
	case recorded == over && (!over || frame+1 == p.to && result == said):
		return
	case !recorded && frame+1 < p.to:
		return // the recording goes on after the end of the match, as one converted from RPLK does
	}
	told := func(finished bool, frame uint32, result uint64) string {
		if !finished {
			return "by nothing"
		}
		return fmt.Sprintf("by frame %d with result %d", frame, result)
	}
	p.mismatch = &Mismatch{Good: p.checked, State: p.to, Recorded: tbr.Hash{State: p.to}, Computed: p.last}
	p.mismatch.Ended = fmt.Sprintf("the match is finished %s in the recording, and %s here",
		told(recorded, p.to-1, said), told(over, frame, result))
}

// lastHash computes the hash of the last state. It remains unknown if the game's states cannot be hashed.
func (c *checker) lastHash() {
	hash, err := c.sim.Hash()
	c.part.last, c.part.lastKnown = hash, err == nil
}
