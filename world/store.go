package world

import "sync"

// phase says which operations are allowed on a world.
type phase uint8

const (
	outside phase = iota // between steps: reading, saving, restoring
	inStep               // and changing
	inStage              // changing the rows of a chunk
	frozen               // a snapshot: reading
)

// store is what the parts of one world share.
type store struct {
	name   string // of the type of the world
	phase  phase
	epoch  uint32  // counts steps, stages and restores
	bound  []part  // all parts, in the order of the struct
	parts  []paged // the parts of the state
	tables []*Table
	passed []deferred // the parts that last only for a step
	shape  uint64     // see layout
	stager

	// Snapshots without holders wait here: any goroutine may release one, but only the one that runs the world may take
	// back their pages.
	mu       sync.Mutex
	released []*Snapshot
	spare    []*Snapshot // without pages
}

// deferred is a part that does not belong to the state.
type deferred interface {
	part
	// room makes room for that many chunks of a table, before a stage.
	room(table, chunks int)
	// begin and end are called around a step.
	begin()
	end()
}

// changeable panics if a change is made outside of a step, or in a stage.
func (s *store) changeable(call, path string, row int) {
	if s.phase != inStep {
		panic(s.refusal(call, path, row))
	}
}

// between panics in a step, before anything is changed. In a stage other goroutines read; and memory that a step got
// for writing could still be written after a snapshot or a hash was taken.
func (s *store) between(call string) {
	if s.phase == inStep || s.phase == inStage {
		panic(s.refusal(call, s.name, noRow))
	}
}

// refusal returns the reason why a change is refused.
func (s *store) refusal(call, path string, row int) *UseError {
	e := &UseError{Call: call, Path: path, Row: row}
	switch s.phase {
	case frozen:
		e.Err = ErrFrozen
	case inStage:
		e.Err = ErrInStage
	case inStep:
		e.Err = ErrInStep
	default:
		e.Err = ErrOutsideStep
	}
	return e
}

func (s *store) begin() {
	if s.phase != outside {
		panic(s.refusal("a step", s.name, noRow))
	}
	s.phase = inStep
	s.epoch++
	s.startWorkers()
	for _, d := range s.passed {
		d.begin()
	}
}

func (s *store) end() {
	for _, d := range s.passed {
		d.end()
	}
}

func (s *store) leave() {
	s.phase = outside
	s.epoch++
}
