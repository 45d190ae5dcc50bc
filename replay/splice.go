package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// splice writes a recording made of consecutive parts of recordings.
func splice(ctx context.Context, w io.Writer, parts []*tbr.Reader, g Game, from, to uint32) error {
	last := parts[len(parts)-1]
	if from < parts[0].First() || to > last.Next() || from >= to {
		return fmt.Errorf("%w: frames %d to %d of a recording that has %d to %d", ErrNothing, from, to, parts[0].First(), last.Next())
	}
	h := *parts[0].Header()
	h.First = from
	s := &splicer{ctx: ctx, parts: parts, game: g, at: from, to: to, every: uint32(h.HashEvery), block: uint32(h.BlockFrames())}
	var err error
	if s.w, err = tbr.NewWriter(w, h); err != nil {
		return err
	}
	if from > 0 {
		state, err := s.state(from)
		if err != nil {
			return err
		}
		if err := s.w.Keyframe(state); err != nil {
			return err
		}
	}
	for _, p := range parts {
		if err := s.part(p); err != nil {
			return err
		}
	}
	return s.w.Close(s.end(last))
}

// splicer assembles a recording.
type splicer struct {
	ctx    context.Context
	parts  []*tbr.Reader
	game   Game
	w      *tbr.Writer
	at, to uint32
	every  uint32 // the interval of hashes; 0: there are none
	block  uint32
	gone   uint16
	hash   tbr.Hash // the last hash that was written
}

// part writes those frames of a recording that have not been written yet.
func (s *splicer) part(p *tbr.Reader) error {
	end := min(p.Next(), s.to)
	if s.at >= end {
		return nil
	}
	cursor, err := p.Frames(s.at)
	if err != nil {
		return err
	}
	next, stop := iter.Pull2(p.Hashes(s.at + 1))
	defer stop()
	for s.at < end {
		if s.at%stride == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err := s.keyframe(); err != nil {
			return err
		}
		f, err := cursor.Next()
		if err != nil {
			return readError(err)
		}
		if err := s.frame(f, next); err != nil {
			return err
		}
	}
	return nil
}

// keyframe writes the recorded state of the next frame, if there is one.
func (s *splicer) keyframe() error {
	if !s.w.WantsKeyframe() {
		return nil
	}
	for _, p := range s.parts {
		if frame, state, err := p.Keyframe(s.at); err == nil && frame == s.at {
			return s.w.Keyframe(state)
		} else if err != nil && !errors.Is(err, tbr.ErrNoKeyframe) {
			return err
		}
	}
	return nil
}

// frame writes a frame, and the hash after it.
func (s *splicer) frame(f *agreed.Frame, next func() (tbr.Hash, error, bool)) error {
	if err := s.w.Frame(f); err != nil {
		return err
	}
	s.at, s.gone = f.Number+1, f.Gone
	if s.every == 0 || s.at%s.every != 0 {
		return nil
	}
	h, err, ok := next()
	if err != nil {
		return err
	}
	if !ok || h.State != s.at {
		h = tbr.Hash{State: s.at} // no part has this hash: one part ends here, and another begins
	}
	// The last hash of a block is stored with all bits.
	if last := uint64(s.at)+uint64(s.every) > min(uint64(s.to), uint64(f.Number-f.Number%s.block)+uint64(s.block)); h.Bits < 64 && (last || h.Bits == 0) {
		if h, err = s.whole(h); err != nil {
			return err
		}
	}
	s.hash = h
	return s.w.Hash(s.at, h.Hash)
}

// whole returns the full hash of a state whose recorded hash is shortened. It simulates up to that state.
func (s *splicer) whole(h tbr.Hash) (tbr.Hash, error) {
	sim, err := s.simulate(h.State)
	if err != nil {
		return h, err
	}
	hash, err := sim.Hash()
	if err == nil && h.Bits > 0 && !h.Matches(hash) {
		err = fmt.Errorf("%w: the hash of state %d is another one", ErrNotReproduced, h.State)
	}
	return tbr.Hash{State: h.State, Hash: hash, Bits: 64}, err
}

// state returns a state that is recorded or can be simulated.
func (s *splicer) state(n uint32) ([]byte, error) {
	for _, p := range s.parts {
		if frame, state, err := p.Keyframe(n); err == nil && frame == n {
			return state, nil
		}
	}
	sim, err := s.simulate(n)
	if err != nil {
		return nil, err
	}
	return sim.Marshal(nil)
}

// simulate computes a state from the nearest keyframe, and compares the recorded hashes on the way.
func (s *splicer) simulate(n uint32) (Sim, error) {
	i := slices.IndexFunc(s.parts, func(p *tbr.Reader) bool { return n <= p.Next() })
	r := s.parts[i]
	if s.game == nil {
		return nil, fmt.Errorf("%w: state %d", ErrNeedsGame, n)
	}
	sim, err := s.game.Sim(r.Header())
	if err != nil {
		return nil, err
	}
	return sim, reach(s.ctx, r, sim, n)
}

// reach runs a simulation up to a state of a recording, and checks it against the recorded hashes.
func reach(ctx context.Context, r *tbr.Reader, sim Sim, n uint32) error {
	w, err := nearest(r, sim, n)
	if err != nil {
		return err
	}
	for h, err := range r.Hashes(sim.State() + 1) {
		if err != nil || h.State > n {
			break // damage after the state does not matter, and damage before it also affects frames
		}
		if err := w.to(ctx, h.State); err != nil {
			return err
		}
		if hash, err := sim.Hash(); err != nil {
			return err
		} else if !h.Matches(hash) {
			return fmt.Errorf("%w: the hash of state %d is another one", ErrNotReproduced, h.State)
		}
	}
	return w.to(ctx, n)
}

// end returns how the spliced recording ends.
func (s *splicer) end(last *tbr.Reader) tbr.End {
	if end, closed := last.End(); closed && s.to == last.Next() {
		return end
	}
	end := tbr.End{Gone: s.gone, Reason: fmt.Sprintf("cut at frame %d", s.to)}
	if s.hash.State == s.to && s.hash.Bits == 64 {
		end.Hashed, end.Hash = true, s.hash.Hash
	}
	return end
}
