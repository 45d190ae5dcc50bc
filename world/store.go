package world

import "sync"

// phase says which operations are allowed on a world.
type phase uint8

const (
	outside phase = iota // between steps: reading, saving, restoring
	inStep               // in a step: also changing
	inStage              // in a stage: changing the rows of the stage's own chunk
	frozen               // a snapshot: reading
)

// store has the data that the parts of one world share.
type store struct {
	name   string // the type of the world
	phase  phase
	epoch  uint32  // counts steps, stages and restores
	bound  []part  // all parts, in the order of the struct
	parts  []paged // the parts of the state
	tables []*Table
	passed []deferred // the parts that last only for a step
	shape  uint64     // a hash of the structure; see layout
	stager

	// Snapshots without holders, and a mutex: any goroutine may release a snapshot, but only the one that runs the
	// world may take back its pages.
	mu       sync.Mutex
	released []*Snapshot
	spare    []*Snapshot // snapshots for reuse, without pages
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

// between panics in a step, before anything is changed. In a stage other goroutines are reading. And a step could
// still write to memory that it was given for writing, after a snapshot or a hash was taken.
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
