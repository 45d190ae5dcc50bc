package tickbacktest

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/predict"
	"github.com/tickback/tickback/rollback"
)

// lags has the numbers of moves by which the server is behind the clients that get updates.
var lags = [...]int{1, 2, 5}

// newStateViewer shows states that no game describes.
func newStateViewer[S any]() (v viewer[S]) {
	v.plan, _ = canon.PlanFor[S](canon.AllowFloats)
	return v
}

// sum returns the hash of a state.
func (v viewer[S]) sum(s *S) (uint64, error) {
	if v.plan != nil {
		return v.plan.Hash(s), nil
	}
	return canon.HashAny(s)
}

// pose is a copy of a state, with its hash.
type pose[S any] struct {
	state *S
	sum   uint64
}

// foreseen is a sequence being played.
type foreseen[S any, I comparable] struct {
	*foresight[S, I]
	alone   *predict.Predictor[S, I]            // a client that gets no updates
	behind  [len(lags)]*predict.Predictor[S, I] // those that get late updates
	server  *S
	live    []pose[S] // of the client without updates, by number of moves
	apply   func(s *S, in I, d time.Duration)
	trouble error // the error of a state that cannot be hashed
}

// play plays a sequence.
func (p *foresight[S, I]) play(moves []predict.Move[I]) *failure {
	f := &foreseen[S, I]{foresight: p, server: p.start(), apply: p.Server}
	if f.apply == nil {
		f.apply = p.motion.Apply
	}
	f.alone = f.client(len(moves))
	for i := range f.behind {
		f.behind[i] = f.client(len(moves))
	}
	f.live = append(f.live, f.pose(f.alone.State()))
	p.probe.see(f.live[0].sum)
	for i, m := range moves {
		p.probe.frame = i
		if found := f.move(i, m); found != nil {
			return found
		}
		if f.trouble != nil {
			return refusal(fmt.Errorf("the state after move %d cannot be hashed: %w", i, f.trouble))
		}
	}
	return nil
}

// client returns a predictor at the start.
func (p *foresight[S, I]) client(room int) *predict.Predictor[S, I] {
	c, err := predict.New(*p.start(), predict.Config[S, I]{Motion: p.motion, Room: max(room, 1)})
	if err != nil {
		panic(err) // cannot happen: newForesight has tried it
	}
	return c
}

func (p *foresight[S, I]) start() *S {
	s := new(S)
	if p.Start != nil {
		p.Start(s)
	}
	return s
}

// copied returns an independent copy of a state.
func (p *foresight[S, I]) copied(s *S) *S {
	c := new(S)
	if p.motion.Copy != nil {
		p.motion.Copy(c, s)
	} else {
		*c = *s
	}
	return c
}

func (f *foreseen[S, I]) pose(s *S) pose[S] {
	sum, err := f.sum(s)
	if err != nil {
		f.trouble = err
	}
	return pose[S]{f.copied(s), sum}
}

// move makes a move everywhere, and compares.
func (f *foreseen[S, I]) move(i int, m predict.Move[I]) *failure {
	made, err := f.alone.Do(m.Input, m.For)
	if err != nil {
		return refusal(fmt.Errorf("move %d of PredictionOptions.Moves: %w", i, err))
	}
	now := f.pose(f.alone.State())
	f.live = append(f.live, now)
	f.probe.see(now.sum)
	f.probe.compared++

	f.apply(f.server, m.Input, m.For)
	if found := f.compare(i, f.server, "live", "server"); found != nil {
		if found.what == "" {
			found.what = "leads the server to another state than the client"
		}
		if f.Server != nil {
			found.causes = append([]string{causeOfParts}, causesOfMoves...)
		}
		return found
	}
	f.alone.Rebuild()
	if found := f.compare(i, f.alone.State(), "live", "replayed"); found != nil {
		return f.findMove(found, i, f.alone)
	}
	for l, c := range f.behind {
		if found := f.hear(i, lags[l], c, made); found != nil {
			return found
		}
	}
	return nil
}

// hear makes a move at a client that gets updates from the server about the state some moves before.
func (f *foreseen[S, I]) hear(i, lag int, c *predict.Predictor[S, I], m predict.Move[I]) *failure {
	if err := c.Play(m); err != nil {
		return refusal(err)
	}
	if acked := i + 1 - lag; acked >= 0 {
		u := predict.Update[S]{Frame: predict.Frame(i), Acked: predict.Tick(acked), State: *f.copied(f.live[acked].state)}
		if _, err := c.Accept(&u); err != nil {
			return refusal(err)
		}
	}
	if found := f.compare(i, c.State(), "live", "replayed"); found != nil {
		return f.findMove(found, i, c)
	}
	return nil
}

// compare compares a state after move i with that of live play. If they differ, the caller describes what went wrong;
// if an earlier copy of the state has changed, compare does.
func (f *foreseen[S, I]) compare(i int, s *S, first, second string) *failure {
	live := f.live[i+1]
	sum, err := f.sum(s)
	if err != nil {
		f.trouble = err
		return nil
	}
	if kept, err := f.sum(live.state); err != nil || kept != live.sum {
		return &failure{frame: i, what: "changes a copy of the state that was made before", causes: causesOfMoves[len(causesOfMoves)-1:]}
	}
	if sum == live.sum {
		return nil
	}
	diff, err := f.diff(live.state, s)
	found := &failure{frame: i, causes: causesOfMoves}
	return found.show(rollback.Frame(i+1), first, second, diff, err)
}

// findMove finds the move of a replay that comes out differently: the first one that does so when the moves are
// replayed one by one.
func (f *foreseen[S, I]) findMove(found *failure, i int, c *predict.Predictor[S, I]) *failure {
	if found.what != "" {
		return found
	}
	found.what = "comes out differently when it is made again"
	s := f.copied(c.Base())
	for m := range c.Pending() {
		f.motion.Apply(s, m.Input, m.For)
		if at := int(m.Tick) - 1; at < i {
			if earlier := f.compare(at, s, "live", "replayed"); earlier != nil {
				earlier.what = found.what
				return earlier
			}
		}
	}
	return found
}

// The likely causes, in the order in which to look for them.
const causeOfParts = "PredictionOptions.Server makes a move in other parts than Motion.Apply: in one piece, or with remainders carried over to the next"

var causesOfMoves = []string{
	"Step reads or writes something outside of the state: a variable of the package, or other players that are not the same at the server",
	"Step ranges over a map, asks the clock or math/rand, or starts goroutines: see docs/determinism.md",
	"Copy leaves a field out, or shares a slice, a map or a pointer",
}
