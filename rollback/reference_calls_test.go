package rollback_test

import (
	"errors"
	"slices"

	"github.com/tickback/tickback/rollback"
)

// lastFrame is the first frame that no match can have.
const lastFrame = rollback.NoFrame - 1<<16

// verdict is a set of outcomes that a call may have.
type verdict uint16

const (
	fine verdict = 1 << iota
	conflict
	tooOld
	tooEarly
	longOrders
	noSuchPlayer
	sampled
	notSampled
	disconnected
	stalled
	other
)

// verdictOf sorts an error.
func verdictOf(err error) verdict {
	switch {
	case err == nil:
		return fine
	case errors.As(err, new(*rollback.ConflictError)):
		return conflict
	case errors.As(err, new(*rollback.TooOldError)):
		return tooOld
	case errors.As(err, new(*rollback.TooEarlyError)):
		return tooEarly
	case errors.As(err, new(*rollback.OrdersError)):
		return longOrders
	case errors.As(err, new(*rollback.PlayerError)):
		return noSuchPlayer
	case errors.Is(err, rollback.ErrSampled):
		return sampled
	case errors.Is(err, rollback.ErrNotSampled):
		return notSampled
	case errors.Is(err, rollback.ErrDisconnected):
		return disconnected
	case errors.As(err, new(*rollback.Stall)):
		return stalled
	}
	return other
}

// misuse returns errors of a call that do not depend on its frame.
func (r *reference) misuse(p Player, want PlayerSet, orders int) (v verdict) {
	if int(p) >= r.cfg.Players || !want.Has(p) {
		v |= noSuchPlayer
	}
	if orders > r.cfg.MaxOrders {
		v |= longOrders
	}
	return v
}

// outside says whether frame f is too old or too early. History frames are held
// behind the current one, and one eighth more may be; as many ahead.
func (r *reference) outside(f Frame) (may, must verdict) {
	history := int64(r.cfg.History)
	switch at := int64(f) - int64(r.frame); {
	case f < r.start || at < -history-history/8-1:
		return tooOld, tooOld
	case at < -history:
		return tooOld, 0
	case at > 2*history:
		return tooEarly, tooEarly
	case at > history-history/8-3:
		return tooEarly, 0
	}
	return 0, 0
}

// addInput returns the outcomes that AddInput may have. The first time that it
// is called for a fact, and if the engine has taken it, accept follows.
func (r *reference) addInput(p Player, f Frame, in button, orders string) verdict {
	everyone := PlayerSet(1<<r.cfg.Players - 1)
	if v := r.misuse(p, everyone&^r.cfg.Local, len(orders)); v != 0 {
		return v
	}
	may, must := r.outside(f)
	switch {
	case must != 0:
		return must
	case r.who[p].gone(f):
		return may | disconnected
	case f < r.given: // a state stands for it
	case r.known(p, f) && *r.fact(p, f) != fact{true, in, orders}:
		return may | conflict
	}
	return may | fine
}

// accept notes an input that was taken.
func (r *reference) accept(p Player, f Frame, in button, orders string) {
	k := r.fact(p, f)
	if k.known {
		r.stats.Duplicates++
		return
	}
	*k = fact{true, in, orders}
	delete(r.who[p].supposed, f)
	if f < r.frame {
		if u := &r.used[f-r.start]; u.in[p] != in || u.orders[p] != orders {
			r.stats.Mispredicted[p]++
		}
	}
}

// owed: every present local player gives one sample per frame.
func (r *reference) owed(p Player) bool {
	return r.cfg.Local.Has(p) && !r.who[p].gone(r.frame) && r.who[p].sampled != r.frame
}

func (r *reference) addLocal(p Player, in button, orders string) verdict {
	switch v := r.misuse(p, r.cfg.Local, len(orders)); {
	case v != 0:
		return v
	case r.who[p].gone(r.frame):
		return disconnected
	case !r.owed(p):
		return sampled
	}
	r.who[p].sampled = r.frame
	r.take(p, in, orders)
	return fine
}

// take puts a sample where the delay wants it.
func (r *reference) take(p Player, in button, orders string) {
	w, next, target := &r.who[p], r.next(p), r.frame+Frame(r.who[p].delay)
	if next == rollback.NoFrame {
		return
	}
	for f := r.frame; f <= next; f++ {
		if w.gone(f) {
			return // the player leaves before this would take effect
		}
	}
	still, first := false, next == r.start || w.gone(next-1)
	if !first {
		k := r.fact(p, next-1)
		still = k.in == in && k.orders == "" && orders == ""
	}
	if next > target && still {
		return // a repetition is left out
	}
	repeat := fact{true, in, ""}
	if first {
		repeat.in = 0 // before the first sample inputs are empty
	}
	for ; next < target && (still || first); next++ {
		if w.gone(next) {
			return
		}
		*r.fact(p, next) = repeat
	}
	if !w.gone(next) {
		*r.fact(p, next) = fact{true, in, orders}
	}
}

