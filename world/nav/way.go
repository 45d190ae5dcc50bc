package nav

import (
	"fmt"
	"slices"
)

// The most cells of a way.
const (
	MaxGoals  = 8
	MaxStarts = 8
	// MaxEnds is the most cells that a way ends at: the goals that can be reached, and a
	// substitute for each start from which none can.
	MaxEnds = MaxGoals + MaxStarts
)

// Way is a request for a way and its answer: to some goals, for all units that were given the same
// order. It is plain data without gaps, and belongs into a game's state. The zero value is free;
// [Navigator.Ask] fills it in, [Navigator.Advance] answers it, and the game makes it zero again when
// nobody follows it any more.
//
// The fields are exported so that a state may hold them. A game need not read more than Open and
// Waiting; what they hold in a state from the network can do no harm but lead nowhere.
type Way struct {
	// Ticket is when it waits: the lowest is answered first. It is 0 unless it waits.
	Ticket uint32
	// Answered is how often it was answered. A way that has been answered is open: fields lead
	// along it, also while it waits to be answered again.
	Answered uint32
	// Whole is 1 if fields lead to the ends from everywhere, not only along a corridor.
	Whole uint16
	// Widen is 1 if that shall be so from the next answer on.
	Widen uint16

	GoalCount, StartCount, EndCount uint32

	Goals  [MaxGoals]Cell
	Starts [MaxStarts]Cell
	Ends   [MaxEnds]Cell

	// Route has the sectors that the ways from the starts lead through. Fields cover these and
	// their neighbours.
	Route Sectors
}

// Waiting reports whether a way waits to be answered, for the first time or again.
func (w *Way) Waiting() bool { return w.Ticket != 0 }

// Open reports whether fields lead along a way.
func (w *Way) Open() bool { return w.Answered != 0 }

// goals, starts and ends return what counts of the arrays: a count from outside may be anything.
func (w *Way) goals() []Cell  { return w.Goals[:min(w.GoalCount, MaxGoals)] }
func (w *Way) starts() []Cell { return w.Starts[:min(w.StartCount, MaxStarts)] }
func (w *Way) ends() []Cell   { return w.Ends[:min(w.EndCount, MaxEnds)] }

// Meter is what a game's state has of the work on ways: it spreads the work over ticks. It is plain
// data. Only PerTick is for the game to set, to what one tick may spend: 32,768 cells are about half
// a millisecond. A request that costs more than that is answered after several ticks, and with 0
// none is.
type Meter struct {
	PerTick uint32
	Credit  uint32 // saved for the request that waits longest
	Tickets uint32 // the newest that was given out
}

// Ask begins a way: it waits, and Advance will answer it. Whatever the way was before is gone.
//
// The starts are where those stand that shall walk it, in any order; of those in the same zone one
// is kept. Without starts, and if they are in more than eight zones, the way is answered for the
// whole map, which costs all its cells. One who stands in a cell that cannot be entered starts at
// the nearest one that can. A way leads on at most eight islands that cannot reach each other.
//
// The order of the goals does not matter, and neither does a repetition. A goal that cannot be
// reached from any start is no goal if another can; if none can be reached from a start, its way
// leads to the cell that is nearest to a goal among those that it can reach: the one whose centre
// has the least distance, and among these the first row by row.
func (n *Navigator) Ask(m *Meter, w *Way, goals, starts []Cell) error {
	switch {
	case n.terrain == nil:
		return ErrNoMap
	case len(goals) == 0 || len(goals) > MaxGoals:
		return fmt.Errorf("%w, not %d", ErrGoals, len(goals))
	}
	for _, list := range [...][]Cell{goals, starts} {
		for _, c := range list {
			if !n.terrain.on(c) {
				return fmt.Errorf("%w of %d × %d: %v", ErrCell, n.terrain.width, n.terrain.height, c)
			}
		}
	}
	*w = Way{}
	for _, g := range goals {
		w.GoalCount += insert(w.Goals[:], int(w.GoalCount), g)
	}
	for _, s := range starts {
		n.add(w, s)
	}
	if len(starts) == 0 {
		w.Widen = 1
	}
	m.queue(w)
	return nil
}

// ReportOffField tells that someone who follows a way stands where its field does not lead from. The way is
// answered again, with a corridor from there; until then the field is what it was. A cell that has
// been told already, or is in the zone of one, changes nothing while the way waits.
func (n *Navigator) ReportOffField(m *Meter, w *Way, c Cell) error {
	switch {
	case n.terrain == nil:
		return ErrNoMap
	case w.GoalCount == 0:
		return ErrClosed
	case !n.terrain.on(c):
		return fmt.Errorf("%w of %d × %d: %v", ErrCell, n.terrain.width, n.terrain.height, c)
	}
	n.add(w, c)
	m.queue(w)
	return nil
}

// queue puts a way at the end of those that wait, unless it waits already.
func (m *Meter) queue(w *Way) {
	if w.Ticket == 0 {
		m.Tickets = max(m.Tickets+1, 1) // 0 is not waiting; a state from the network may be at the last one
		w.Ticket = m.Tickets
	}
}

// add adds a start. Of several in a zone the first is kept, row by row. If they are in too many
// zones, the way shall be whole, and then the first of each component is enough; and if there are
// too many of these, the last ones are left out. What is kept does not depend on the order in which
// they come.
func (n *Navigator) add(w *Way, c Cell) {
	if c = n.Nearest(c); c == Nowhere || n.merged(w, c) {
		return
	}
	if w.StartCount >= MaxStarts && w.Whole|w.Widen == 0 {
		w.Widen = 1
		list := w.Starts
		w.Starts, w.StartCount = [MaxStarts]Cell{}, 0
		for _, s := range list {
			n.add(w, s)
		}
		n.add(w, c)
		return
	}
	if w.StartCount >= MaxStarts {
		if c > w.Starts[MaxStarts-1] {
			return
		}
		w.removeStart(MaxStarts - 1)
	}
	w.StartCount += insert(w.Starts[:], int(w.StartCount), c)
}

// merged reports whether a start stands for this one, too. If this one comes first, the other one
// is removed instead.
func (n *Navigator) merged(w *Way, c Cell) bool {
	t := n.terrain
	for i, s := range w.starts() {
		if !t.on(s) || !t.sameZone(s, c) && (w.Whole|w.Widen == 0 || !t.connected(s, c)) {
			continue
		}
		if c >= s {
			return true
		}
		w.removeStart(i)
		return false
	}
	return false
}

func (w *Way) removeStart(i int) {
	list := w.starts()
	copy(list[i:], list[i+1:]) // what stands behind the last one is written over by the one that comes
	w.StartCount = uint32(len(list) - 1)
}

// sameZone reports whether two cells are in the same zone, and connected whether one can walk from
// one to the other.
func (t *terrain) sameZone(a, b Cell) bool {
	zone := t.zone[t.index(a)]
	return zone != noZone && t.sector(a) == t.sector(b) && zone == t.zone[t.index(b)]
}

func (t *terrain) connected(a, b Cell) bool {
	from, ok := t.component(a)
	to, too := t.component(b)
	return ok && too && from == to
}

// insert puts a cell into the sorted list that begins an array, unless it is there. It returns how
// many it has added.
func insert(list []Cell, count int, c Cell) uint32 {
	i, there := slices.BinarySearch(list[:count], c)
	if there {
		return 0
	}
	copy(list[i+1:count+1], list[i:count])
	list[i] = c
	return 1
}
