package desync

import (
	"bytes"
	"slices"
	"time"
)

// coordination is the state of the coordinator.
type coordination struct {
	number uint32 // of the newest query
	step   step   // the step of that query; 0: none yet

	from, to      uint32        // the states being searched
	state, inputs uint32        // the first state that differs, and the first frame of the report's inputs
	groups        []uint64      // the hashes of that state
	tellers       []*member     // the member that is queried for each group, or nil
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
		v.beginWalk()
		v.goOn()
	case askParts:
		told := make([][][]byte, len(l.tellers))
		for g, m := range l.tellers {
			if m != nil {
				told[g] = m.parts
			}
		}
		l.walk.take(told)
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
	for _, m := range v.members {
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
		m.state.why = bytes.Clone(a.why)
	default:
		m.parts = a.parts
		for i, part := range a.parts {
			m.parts[i] = bytes.Clone(part)
		}
	}
}

// ask sends a query to the members that who selects and that can answer.
func (v *Investigation) ask(q ask, who func(m *member) bool) {
	l := v.coordination
	l.number++
	l.step, q.number, l.took = q.step, l.number, 0
	for _, m := range v.members {
		if m.parts = nil; m.gone || m.mute || !who(m) {
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

// askForHashes requests as many hashes as there is room for in an answer.
func (v *Investigation) askForHashes() {
	l := v.coordination
	count := min((l.to-l.from)/v.setup.Evidence.cfg.HashEvery+1, maxEntries)
	for _, m := range v.members {
		m.entries = nil // those of other states
	}
	v.ask(ask{step: askHashes, from: l.from, count: uint16(count)}, everybody)
}

// narrowStates finds the first hash that is not the same at all members that have answered.
func (v *Investigation) narrowStates() {
	l, every := v.coordination, v.setup.Evidence.cfg.HashEvery
	want := int(min((l.to-l.from)/every+1, maxEntries))
	var first []uint64
	differs, told := want, 0
	for _, m := range v.members {
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
	next := l.from + uint32(differs)*every
	switch {
	case told < 2:
		v.abort("no other peer has the hashes of those states")
	case differs == want && next > l.to:
		v.abort("all peers with the hashes of those states have the same ones")
	case differs == want:
		l.from = next
		v.askForHashes()
	default:
		l.state = next
		v.askForState(differs)
	}
}

// askForState groups the members by their hashes, and requests the first state that differs.
func (v *Investigation) askForState(entry int) {
	l := v.coordination
	for _, m := range v.members {
		if m.entries == nil {
			continue
		}
		m.entries = m.entries[entry : entry+1]
		if h := m.entries[0]; groupOf(l.groups, h) == None {
			l.groups = append(l.groups, h)
		}
	}
	l.inputs = v.setup.Evidence.inputsFrom(l.state)
	v.ask(ask{step: askState, state: l.state, inputs: l.inputs}, func(m *member) bool { return m.entries != nil })
}

func groupOf(groups []uint64, hash uint64) uint32 {
	for i, g := range groups {
		if g == hash {
			return uint32(i)
		}
	}
	return None
}

// beginWalk chooses the member to query for each group: an original is better than a resimulated state.
func (v *Investigation) beginWalk() {
	l := v.coordination
	l.tellers = make([]*member, len(l.groups))
	tells, depth := make([]bool, len(l.groups)), 0
	for _, m := range v.members {
		if m.gone || m.mute || len(m.entries) == 0 || m.state.source == 0 || m.state.source > Resimulated {
			continue
		}
		g := groupOf(l.groups, m.entries[0])
		if best := l.tellers[g]; best == nil || m.state.source < best.state.source {
			l.tellers[g], tells[g] = m, true
		}
		depth = max(depth, int(m.state.depth))
	}
	l.walk = newWalk(layoutOf(v.setup.Game), depth, tells)
}

// goOn requests more parts, or writes the report.
func (v *Investigation) goOn() {
	l := v.coordination
	if q, ok := l.walk.next(); ok {
		v.ask(q, func(m *member) bool { return slices.Contains(l.tellers, m) })
		return
	}
	v.close(v.compose().Bytes(), "")
	v.coordination = &coordination{} // records that the report was sent to all
	v.giveAll()
}
