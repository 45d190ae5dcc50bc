package tanks_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
)

// alone is a tank on open ground, looking to the right.
func alone() tanks.Tank {
	return tanks.Tank{Stance: tanks.Alive, Pos: at(-200, 500), Hp: tanks.FullHp}
}

var ahead = tanks.Input{Throttle: tanks.StickEnd}

func TestFrozenRates(t *testing.T) {
	want(t, "units per second", tanks.Speed, 120)
	want(t, "radians per second", tanks.TurnRate, 2)
	want(t, "milliseconds in a tick", tanks.TickMs, 50)
	for _, c := range []struct {
		in      tanks.Input
		ms      int64
		x       fixed.Num // of the way
		heading fixed.Num
	}{
		{ahead, 1000, 120 * fixed.One, 0},
		{ahead, 50, 6 * fixed.One, 0},
		{ahead, 20, 157286, 0}, // 2.4 is 157286.4/65536
		{ahead, 1, 7864, 0},    // 7864.32
		{tanks.Input{Throttle: -128}, 50, -6 * fixed.One, 0},
		{tanks.Input{Throttle: 64}, 50, 198156, 0}, // 198156.09
		{tanks.Input{Throttle: 1}, 1, 62, 0},       // 61.92
		{tanks.Input{Turn: tanks.StickEnd}, 50, 0, 6554},
		{tanks.Input{Turn: -tanks.StickEnd}, 50, 0, fixed.TwoPi - 6554},
		{tanks.Input{Turn: -128}, 20, 0, fixed.TwoPi - 2621}, // 2621.44
		{tanks.Input{Turn: 1}, 1, 0, 1},                      // 1.03
		{ahead, 0, 0, 0},
		{ahead, -50, 0, 0},
	} {
		tank := alone()
		tanks.Drive(&tank, c.in, c.ms)
		want(t, "way", tank.Pos.X-alone().Pos.X, c.x)
		want(t, "straight on", tank.Pos.Y, alone().Pos.Y)
		want(t, "heading", tank.Heading, c.heading)
	}
}

// It drives in the direction in which it looks after turning.
func TestATankTurnsBeforeItDrives(t *testing.T) {
	tank := alone()
	tanks.Drive(&tank, tanks.Input{Turn: tanks.StickEnd, Throttle: tanks.StickEnd}, 50)
	sin, cos := fixed.SinCos(6554)
	way := tank.Pos.Sub(alone().Pos)
	want(t, "way", way, fixed.Vec2{X: cos.Mul(6 * fixed.One), Y: sin.Mul(6 * fixed.One)})
}

func TestOnlyTheLivingDrive(t *testing.T) {
	for _, stance := range []tanks.Stance{tanks.Absent, tanks.Out, tanks.Hidden} {
		tank := alone()
		tank.Stance = stance
		before := tank
		tanks.Drive(&tank, ahead, 50)
		want(t, stance.String(), tank, before)
	}
}

// part returns a rate times a stick position times a time, in 1/65536, rounded to nearest, halves away from zero,
// computed in another way than in the package.
func part(stick int8, rate, ms int64) fixed.Num {
	exact := big.NewRat(max(int64(stick), -127)*rate*ms*65536*2, 127*1000*2)
	half := big.NewRat(int64(exact.Sign()), 2)
	exact.Add(exact, half)
	return fixed.Num(new(big.Int).Quo(exact.Num(), exact.Denom()).Int64()) // towards zero
}

// Away from walls a tank moves exactly as the rules say.
func TestDriveEqualsTheRulesAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tank := alone()
		tank.Heading = fixed.Num(rapid.Int64Range(0, int64(fixed.TwoPi)-1).Draw(t, "heading"))
		before := tank
		in := tanks.Input{Turn: rapid.Int8().Draw(t, "turn"), Throttle: rapid.Int8().Draw(t, "throttle")}
		ms := rapid.Int64Range(1, 250).Draw(t, "ms")
		tanks.Drive(&tank, in, ms)

		heading := before.Heading + part(in.Turn, 2, ms)
		for heading < 0 {
			heading += fixed.TwoPi
		}
		for heading >= fixed.TwoPi {
			heading -= fixed.TwoPi
		}
		distance := part(in.Throttle, 120, ms)
		before.Heading, before.Held = heading, in
		before.Pos.X += fixed.Cos(heading).Mul(distance)
		before.Pos.Y += fixed.Sin(heading).Mul(distance)
		want(t, "tank", tank, before)
	})
}
