package membership

import "iter"

// MaxPauses is the maximum number of pauses per match for each member's seat.
const MaxPauses = 8

// Absence is a range of frames without a player: from From up to but not including Back. [NoFrame] in From means
// that there is no absence; in Back, that it has no end.
type Absence struct{ From, Back Frame }

// LogState is the state of the log up to a slot. It is comparable and copied by value.
type LogState struct {
	Slot    uint32                // the number of entries so far, which is the next slot
	Members [maxPlayers]PlayerSet // by lowest player; 0 if there is no such member
	IDs     [maxPlayers]uint64    // the last incarnation, by lowest player; 0 for an original member
	Absent  [maxPlayers]Absence   // by player

	Paused   bool
	PausedAt Frame             // the first frame that does not run; 0 if not paused
	PausedBy PlayerSet         // the member that asked; 0 if not paused
	Pauses   [maxPlayers]uint8 // number requested so far, by lowest player
}

// Begin returns the state before the first entry. Members must be non-empty and share no
// players. Reserved players are absent from frame 0 on, until they join.
func Begin(members []PlayerSet, reserved PlayerSet) LogState {
	var s LogState
	for _, m := range members {
		s.Members[lowest(m)] = m
	}
	for p := range s.Absent {
		s.Absent[p] = Absence{NoFrame, NoFrame}
		if reserved.Has(Player(p)) {
			s.Absent[p].From = 0
		}
	}
	return s
}

// All returns the players of all members.
func (s *LogState) All() PlayerSet { return s.Whole(^PlayerSet(0)) }

// each yields the members in ascending order, each with its lowest player.
func (s *LogState) each() iter.Seq2[Player, PlayerSet] {
	return func(yield func(Player, PlayerSet) bool) {
		for p, m := range &s.Members {
			if m != 0 && !yield(Player(p), m) {
				return
			}
		}
	}
}

// Len returns the number of members.
func (s *LogState) Len() int {
	n := 0
	for range s.each() {
		n++
	}
	return n
}

// Has reports whether m is exactly the set of players of one member.
func (s *LogState) Has(m PlayerSet) bool { return m != 0 && s.Members[lowest(m)] == m }

// Whole returns all players of the members that have a player in the set.
func (s *LogState) Whole(set PlayerSet) PlayerSet {
	var whole PlayerSet
	for _, m := range s.Members {
		if m&set != 0 {
			whole |= m
		}
	}
	return whole
}

// From returns the first frame without one of the players, or [NoFrame].
func (s *LogState) From(players PlayerSet) Frame {
	at := NoFrame
	for p := range players.All() {
		at = min(at, s.Absent[p].From)
	}
	return at
}

// present returns f, or the first frame at which all of these players have joined if that is later.
func (s *LogState) present(players PlayerSet, f Frame) Frame {
	for p := range players.All() {
		if back := s.Absent[p].Back; back != NoFrame {
			f = max(f, back)
		}
	}
	return f
}

// Gone returns the players that are absent in frame f.
func (s *LogState) Gone(f Frame) (players PlayerSet) {
	for p, a := range s.Absent {
		if a.From <= f && f < a.Back {
			players |= 1 << p
		}
	}
	return players
}

// quorum reports whether the members all of whose players are in yes can decide. They must be more than half of the
// members; of four or more members, half of them including the lowest one is enough. So any two quorums have a
// member in common.
func (s *LogState) quorum(yes PlayerSet) bool {
	n, in, first := 0, 0, false
	for _, m := range s.each() {
		if m&^yes == 0 {
			in++
			first = first || n == 0
		}
		n++
	}
	return 2*in > n || 2*in == n && n > 2 && first
}

// apply appends an entry to the log. If that is impossible, it returns why, and the state is unchanged.
func (s *LogState) apply(e Entry) (why string) {
	next := *s
	switch e.Kind {
	case None:
	case Leave, Drop, Kick:
		why = next.remove(&e)
	case Join:
		why = next.join(&e)
	case Pause:
		why = next.pause(&e)
	case Resume:
		why = next.resume(&e)
	default:
		why = "there is no such kind"
	}
	if next.Slot++; next.Slot == 0 {
		why = "the log is full"
	}
	if why == "" {
		*s = next
	}
	return why
}

func (s *LogState) remove(e *Entry) string {
	switch {
	case e.Players == 0 || s.Whole(e.Players) != e.Players:
		return "they are not all players of members"
	case e.Kind == Leave && !s.Has(e.Players):
		return "members leave one by one"
	case e.Kind != Leave && e.Players == s.All():
		return "nobody would remain"
	}
	for p := range e.Players.All() {
		s.Members[p] = 0
		a, cut := &s.Absent[p], e.Cut(p)
		switch {
		case cut == NoFrame:
			return "it has no frame"
		case a.Back == NoFrame || cut > a.Back:
			*a = Absence{cut, NoFrame}
		case cut == a.Back:
			a.Back = NoFrame
		default:
			return "it is before they joined"
		}
	}
	return ""
}

func (s *LogState) join(e *Entry) string {
	low := lowest(e.Players)
	switch {
	case e.Players == 0 || e.Players&s.All() != 0:
		return "the players are taken"
	case e.ID == 0 || e.ID == s.IDs[low]:
		return "the incarnation is not new"
	}
	for p := range e.Players.All() {
		a := &s.Absent[p]
		if a.From == NoFrame || a.Back != NoFrame || e.Frame <= a.From || e.Frame == NoFrame {
			return "the players are not absent then"
		}
		a.Back = e.Frame
	}
	s.Members[low], s.IDs[low] = e.Players, e.ID
	return ""
}

func (s *LogState) pause(e *Entry) string {
	low := lowest(e.Players)
	switch {
	case !s.Has(e.Players):
		return "only a member can ask"
	case s.Paused:
		return "it is paused already"
	case s.Pauses[low] >= MaxPauses:
		return "that member has used up its pauses"
	case e.Frame == NoFrame:
		return "it has no frame"
	}
	s.Pauses[low]++
	s.Paused, s.PausedAt, s.PausedBy = true, e.Frame, e.Players
	return ""
}

func (s *LogState) resume(e *Entry) string {
	switch {
	case !s.Has(e.Players):
		return "only a member can ask"
	case !s.Paused || e.Frame != s.PausedAt:
		return "it is not paused there"
	}
	s.Paused, s.PausedAt, s.PausedBy = false, 0, 0
	return ""
}
