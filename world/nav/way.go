package nav

import (
	"fmt"
	"slices"
)

// The maximum numbers of cells of a way.
const (
	MaxGoals  = 8
	MaxStarts = 8
	// MaxEnds is the maximum number of cells where a way ends: the goals that can be reached, and a substitute for each
	// start from which none can be reached.
	MaxEnds = MaxGoals + MaxStarts
)

// Way is a request for a path to some goals, for all units that were given the same order, and its answer. It is plain
// data without gaps, and belongs in a game's state. The zero value is free; [Navigator.Ask] fills it in,
// [Navigator.Advance] answers it, and the game sets it to zero when no unit follows it any more.
//
// The fields are exported so that a state can hold them. A game need only use Open and Waiting. Wrong values in a state
// from the network do no harm, except that the way may lead nowhere.
type Way struct {
	// Ticket is the position among the waiting ways: the lowest is answered first. It is 0 for a way that is not waiting.
	Ticket uint32
	// Answered is the number of times that the way has been answered. A way that has been answered is open: fields
	// lead along it, even while it waits to be answered again.
	Answered uint32
	// Whole is 1 if fields lead to the ends from all cells, and not only along a corridor.
	Whole uint16
	// Widen is 1 if Whole becomes 1 with the next answer.
	Widen uint16

	GoalCount, StartCount, EndCount uint32

	Goals  [MaxGoals]Cell
	Starts [MaxStarts]Cell
	Ends   [MaxEnds]Cell

	// Route has the sectors through which the ways from the starts lead. Fields cover these and the sectors around them.
	Route Sectors
}

// Waiting reports whether a way is waiting to be answered, for the first time or again.
func (w *Way) Waiting() bool { return w.Ticket != 0 }

// Open reports whether fields lead along a way.
func (w *Way) Open() bool { return w.Answered != 0 }

// goals, starts and ends return the parts of the arrays that are used. In a state from outside, a count may have any
// value.
func (w *Way) goals() []Cell  { return w.Goals[:min(w.GoalCount, MaxGoals)] }
func (w *Way) starts() []Cell { return w.Starts[:min(w.StartCount, MaxStarts)] }
func (w *Way) ends() []Cell   { return w.Ends[:min(w.EndCount, MaxEnds)] }

// Meter is the part of a game's state that spreads the work on ways over ticks. It is plain data. The game sets only
// PerTick, to the amount that one tick may spend: 32,768 cells are about half a millisecond. A request that costs more
// than that is answered after several ticks, and with 0 none is answered.
type Meter struct {
	PerTick uint32
	Credit  uint32 // cells saved for the request that has waited longest
	Tickets uint32 // the newest ticket
}

// Ask begins a way: it waits until Advance answers it. Its previous content is lost.
//
// The starts are the cells of the units that will follow it, in any order; one start is kept for each zone. Without
// starts, or if they are in more than eight zones, the way is answered for the whole map, which costs all its cells. A
// unit in a cell that cannot be entered starts at the nearest one that can. A way serves at most eight islands that
// cannot reach each other.
//
// The order of the goals does not matter, nor do duplicates. A goal that cannot be reached from any start does not
// count if another can be reached. If none can be reached from a start, its way leads to the nearest cell to a goal
// that it can reach: the one whose centre is closest, and of several the first row by row.
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

// ReportOffField says that a unit that follows a way is at a cell from which its field does not lead. The way is
// answered again, with a corridor from there; until then the field does not change. A cell that was reported already,
// or is in the same zone as one, changes nothing while the way is waiting.
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

// queue puts a way at the end of the waiting ones, unless it is waiting already.
func (m *Meter) queue(w *Way) {
	if w.Ticket == 0 {
		m.Tickets = max(m.Tickets+1, 1) // 0 means not waiting; in a state from the network, the counter may be at its maximum
		w.Ticket = m.Tickets
	}
}

// add adds a start. Of several starts in a zone, the first one in row order is kept. If they are in too many zones,
// the way becomes whole, and then the first of each component is enough; if there are too many components, the last
// starts are left out. The result does not depend on the order in which starts are added.
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

// merged reports whether another start already represents the zone or component of this one. If this one comes first,
// it replaces the other.
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
	copy(list[i:], list[i+1:]) // the place after the last one is overwritten by the new start
	w.StartCount = uint32(len(list) - 1)
}

// sameZone reports whether two cells are in the same zone, and connected whether there is a way between them.
func (t *terrain) sameZone(a, b Cell) bool {
	zone := t.zone[t.index(a)]
	return zone != noZone && t.sector(a) == t.sector(b) && zone == t.zone[t.index(b)]
}

func (t *terrain) connected(a, b Cell) bool {
	from, ok := t.component(a)
	to, too := t.component(b)
	return ok && too && from == to
}

// insert puts a cell into the sorted list at the beginning of an array, unless it is already there. It returns the
// number of cells that it has added, 0 or 1.
func insert(list []Cell, count int, c Cell) uint32 {
	i, there := slices.BinarySearch(list[:count], c)
	if there {
		return 0
	}
	copy(list[i+1:count+1], list[i:count])
	list[i] = c
	return 1
}
