package rollback

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback/effects"
)

// Agreed is a frame whose inputs every peer has, as the agreed stream yields it. It never changes.
type Agreed[I any] struct {
	Frame    Frame
	Inputs   []I       // of each player
	Orders   [][]byte  // of each player; nil if the match has no orders
	Statuses []Status  // of each player: Confirmed or Disconnected
	Gone     PlayerSet // those that are Disconnected
	// Hash is the hash of state Frame + 1, to which these inputs led, if Hashed.
	Hash   uint64
	Hashed bool
	// Result is the result of the match, if this is the frame that ended it. Then
	// Finished is true, in this frame only.
	Result   uint64
	Finished bool
}

// Outcome is how a match ended.
type Outcome struct {
	Frame  Frame  // the first frame that called Tick.Finish
	Result uint64 // the argument of that call
}

// Agree says that all peers have the inputs of the frames below n; the owner learns this from the peers. The count must
// not decrease, nor exceed [Engine.Confirmed]. If all players are local there are no peers, and what is confirmed is
// agreed.
func (e *Engine[S, I]) Agree(n Frame) error {
	if n < e.sure && n >= e.agreed { // as it nearly always is
		e.agreed, e.tail = n, min(n+e.history, lastFrame)
		return nil
	}
	return e.agree(n)
}

func (e *Engine[S, I]) agree(n Frame) error {
	if n < e.Agreed() {
		return fmt.Errorf("rollback: agreed frames cannot go back from %d to %d", e.Agreed(), n)
	}
	if n > e.Confirmed() {
		return fmt.Errorf("rollback: %d frames cannot be agreed, as only %d are confirmed here", n, e.Confirmed())
	}
	e.agreed = n
	if e.fresh = e.journal != nil; !e.stream { // a stream is limited by what has been read
		e.release()
	}
	return nil
}

// Agreed returns how many frames are agreed.
func (e *Engine[S, I]) Agreed() Frame {
	if e.remote == 0 {
		return e.Confirmed()
	}
	return e.agreed
}

// settled returns the exclusive counts of confirmed and of agreed frames, as far as they
// will not be simulated again.
func (e *Engine[S, I]) settled() (confirmed, agreed Frame) {
	tested := e.frame - min(e.depth, e.frame-e.given) // the sync test runs no frame below this again
	if e.depth == 0 {
		tested = NoFrame
	}
	return min(e.Confirmed(), e.wrong), min(e.Agreed(), e.wrong, tested)
}

// Final returns the number of the newest state that will not change any more: all inputs before it are known, and have
// been simulated. The engine holds it.
func (e *Engine[S, I]) Final() Frame { return min(e.Confirmed(), e.wrong, e.frame) }

// decided returns how many frames are agreed and will not be simulated again.
func (e *Engine[S, I]) decided() Frame { return min(e.Agreed(), e.wrong, e.frame) }

// NextAgreed returns the next frame of the agreed stream, which yields every frame once, in order. It returns nil if
// there is none yet, without [Config.Stream], and once the match has failed. The frame and its slices belong to the
// engine and are valid until the next call of NextAgreed or Tick.
func (e *Engine[S, I]) NextAgreed() *Agreed[I] {
	if !e.stream || e.read >= e.decided() {
		return nil
	}
	f := e.read
	hash, hashed := e.hashAfter(f)
	if e.failure != nil {
		return nil
	}
	e.read++
	e.release()
	i, n, a := int(f&e.mask)*e.players, e.players, &e.yielded
	a.Frame, a.Inputs = f, e.inputs[i:i+n:i+n]
	if e.orders != nil {
		a.Orders = e.orders[i : i+n : i+n]
	}
	if gone := e.rows[f&e.mask].gone(); gone != a.Gone || a.Statuses == nil {
		a.setGone(gone, n)
	}
	a.Hash, a.Hashed = hash, hashed
	a.Finished, a.Result = false, 0
	if o, over := e.Result(); over && o.Frame == f {
		a.Finished, a.Result = true, o.Result
	}
	return a
}

