package tanks_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/predict"
	"github.com/tickback/tickback/tickbacktest"
)

// start puts a tank next to a wall, so that random moves hit it.
func start(tank *tanks.Tank) {
	*tank = tanks.Tank{Stance: tanks.Alive, Pos: at(-120, 30), Hp: tanks.FullHp}
}

func TestLiveEqualsReplay(t *testing.T) {
	tickbacktest.Prediction(t, tanks.Motion(), tickbacktest.PredictionOptions[tanks.Tank, tanks.Input]{Start: start})
}

// A tick of the game moves a tank that touches no other one exactly as Drive does in 50 ms.
func TestAStepDrivesForOneTick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := tanks.New(1)
		var in [tanks.MaxPlayers]tanks.Input
		tanks.Step(&s, &in, first(1), nil)
		motion := tanks.Motion()
		for range 100 {
			in[0] = tanks.Input{Turn: rapid.Int8().Draw(t, "turn"), Throttle: rapid.Int8().Draw(t, "throttle")}
			driven, moved := s.Tanks[0], s.Tanks[0]
			tanks.Drive(&driven, in[0], tanks.TickMs)
			motion.Apply(&moved, in[0], tanks.Tick)
			tanks.Step(&s, &in, first(1), nil)
			want(t, "drive", driven, s.Tanks[0])
			want(t, "motion", moved, s.Tanks[0])
		}
	})
}

// corner turns and drives for some milliseconds, in steps of the cadence and a rest, or in one step.
func corner(ms int64, pieces bool) tanks.Tank {
	tank, in := alone(), tanks.Input{Turn: tanks.StickEnd, Throttle: tanks.StickEnd}
	if motion := tanks.Motion(); pieces {
		motion.Apply(&tank, in, time.Duration(ms)*time.Millisecond)
	} else {
		tanks.Drive(&tank, in, ms)
	}
	return tank
}

// Negative control: one accumulated move of 150 ms ends elsewhere than three of 50, by 1.80 units. A server that does
// so is noticed.
func TestAnAccumulatedMoveIsNoticed(t *testing.T) {
	apart := corner(150, true).Pos.Distance(corner(150, false).Pos)
	want(t, "units, in hundredths", (apart * 100).Round().Int(), 180)
	want(t, "one piece of a cadence", corner(50, true), corner(50, false))
	failure := tickbacktest.Failure(t, func(t testing.TB) {
		tickbacktest.Prediction(t, tanks.Motion(), tickbacktest.PredictionOptions[tanks.Tank, tanks.Input]{
			Start:  start,
			Server: func(tank *tanks.Tank, in tanks.Input, d time.Duration) { tanks.Drive(tank, in, d.Milliseconds()) },
		})
	})
	holds(t, "it fails", failure != "")
}

// Two odd moves in a row, 50+50+20 each, give the same result live, in a replay and on the server; and not that of
// carrying over the remainder.
func TestTwoOddMovesInARow(t *testing.T) {
	const odd = 120 * time.Millisecond
	client, err := predict.New(alone(), tanks.Config(3))
	if err != nil {
		t.Fatal(err)
	}
	in := tanks.Input{Turn: tanks.StickEnd, Throttle: tanks.StickEnd}
	server, parts, carried := alone(), alone(), alone()
	motion := tanks.Motion()
	for range 2 {
		if _, err := client.Do(in, odd); err != nil {
			t.Fatal(err)
		}
		motion.Apply(&server, in, odd)
	}
	for _, ms := range []int64{50, 50, 20, 50, 50, 20} {
		tanks.Drive(&parts, in, ms)
	}
	for _, ms := range []int64{50, 50, 50, 50, 40} {
		tanks.Drive(&carried, in, ms)
	}
	want(t, "live", *client.State(), parts)
	want(t, "at the server", server, parts)
	client.Rebuild()
	want(t, "replayed", *client.State(), parts)
	half := alone()
	motion.Apply(&half, in, odd)
	if _, err := client.Accept(&predict.Update[tanks.Tank]{Player: 3, Frame: 1, Acked: 1, State: half}); err != nil {
		t.Fatal(err)
	}
	want(t, "replayed from the first", *client.State(), parts)
	holds(t, "carried elsewhere", carried.Pos.Distance(parts.Pos) > fixed.One/16)
}
