package rules

import (
	"math/rand/v2"
	"os"
	"runtime"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

var began = time.Now()

// WRONG: the frame in which 90 seconds are over is another one on each machine.
func clockWrong(s *World, _ *rollback.Tick[Input]) {
	s.Over = time.Since(began) > 90*time.Second
}

// RIGHT: the frame is the only time.
func clockRight(s *World, t *rollback.Tick[Input]) {
	const length = 90 * 60 // 90 seconds at 60 ticks/s
	s.Over = t.Frame() >= length
}

// WRONG: each call draws another number, also for the same frame.
func randomWrong(s *World, _ *rollback.Tick[Input]) {
	s.Wind = rand.Int32N(7) - 3
}

// RIGHT: the generator is part of the state, and goes back with it.
func randomRight(s *World, _ *rollback.Tick[Input]) {
	s.Wind = int32(rng.Must(s.Rand.Range(-3, 3)))
}

// WRONG: each machine has an environment of its own.
func configWrong(s *World, _ *rollback.Tick[Input]) {
	if os.Getenv("GAME_HARD") != "" {
		s.Damage++
	}
}

// RIGHT: the host proposes it, all accept it, and Options.Start puts it into state 0.
func configStart(p tickback.Parameters) (func(s *World), error) {
	hard := len(p.Data) > 0 && p.Data[0] == 1
	return func(s *World) { begin(s); s.Hard = hard }, nil
}

func configRight(s *World, _ *rollback.Tick[Input]) {
	if s.Hard {
		s.Damage++
	}
}

// WRONG: a machine with more processors looks at more units.
func processorsWrong(s *World, _ *rollback.Tick[Input]) {
	for i := range min(4*runtime.GOMAXPROCS(0), len(s.Units)) {
		s.Units[i].Life++
	}
}

// RIGHT: a number of the game.
func processorsRight(s *World, _ *rollback.Tick[Input]) {
	const most = 16
	for i := range most {
		s.Units[i].Life++
	}
}

// screen belongs to the presentation.
var screen = struct {
	Elapsed int32 // milliseconds between the last two pictures
	Me      rollback.Player
}{Elapsed: 16}

// WRONG: the rate of drawing changes the way, and the local player is hit harder.
func screenWrong(s *World, t *rollback.Tick[Input]) {
	s.X[0] += int32(t.Input(0).Move) * screen.Elapsed
	if t.Input(screen.Me).Fire {
		s.Damage++
	}
}

// RIGHT: a frame is always as long, and all players are treated alike.
func screenRight(s *World, t *rollback.Tick[Input]) {
	const elapsed = 1000 / 60 // milliseconds
	s.X[0] += int32(t.Input(0).Move) * elapsed
	for p := range t.Players() {
		if t.Input(p).Fire {
			s.Damage++
		}
	}
}

var combo int32

// WRONG: nothing takes combo back when a frame is simulated again.
func globalWrong(s *World, t *rollback.Tick[Input]) {
	if t.Input(0).Fire {
		combo++
	}
	s.Score = combo * 10
}

// RIGHT: it is a field of the state.
func globalRight(s *World, t *rollback.Tick[Input]) {
	if t.Input(0).Fire {
		s.Combo++
	}
	s.Score = s.Combo * 10
}
