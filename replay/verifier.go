package replay

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tickback/tickback/replay/tbr"
)

// verifier is a verification in progress.
type verifier struct {
	r      *tbr.Reader
	game   Game
	o      VerifyOptions
	parts  []part
	damage error  // the damage found while finding the parts
	defect error  // a defect found without simulating anything
	every  uint32 // the interval of the hashes that are kept for the chain; 0: none are
	next   atomic.Int64
	wrong  atomic.Int64 // the first part that is known to be wrong
	result Verification

	mu   sync.Mutex
	done uint32
}

// part is the series of frames from one keyframe to the next, with what was found out about them.
type part struct {
	from, to  uint32 // the states at both ends
	keyframe  bool   // there is a keyframe of state to
	frames    uint32 // the number of simulated frames
	hashes    uint32
	keyframes uint32
	checked   uint32
	mismatch  *Mismatch
	damage    error
	last      uint64
	links     links // the hashes of its own states
	lastKnown bool
}

// divide splits the recording into parts.
func (v *verifier) divide() error {
	at := v.r.First()
	if v.game.Marshals() {
		for c, err := range v.r.Chunks() {
			if err != nil {
				v.damage = err // the frames before the damage can be read
				break
			}
			if c.Kind == tbr.KindKeyframe && c.Frame > at && c.Frame < v.r.Next() {
				v.parts = append(v.parts, part{from: at, to: c.Frame, keyframe: true})
				at = c.Frame
			}
		}
	} else if at > 0 {
		return fmt.Errorf("replay: the recording begins with frame %d, and %q cannot read states", at, v.game.ID())
	}
	v.parts = append(v.parts, part{from: at, to: v.r.Next()})
	return nil
}

// inspect looks for defects that are found without simulating anything.
func (v *verifier) inspect() { v.defect = firstOf(v.r.Damage(), v.damage, v.r.CheckChunks()) }

// run starts the given number of workers, which verify part after part. The first worker calls first before it begins,
// if first is not nil.
func (v *verifier) run(ctx context.Context, workers int, first func()) error {
	errs := make([]error, workers)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i := range workers {
		all.Add(1)
		go func() {
			defer all.Done()
			errs[i] = Survive(func() error {
				if i == 0 && first != nil {
					first()
				}
				return v.work(ctx)
			})
			if errs[i] != nil {
				cancel(errs[i])
			}
		}()
	}
	all.Wait()
	if err := firstOf(errs...); err != nil {
		return context.Cause(ctx) // the original cause
	}
	return nil
}

// take assigns the next parts to a worker, from from to before to: many at first, as most parts can continue where the
// one before ended, and single ones at the end, so that no worker has to wait long for the last.
func (v *verifier) take() (from, to int64) {
	all := int64(len(v.parts))
	for {
		from = v.next.Load()
		to = min(from+max(1, (all-from)/int64(2*v.result.Workers)), all)
		if from >= all || v.next.CompareAndSwap(from, to) {
			return from, to
		}
	}
}

func (v *verifier) work(ctx context.Context) error {
	sim, err := v.game.Sim(v.r.Header())
	if err != nil {
		return err
	}
	c := &checker{v: v, sim: sim}
	for from, to := v.take(); from < to; from, to = v.take() {
		for i := from; i < to; i++ {
			// Only the first mismatch counts: parts after it do not matter.
			if i >= v.wrong.Load() {
				return nil
			}
			if err := c.check(ctx, &v.parts[i]); err != nil {
				return err
			}
			if v.parts[i].mismatch != nil {
				for w := v.wrong.Load(); i < w && !v.wrong.CompareAndSwap(w, i); w = v.wrong.Load() {
				}
			}
		}
	}
	return nil
}

// progress reports how many frames were simulated.
func (v *verifier) progress(frames uint32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done += frames
	if v.o.Progress != nil {
		v.o.Progress(v.done)
	}
}

// sum combines the findings of the parts, up to the first wrong one.
func (v *verifier) sum() {
	s, damaged := &v.result, false
	s.Damage = v.defect
	for i := range v.parts {
		p := &v.parts[i]
		s.Frames += p.frames
		s.Hashes += p.hashes
		s.Keyframes += p.keyframes
		if !damaged {
			s.Checked = p.checked // nothing can be proved after a part that could not be read
		}
		if damaged = damaged || p.damage != nil; p.damage != nil && s.Damage == v.defect {
			s.Damage = p.damage
		}
		if p.mismatch != nil {
			s.Mismatch = p.mismatch
			return
		}
		s.Last, s.LastKnown = p.last, p.lastKnown
	}
}
