package theatre

import (
	"io"
	"time"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// What is the kind of a [Mark].
type What uint8

// The marks.
const (
	Hit      What = iota // in a skirmish: a mine was taken
	KnockOut             // in a skirmish: a side was beaten
	Round
	Leave
	Join
)

// Mark is a moment of a match.
type Mark struct {
	Frame  uint32
	What   What
	Player int // the player who hits, is knocked out, leaves or joins; 0 for a round
}

func duelMark(e *effects.Event) (Mark, bool) {
	m := Mark{Frame: uint32(e.Frame), Player: int(e.Key & 1)}
	switch {
	case duel.Struck.Is(e):
		m.What = Hit
	case duel.KnockedOut.Is(e):
		m.What = KnockOut
	default:
		return m, false
	}
	return m, true
}

func arenaMark(e *effects.Event) (Mark, bool) {
	m := Mark{Frame: uint32(e.Frame)}
	switch {
	case arena.Hit.Is(e):
		m.What, m.Player = Hit, int(arena.Hit.Payload(e).By%arena.MaxPlayers)
	case arena.Rammed.Is(e):
		m.What, m.Player = Hit, int(arena.Rammed.Payload(e).By%arena.MaxPlayers)
	case arena.KnockedOut.Is(e):
		m.What, m.Player = KnockOut, int(arena.KnockedOut.Payload(e).Player%arena.MaxPlayers)
	case arena.RoundStarted.Is(e):
		m.What = Round
	default:
		return m, false
	}
	return m, true
}

func tanksMark(e *effects.Event) (Mark, bool) {
	m := Mark{Frame: uint32(e.Frame)}
	switch {
	case tanks.Hit.Is(e):
		m.What, m.Player = Hit, int(tanks.Hit.Payload(e).By%tanks.MaxPlayers)
	case tanks.Destroyed.Is(e):
		m.What, m.Player = KnockOut, int(tanks.Destroyed.Payload(e).Player%tanks.MaxPlayers)
	default:
		return m, false
	}
	return m, true
}

func skirmishMark(e *effects.Event) (Mark, bool) {
	m := Mark{Frame: uint32(e.Frame)}
	switch {
	case skirmish.Taken.Is(e):
		m.What, m.Player = Hit, int(skirmish.Taken.Payload(e)%skirmish.MaxPlayers)
	case skirmish.Beaten.Is(e):
		m.What, m.Player = KnockOut, int(skirmish.Beaten.Payload(e)%skirmish.MaxPlayers)
	default:
		return m, false
	}
	return m, true
}

const (
	// maxMarks is the maximum number of marks that a scan keeps; a round has some hundreds.
	maxMarks = 1 << 14
	// maxScan is the maximum number of frames that a scan examines: four hours at 60 frames per second. A small file
	// can have years of frames without any input.
	maxScan = 4 * 3600 * 60
)

// Scan goes through a recording to find events in it.
type Scan struct {
	file   *File
	player player
	gone   rollback.PlayerSet
	marks  []Mark
	over   bool
	err    error
}

// Scan starts a scan of the recording.
func (f *File) Scan() *Scan {
	s := &Scan{file: f}
	s.player, s.err = f.kind.scanner(f.Header().Game, f.Reader)
	s.over = s.err != nil
	return s
}

// Work continues for about this long, and reports whether the scan is over.
func (s *Scan) Work(budget time.Duration) (over bool) {
	until := time.Now().Add(budget)
	for n := 1; !s.over; n++ {
		if s.one(); n%paceEvery == 0 && !time.Now().Before(until) {
			break
		}
	}
	return s.over
}

func (s *Scan) one() {
	at := uint32(s.player.At())
	if at-s.file.Reader.First() >= maxScan {
		s.over = true
		return
	}
	if err := s.player.Step(); err != nil {
		if s.over = true; err != io.EOF {
			s.err = err
		}
		return
	}
	for _, e := range s.player.Effects() {
		if m, ok := s.file.kind.mark(&e); ok && e.What == effects.Started {
			s.add(m)
		}
	}
	if gone := s.player.Gone(); gone != s.gone {
		for p := range recordings.MaxPlayers {
			who := rollback.SetOf(rollback.Player(p))
			switch {
			case gone&who != 0 && s.gone&who == 0:
				s.add(Mark{at, Leave, p})
			case gone&who == 0 && s.gone&who != 0:
				s.add(Mark{at, Join, p})
			}
		}
		s.gone = gone
	}
}

func (s *Scan) add(m Mark) {
	if len(s.marks) < maxMarks {
		s.marks = append(s.marks, m)
	}
}

// Marks returns the marks so far, in the order of their frames.
func (s *Scan) Marks() []Mark { return s.marks }

// Until returns the frame that the scan has reached. Err returns why it stopped there: the recording is damaged,
// or the game fails at it; nil at the end.
func (s *Scan) Until() uint32 {
	if s.player == nil {
		return s.file.Reader.First()
	}
	return uint32(s.player.At())
}

// Checked returns how many recorded hashes were compared, and the first state that
// differed, or [rollback.NoFrame].
func (s *Scan) Checked() (compared uint64, wrong rollback.Frame) {
	if s.player == nil {
		return 0, rollback.NoFrame
	}
	return s.player.Checked()
}

// Err returns why the scan ended early, or nil.
func (s *Scan) Err() error { return s.err }
