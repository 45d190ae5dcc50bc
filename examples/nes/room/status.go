package room

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"

	"github.com/tickback/tickback/examples/nes/console"
)

// MarkEvery is how many frames there are from one [Mark] to the next.
const MarkEvery = 300

// Mark is the hash of an agreed state, which is the same on all machines.
type Mark struct {
	Frame int // of the state
	Hash  string
}

// marks are the newest ones of a match.
type marks struct{ list []Mark }

// most is how many marks are kept: those of a minute and more.
const most = 16

func (m *marks) take(a *rollback.Agreed[console.Input]) {
	if f := int(a.Frame) + 1; a.Hashed && f%MarkEvery == 0 {
		if len(m.list) == most {
			m.list = append(m.list[:0], m.list[1:]...)
		}
		m.list = append(m.list, Mark{Frame: f, Hash: fmt.Sprintf("%016x", a.Hash)})
	}
}

// Status is how a match goes, for tests and the curious: a page has it as window.tickback.
type Status struct {
	Said                   string // the line that was shown last
	Frame                  int    // frames that have run here
	Rollbacks, Resimulated uint64
	Stalled                float64 // seconds that the match has waited for the other
	Seconds                float64 // since it began
	Delay                  int     // the input delay of the player here, in frames
	Equal                  bool    // no state has differed from that of another machine
	Marks                  []Mark
}

// Status returns the status of the match that is played, or was played last.
func (g *Game) Status() Status {
	s := Status{Said: g.said, Marks: g.marks.list}
	if g.session == nil {
		return s
	}
	all := g.session.Stats()
	s.Frame, s.Rollbacks, s.Resimulated = int(all.Frame), all.Engine.Rollbacks, all.Engine.Resimulated
	s.Stalled, s.Seconds = all.Stalled.Seconds(), all.Uptime.Seconds()
	s.Equal = all.Health != tickback.Desynced
	for _, d := range all.Delay {
		s.Delay = max(s.Delay, d)
	}
	return s
}
