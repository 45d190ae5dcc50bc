package desync

import (
	"runtime"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/agreed"
)

// slow is a toy whose frames can be interrupted: each does a certain amount of work, in ten parts.
type slow struct {
	*toyBox
	work  int
	pause func(work int)
	spent *int // work of all frames
}

func (s *slow) Pausing(pause func(work int)) bool {
	s.pause = pause
	return true
}

// Unmarshal does as much work as a frame, in ten parts.
func (s *slow) Unmarshal(b []byte) error {
	for range 10 {
		*s.spent += s.work / 10
		s.pause(s.work / 10)
	}
	return s.toyBox.Unmarshal(b)
}

func (s *slow) Step(f *agreed.Frame) error {
	for range 10 {
		*s.spent += s.work / 10
		s.pause(s.work / 10)
	}
	return s.toyBox.Step(f)
}

// slowToy is a game of slow toys.
type slowToy struct {
	*toy
	work  int
	spent int
	box   *slow // the newest
}

func (g *slowToy) Sandbox() (Sandbox, error) {
	b, err := g.toy.Sandbox()
	if err != nil {
		return nil, err
	}
	g.box = &slow{toyBox: b.(*toyBox), work: g.work, spent: &g.spent}
	return g.box, nil
}

// Rule: a frame that can be interrupted is simulated in slices, each of which exceeds the intended work
// by at most one part of the game's; the report is the same as without slices.
func TestFramesAreSimulatedInSlices(t *testing.T) {
	for _, work := range []int{10, 3000, 50_000} {
		cfg := everyState()
		cfg.Slow = true
		g := toy{size: 5000, width: 4, lines: true, parted: true}
		tb := newTable(t, cfg, g, 1, 2)
		games := make([]*slowToy, 2)
		for i, s := range tb.seats {
			games[i] = &slowToy{toy: s.game, work: work}
			s.setup.Game, s.setup.Patience = games[i], time.Minute
		}
		tb.seats[1].game.wrong = func(s []byte, frame uint32) {
			if frame == 70 {
				s[900] ^= 1
				s[4001] ^= 1
			}
		}
		most := 0
		for range 3000 {
			if tb.seats[0].Report() != nil {
				break
			}
			before := games[0].spent
			tb.run(1)
			most = max(most, games[0].spent-before)
		}
		tb.run(5)
		r := tb.report()
		if r.State != 71 || r.Total != 2 {
			t.Errorf("with %d of work in a frame: %+v", work, r)
		}
		if limit := workAtOnce + work/10; games[0].spent == 0 || most > limit {
			t.Errorf("with %d of work in a frame, %d in all, a slice does %d; at most %d", work, games[0].spent, most, limit)
		}
	}
}

// Rule: a simulation that was interrupted and is no longer needed ends, whether in a frame or between frames, and
// nothing is left of it.
func TestAFrameThatIsNotNeededEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	for slices := range 32 {
		cfg := everyState()
		cfg.Slow = true
		tb := newTable(t, cfg, toy{size: 40, width: 4, lines: true}, 1, 2)
		tb.run(70)
		s := tb.seats[0]
		g := &slowToy{toy: s.game, work: 5 * workAtOnce}
		var r restoring
		r.begin(&s.evidence, g, 63)
		for range slices {
			r.slice()
		}
		spent, steps := g.spent, g.steps
		if r.done && slices < 20 || !r.done && slices > 26 {
			t.Errorf("after %d slices it has ended: %v", slices, r.done)
		}
		if r.done {
			g.box.pause(2 * workAtOnce) // as if it were asked for the text of a part
		}
		if r.end(); g.spent != spent || g.steps != steps || g.loads != 1 && slices > 6 {
			t.Errorf("after %d slices it goes on, to %d of work, %d steps and %d states", slices, g.spent, g.steps, g.loads)
		}
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines are left", after-before)
	}
}

// Rule: frames of games with small states are simulated a few at a time, those of others one by one.
func TestFramesAtOnce(t *testing.T) {
	for size, want := range map[int]int{40: framesAtOnce, smallState: framesAtOnce, smallState + 1: 1} {
		cfg := everyState()
		cfg.Slow, cfg.Budget = true, 1<<22
		tb := newTable(t, cfg, toy{size: size, width: 4, lines: true}, 1, 2)
		tb.run(65) // the states before are not compared yet
		s := tb.seats[0]
		var r restoring
		r.begin(&s.evidence, s.game, 59)
		most := 0
		for !r.done {
			before := s.game.steps
			r.slice()
			most = max(most, s.game.steps-before)
		}
		if most != want || s.game.steps != 59 || r.found.source != Resimulated {
			t.Errorf("%d frames of a state of %d bytes, want %d; %d in all: %+v", most, size, want, s.game.steps, r.found)
		}
	}
}
