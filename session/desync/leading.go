package desync

import (
	"time"

	"github.com/tickback/tickback/wire/agreed"
)

// coordination is the state of the coordinator.
type coordination struct {
	number uint32 // of the newest query
	step   step   // the step of that query; 0: none yet

	from, to, per uint32 // the states being searched
	state, inputs uint32 // the first state that differs, and the first frame of the report's inputs
	groups        []uint64
	took          time.Duration // how long this machine took to answer
	walk          walk
}

// lead continues as the coordinator, once all members have answered.
func (v *Investigation) lead() {
	if v.phase == closed && v.report == nil || v.phase == quiet {
		return
	}
	if v.coordination == nil {
		v.coordination = &coordination{}
		if v.report != nil {
			v.giveAll() // the previous coordinator may not have sent it to all
			return
		}
		v.begin()
		return
	}
	if v.report != nil || v.awaits() {
		return
	}
	switch l := v.coordination; l.step {
	case askHashes:
		v.narrowStates()
	case askState:
		l.walk.begin(v)
		v.goOn()
	case askNodes, askLeaves:
		l.walk.take(v)
		v.goOn()
	}
}

// slower limits how much longer another machine may take to restore a state: this many times as long as this
// machine, in addition to the usual time-out.
const slower = 3

// awaits reports whether an answer is missing. A member that is too slow gets no further queries.
func (v *Investigation) awaits() bool {
	waiting, patience := false, v.setup.Patience
	if v.coordination.step == askState && v.own.awaited {
		return true // what takes long here takes long elsewhere
	}
	patience += slower * v.coordination.took
	for i := range v.members {
		m := &v.members[i]
		if m.awaited && v.now-m.since > patience {
			m.awaited, m.mute = false, true
		}
		waiting = waiting || m.awaited
	}
	return waiting
}

// answered handles an answer to the newest query.
func (v *Investigation) answered(m *member, a *answer) {
	l := v.coordination
	if l == nil || !m.awaited || a.number != l.number || a.step != l.step {
		return
	}
	m.awaited = false
	if m == v.own {
		l.took = v.now - m.since
	}
	switch a.step {
	case askHashes:
		m.machine, m.entries = string(a.machine), a.entries
	case askState:
		m.state = *a
		m.state.why = append([]byte(nil), a.why...)
	default:
		m.parts = *a
		for i, leaf := range a.leaves {
			m.parts.leaves[i] = append([]byte(nil), leaf...)
		}
	}
}

// ask sends a query to the members that who selects and that can answer.
func (v *Investigation) ask(q ask, who func(m *member) bool) {
	l := v.coordination
	l.number++
	l.step, q.number, l.took = q.step, l.number, 0
	for i := range v.members {
		m := &v.members[i]
		if m.gone || m.mute || !who(m) {
			continue
		}
		m.awaited, m.since = true, v.now
		if m == v.own {
			m.question, m.asking = q, true
		}
		v.send(m, Ask, q.append(nil)) // only to another machine
	}
	v.answerAll()
}

func everybody(*member) bool { return true }

// begin requests the hashes since the last states that were equal.
func (v *Investigation) begin() {
	e, l := v.setup.Evidence, v.coordination
	if !e.on {
		v.abort("there is no evidence: Evidence is off")
		return
	}
	every := e.cfg.HashEvery
	l.from, l.to = e.horizon+every, v.noticed-v.noticed%every
	if l.from > l.to {
		v.abort("no hashed state was compared since the last equal one")
		return
	}
	v.askForHashes()
}

func (v *Investigation) askForHashes() {
	l, every := v.coordination, v.setup.Evidence.cfg.HashEvery
	count := (l.to-l.from)/every + 1
	l.per = every * ((count + maxEntries - 1) / maxEntries)
	v.ask(ask{step: askHashes, from: l.from, to: l.to, per: l.per}, everybody)
}

// narrowStates finds the first entry that is not the same at all members that have answered.
func (v *Investigation) narrowStates() {
	l, every := v.coordination, v.setup.Evidence.cfg.HashEvery
	want := int((l.to-l.from)/l.per) + 1
	var first []uint64
	differs, told := want, 0
	for i := range v.members {
		m := &v.members[i]
		if len(m.entries) != want {
			m.entries = nil
			continue
		}
		if told++; first == nil {
			first = m.entries
		}
		for k := range differs {
			if m.entries[k] != first[k] {
				differs = k
				break
			}
		}
	}
	switch {
	case told < 2:
		v.abort("no other peer has the hashes of those states")
	case differs == want:
		v.abort("all peers with the hashes of those states have the same ones")
	default:
		l.from += uint32(differs) * l.per
		l.to = min(l.to, l.from+(l.per-every))
		if l.per > every {
			v.askForHashes()
			return
		}
		l.state = l.from
		v.askForState(differs)
	}
}

// askForState groups the members by their hashes, and requests the first state that differs.
func (v *Investigation) askForState(entry int) {
	l := v.coordination
	v.inOrder(func(m *member) {
		if m.entries == nil {
			return
		}
		if h := m.entries[entry]; groupOf(l.groups, h) == None {
			l.groups = append(l.groups, h)
		}
	})
	for i := range v.members {
		if m := &v.members[i]; m.entries != nil {
			m.entries = m.entries[entry : entry+1]
		}
	}
	l.inputs = v.setup.Evidence.inputsFrom(l.state)
	v.ask(ask{step: askState, state: l.state, inputs: l.inputs}, func(m *member) bool { return m.entries != nil })
}

// inOrder visits the members in the order of their players.
func (v *Investigation) inOrder(visit func(m *member)) {
	for p := range agreed.MaxPlayers {
		for i := range v.members {
			if m := &v.members[i]; lowest(m.players) == p {
				visit(m)
			}
		}
	}
}

func groupOf(groups []uint64, hash uint64) uint32 {
	for i, g := range groups {
		if g == hash {
			return uint32(i)
		}
	}
	return None
}

// goOn requests more parts, or writes the report.
func (v *Investigation) goOn() {
	l := v.coordination
	if q, ok := l.walk.next(); ok {
		v.ask(q, func(m *member) bool { return l.walk.asks(m) })
		return
	}
	r := v.compose()
	b := r.fit()
	v.close(b, "")
	v.coordination = &coordination{} // records that the report was sent to all
	v.giveAll()
}