// setGone notes which of n players are disconnected.
func (a *Agreed[I]) setGone(gone PlayerSet, n int) {
	if a.Gone = gone; a.Statuses == nil {
		a.Statuses = make([]Status, n)
	}
	for p := range a.Statuses {
		a.Statuses[p] = Confirmed
		if gone.Has(Player(p)) {
			a.Statuses[p] = Disconnected
		}
	}
}

// hashing holds the hashes of the agreed stream.
type hashing struct {
	every Frame    // 0: none
	sums  []uint64 // by row, of the state after the frame
}

// hashAfter returns the hash of state f+1, which is final, if it has one.
func (e *Engine[S, I]) hashAfter(f Frame) (hash uint64, ok bool) {
	if e.hashing.every == 0 || e.hashing.every > 1 && (f+1)%e.hashing.every != 0 {
		return 0, false
	}
	r := f & e.mask
	if e.rows[r]&rowHashed == 0 {
		h := e.hash(f + 1)
		if e.failure != nil {
			return 0, false
		}
		e.hashing.sums[r] = h
		e.rows[r] |= rowHashed
	}
	return e.hashing.sums[r], true
}

// hash returns the hash of a state that is held. A state that cannot be hashed ends the match.
func (e *Engine[S, I]) hash(f Frame) uint64 {
	var begin time.Duration
	meter := e.tick.meter
	if meter != nil {
		begin = meter.clock()
	}
	h, err := e.mem.hash(f)
	if meter != nil {
		meter.hash.add(meter.clock() - begin)
	}
	if err != nil {
		e.fail(fmt.Errorf("rollback: state %d cannot be hashed: %w", f, err))
	}
	return h
}

// keepHash hashes the state that is about to lose its snapshot, if the stream has not
// reached it yet.
func (e *Engine[S, I]) keepHash() {
	if f := e.oldest(); e.frame-f == e.snapshots-1 && f > e.read {
		e.hashAfter(f - 1)
	}
}

// findEnd looks for the frame that ended the match.
func (e *Engine[S, I]) findEnd() {
	e.judged = max(e.judged, e.base) // no frame before has finished
	for n := e.decided(); e.judged < n; e.judged++ {
		if r := e.judged & e.mask; e.rows[r]&rowFinished != 0 && !e.over {
			e.outcome, e.over = Outcome{e.judged, e.results[r]}, true
		}
	}
}

// Result returns how the match ended, as all peers agree, and whether it has ended. The first frame that called
// [Tick.Finish] counts. The result never changes.
func (e *Engine[S, I]) Result() (Outcome, bool) {
	if e.ended && !e.over {
		e.findEnd()
	}
	return e.outcome, e.over
}

// Provisional returns how the match ended as far as is known here. It is like [Engine.Result], but may be based on
// predictions. Frames that are known to be wrong do not count.
func (e *Engine[S, I]) Provisional() (Outcome, bool) {
	if o, over := e.Result(); over || !e.ended {
		return o, over
	}
	for f := e.judged; f < min(e.frame, e.wrong); f++ {
		if r := f & e.mask; e.rows[r]&rowFinished != 0 {
			return Outcome{f, e.results[r]}, true
		}
	}
	return Outcome{}, false
}

// Effects returns the changes of effects since the last call, however many ticks, rollbacks and agreements there were.
// Call it once per rendered frame: events are dropped after [Config.History] frames without a call. The slice belongs
// to the engine and is valid until the next call of Tick, Settle, Correct or Effects.
func (e *Engine[S, I]) Effects() []effects.Event {
	if !e.fresh {
		return nil
	}
	return e.flush()
}

func (e *Engine[S, I]) flush() []effects.Event {
	e.fresh, e.flushed = false, e.frame
	events := e.journal.Flush(e.settled())
	if len(e.missed) > 0 {
		events = append(e.missed, events...)
		e.missed = e.missed[:0]
	}
	return events
}