func (r *reference) disconnect(p Player, from Frame) verdict {
	if v := r.misuse(p, ^PlayerSet(0), 0); v != 0 {
		return v
	}
	w := &r.who[p]
	switch {
	case w.leaving():
		return noSuchPlayer
	case len(w.absences) > 0 && w.absences[len(w.absences)-1].end != from && r.notBack(p, w.absences[len(w.absences)-1].end):
		return noSuchPlayer
	case from >= lastFrame:
		return other // there are no such frames
	case from < r.next(p):
		may, must := r.outside(from)
		if must == tooOld {
			return tooOld | conflict
		}
		return may&tooOld | conflict
	}
	// Early inputs for frames without the player are dropped.
	for f := from; int(f-r.start) < len(w.facts); f++ {
		w.facts[f-r.start] = fact{}
	}
	for f := range w.supposed {
		if f >= from {
			delete(w.supposed, f)
		}
	}
	if n := len(w.absences); n > 0 && w.absences[n-1].end == from {
		w.absences[n-1].end = rollback.NoFrame // it has not come back, and may come sooner
		w.next = min(w.next, w.absences[n-1].first)
	} else {
		w.absences = append(w.absences, span{from, rollback.NoFrame})
	}
	w.cut = from
	r.invalidate(from)
	return fine
}

// notBack reports whether it is too early to say that a player that comes back at a
// frame leaves again.
func (r *reference) notBack(p Player, end Frame) bool {
	history := Frame(r.cfg.History)
	return r.next(p) < end || end > r.frame && end-r.frame > history-history/8-3
}

func (r *reference) connect(p Player, at Frame) verdict {
	if v := r.misuse(p, ^PlayerSet(0), 0); v != 0 {
		return v
	}
	w := &r.who[p]
	switch {
	case !w.leaving():
		return noSuchPlayer
	case at >= lastFrame:
		return other
	case at < max(r.frame, r.agreed()) || at <= w.absences[len(w.absences)-1].first:
		return conflict
	}
	w.absences[len(w.absences)-1].end = at
	r.high = min(r.high, at) // the one way back
	return fine
}

// mayRun says whether the next frame may run, and whose inputs are awaited.
func (r *reference) mayRun() (v verdict, waiting PlayerSet) {
	if r.frame >= lastFrame {
		return other, 0 // the numbers have been used up
	}
	for p := range Player(r.cfg.Players) {
		if r.owed(p) {
			return notSampled, 0
		}
		if n := r.next(p); r.frame >= n && r.frame-n >= Frame(r.cfg.Window) {
			waiting |= 1 << p
		}
	}
	behind := r.agreed()
	if r.cfg.Stream {
		behind = r.read
	}
	if (r.cfg.Stream || !r.alone()) && r.frame >= behind && r.frame-behind >= Frame(r.cfg.History) {
		return stalled, 0
	}
	if waiting != 0 {
		return stalled, waiting
	}
	return fine, 0
}

// tick is what Tick does, if it may run.
func (r *reference) tick() {
	r.lose()
	r.correct()
	m, known := r.now(r.frame)
	s, end := r.simulate(r.frame, m, known)
	r.states, r.used, r.ends = append(r.states, s), append(r.used, m), append(r.ends, end)
	r.frame++
	r.stats.Ticks++
	r.verify()
}

func (r *reference) settle() {
	if r.wrong() != rollback.NoFrame {
		r.lose()
		r.correct()
		r.verify()
	}
}

// right returns how many frames are simulated, or confirmed, or agreed, and right.
func (r *reference) right(n Frame) Frame { return min(n, r.wrong()) }

// judge looks for the result among the frames that can no longer change.
func (r *reference) judge() {
	for ; r.judged < r.right(min(r.agreed(), r.frame)); r.judged++ {
		if end := r.ends[r.judged-r.start]; end.finished && !r.over {
			r.over, r.outcome = true, rollback.Outcome{Frame: r.judged, Result: end.result}
		}
	}
}

func (r *reference) provisional() (rollback.Outcome, bool) {
	r.judge()
	for f := r.judged; f < r.right(r.frame) && !r.over; f++ {
		if end := r.ends[f-r.start]; end.finished {
			return rollback.Outcome{Frame: f, Result: end.result}, true
		}
	}
	return r.outcome, r.over
}

// looksOver reports whether a frame has finished the match, right or wrong.
func (r *reference) looksOver() bool {
	return r.over || slices.ContainsFunc(r.ends[r.judged-r.start:], func(e ending) bool { return e.finished })
}
