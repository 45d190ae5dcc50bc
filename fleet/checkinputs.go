package fleet

// inputsChecker checks that the inputs, orders and statuses of an agreed frame are the same on all
// machines.
type inputsChecker struct{ noCheck }

func (inputsChecker) name() string { return "inputs" }

func (c inputsChecker) agreed(r *referee, a *agreement) {
	facts := r.match(a.match).facts
	if f := int(a.frame); f >= len(facts) || facts[f].inputs != a.inputs {
		r.violate(c, a.machine, "match %d, frame %d: other inputs, orders or statuses than elsewhere", a.match, a.frame)
	}
}
