package membership

import "github.com/tickback/tickback/wire/datagram"

// Append appends the encoded state, for a newcomer. The length is the same throughout a match.
func (s LogState) Append(b []byte, sets datagram.Sets) []byte {
	b = le.AppendUint32(b, s.Slot)
	for p := range sets.Seats() {
		b = append(sets.Append(b, uint16(s.Members[p])), s.Pauses[p])
		b = le.AppendUint64(b, s.IDs[p])
		b = appendFrame(appendFrame(b, s.Absent[p].From), s.Absent[p].Back)
	}
	b = appendFrame(appendTruth(b, s.Paused), s.PausedAt)
	return sets.Append(b, uint16(s.PausedBy))
}

// ConsumeState reads a state from the front of b, and returns the rest. The error says that there is none.
func ConsumeState(b []byte, sets datagram.Sets) (LogState, []byte, error) {
	r := reader{b: b, sets: sets}
	s := Begin(nil, 0)
	s.Slot = r.uint32()
	for p := range sets.Seats() {
		s.Members[p], s.Pauses[p] = r.set(), r.byte()
		s.IDs[p] = r.uint64()
		s.Absent[p] = Absence{Frame(r.uint32()), Frame(r.uint32())}
	}
	s.Paused, s.PausedAt, s.PausedBy = r.truth(), r.frame(), r.set()
	if r.bad || !s.sound() {
		return LogState{}, b, errMalformed
	}
	return s, r.b, nil
}

// sound reports whether some log could produce this state.
func (s *LogState) sound() bool {
	var all PlayerSet
	for p, m := range s.Members {
		if m != 0 && (all&m != 0 || lowest(m) != Player(p)) || s.Pauses[p] > MaxPauses {
			return false
		}
		all |= m
	}
	for p, a := range s.Absent {
		away := a.From != NoFrame && a.Back == NoFrame
		if a.From >= a.Back && a.Back != NoFrame || a.From == NoFrame && a.Back != NoFrame || away && all.Has(Player(p)) {
			return false
		}
	}
	return s.Paused == (s.PausedBy != 0) && (s.Paused || s.PausedAt == 0)
}
