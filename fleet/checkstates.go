package fleet

// statesChecker checks that the hash of an agreed state is the same as offline, where the same inputs run in a game
// that is never rolled back, and that the game finishes in the same frame.
type statesChecker struct{ noCheck }

func (statesChecker) name() string { return "states" }

func (c statesChecker) agreed(r *referee, a *agreement) {
	rec := r.match(a.match)
	if broken, from := r.plan.diverges(); broken == a.machine && a.match == 1 && int64(a.frame) >= from {
		return
	}
	if rec.wrong[a.machine] == int64(a.frame) {
		r.violate(c, a.machine, "match %d: the state after frame %d has the hash %016x, offline %016x",
			a.match, a.frame, a.hash, rec.facts[a.frame].hash)
	}
	if int(a.frame) != len(rec.facts)-1 {
		return
	}
	if s := rec.end; s.Finished != a.finished || s.Result != a.result {
		r.violate(c, a.machine, "match %d, frame %d: finished %v with %d, offline %v with %d",
			a.match, a.frame, a.finished, a.result, s.Finished, s.Result)
	}
}
