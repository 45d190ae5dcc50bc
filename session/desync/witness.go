package desync

// answerAll answers the queries that can be answered now, at most one per peer.
func (v *Investigation) answerAll() {
	for _, m := range v.members {
		if !m.asking {
			continue
		}
		a := answer{number: m.question.number, step: m.question.step}
		if !v.answer(&m.question, &a) {
			continue // later
		}
		m.asking = false
		if m == v.own {
			v.answered(m, &a)
			continue
		}
		v.send(m, Answer, a.append(nil))
	}
}

// answer fills in an answer, or returns false if it is too early for one.
func (v *Investigation) answer(q *ask, a *answer) bool {
	r := &v.restoring
	switch q.step {
	case askHashes:
		a.machine = []byte(v.setup.Machine[:min(len(v.setup.Machine), maxMachine)])
		return v.hashes(q, a)
	case askState:
		if r.state != q.state {
			r.begin(v.setup.Evidence, v.setup.Game, q.state)
		}
		if !r.done {
			return false
		}
		*a = r.found
		a.number, a.inputs = q.number, v.setup.Evidence.inputsDigest(q.inputs, q.state)
	case askParts:
		if r.view != nil {
			a.parts = q.partsOf(r.view)
		}
	}
	return true
}

// partsOf returns the parts of a state that are requested.
func (a *ask) partsOf(v view) (parts [][]byte) {
	for _, n := range a.nodes {
		parts = append(parts, appendPart(nil, v, int(a.depth), int(a.level), n))
	}
	return parts
}

// hashes answers with hashes of agreed states. It is too early as long as one of them is not agreed.
func (v *Investigation) hashes(q *ask, a *answer) bool {
	e := v.setup.Evidence
	every := e.cfg.HashEvery
	if !e.on || e.stopped || q.from%every != 0 {
		return true
	}
	last := uint64(q.from) + uint64(q.count-1)*uint64(every)
	if last > uint64(e.hashed) {
		return false
	}
	for state := q.from; state <= uint32(last); state += every {
		hash, ok := e.HashOf(state)
		if !ok {
			return true // the answer is empty: no earlier one is held either
		}
		a.entries = append(a.entries, hash)
	}
	return true
}
