package desync

import (
	"runtime"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/agreed"
)

// slow is a toy whose frames can be interrupted: each does so much work, in ten parts.
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
}

func (g *slowToy) Sandbox() (Sandbox, error) {
	b, err := g.toy.Sandbox()
	if err != nil {
		return nil, err
	}
	return &slow{toyBox: b.(*toyBox), work: g.work, spent: &g.spent}, nil
}

// Rule: a frame that can be interrupted is simulated in slices, none of which does more than it should by
// more than one part of the game; the report is what it is without.
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

// Rule: a frame that was interrupted, and is not needed any more, ends; nothing is left of it.
func TestAFrameThatIsNotNeededEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		g := &slowToy{toy: &toy{size: 40, width: 4}, work: 10 * workAtOnce}
		box, err := g.Sandbox()
		if err != nil {
			t.Fatal(err)
		}
		var p pacer
		p.begin(box, 40)
		for ended := false; !ended; p.slice() {
			if ended, err = p.load(make([]byte, 40)); err != nil {
				t.Fatal(err)
			}
		}
		g.spent = 0
		if ended, err := p.step(&agreed.Frame{Inputs: make([]byte, 1)}); ended || err != nil || !p.full() {
			t.Fatalf("ended: %v, full: %v, %v", ended, p.full(), err)
		}
		p.end()
		if g.spent > 2*workAtOnce || g.steps != 0 {
			t.Errorf("it has gone on, to %d of work and %d steps", g.spent, g.steps)
		}
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines are left", after-before)
	}
}

// Rule: frames of games with small states are simulated a few at a time, those of others one by one.
func TestFramesAtOnce(t *testing.T) {
	for size, want := range map[int]int{10: framesAtOnce, smallState: framesAtOnce, smallState + 1: 1} {
		g := &toy{size: 40, width: 4}
		box := &toyBox{toy: g, state: make([]byte, 40)}
		var p pacer
		p.begin(box, size)
		frames := uint32(0)
		for p.slice(); !p.full(); frames++ {
			if ended, err := p.step(&agreed.Frame{Number: frames, Inputs: make([]byte, 1)}); !ended || err != nil {
				t.Fatal(ended, err)
			}
		}
		if int(frames) != want {
			t.Errorf("%d frames of a state of %d bytes, want %d", frames, size, want)
		}
	}
}
