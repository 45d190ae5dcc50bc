package desync

// answerAll answers the queries that can be answered now, at most one per peer.
func (v *Investigation) answerAll() {
	for i := range v.members {
		m := &v.members[i]
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
			r.begin(v, q.state)
		}
		if !r.done {
			return false
		}
		*a = r.found(a.number)
		a.inputs = v.setup.Evidence.inputsDigest(q.inputs, q.state)
	case askNodes, askLeaves:
		if r.view != nil {
			a.look(r.view, q)
		}
	}
	return true
}

// look answers a query about parts of a state.
func (a *answer) look(at view, q *ask) {
	if q.step == askLeaves {
		for _, n := range q.nodes {
			a.leaves = append(a.leaves, at.leaf(nil, int(q.depth), n))
		}
		return
	}
	a.nodes = make([][fan]uint64, len(q.nodes))
	for i, n := range q.nodes {
		at.digests(int(q.depth), int(q.level), n, &a.nodes[i])
	}
}

// hashes answers with hashes of agreed states. It is too early as long as one of them is not agreed.
func (v *Investigation) hashes(q *ask, a *answer) bool {
	e := v.setup.Evidence
	every := e.cfg.HashEvery
	if !e.on || e.stopped || q.per%every != 0 || q.from%every != 0 {
		return true
	}
	if q.to-q.to%every > e.hashed {
		return false
	}
	for from := uint64(q.from); from <= uint64(q.to); from += uint64(q.per) {
		entry := uint64(0)
		for s := from; s < from+uint64(q.per) && s <= uint64(q.to); s += uint64(every) {
			hash, ok := e.HashOf(uint32(s))
			if !ok {
				return true // the answer is empty: no earlier one is held either
			}
			if q.per != every {
				hash = mixed(entry, hash)
			}
			entry = hash
		}
		a.entries = append(a.entries, entry)
	}
	return true
}
