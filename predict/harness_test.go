package predict_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/predict"
)

const ms = time.Millisecond

// cadence is that of the server in these tests.
const cadence = 50 * ms

// pose is a tank's: where it is and where it looks, as part of a turn.
type pose struct {
	Pos     fixed.Vec2
	Heading fixed.Num
	Parts   int64 // that it was moved by
}

// stick is what a player holds, in halves.
type stick struct{ Turn, Throttle int8 }

// What the tank can do in a second.
const (
	speed    = 6 * fixed.One
	turnRate = fixed.Half // turns
)

// drive turns the tank, and then moves it to where it looks: so the parts in which it
// is done matter.
func drive(s *pose, in stick, d time.Duration) {
	over := func(rate fixed.Num, half int8) fixed.Num {
		return rate * fixed.Num(half) * fixed.Num(d/ms) / 2000
	}
	s.Heading = (s.Heading + over(turnRate, in.Turn)) & (fixed.One - 1)
	sin, cos := fixed.SinCos(fixed.TwoPi.Mul(s.Heading))
	way := over(speed, in.Throttle)
	s.Pos = s.Pos.Add(fixed.Vec2{X: cos.Mul(way), Y: sin.Mul(way)})
	s.Parts++
}

func motion() predict.Motion[pose, stick] {
	return predict.Motion[pose, stick]{Step: drive, Cadence: cadence, Unit: ms, Longest: time.Second}
}

// newClient returns a predictor of player 3 with room for so many moves.
func newClient(t testing.TB, room int) *predict.Predictor[pose, stick] {
	t.Helper()
	p, err := predict.New(pose{}, predict.Config[pose, stick]{Motion: motion(), Player: 3, Room: room})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// do makes moves of an input, which have to succeed.
func do(t testing.TB, p *predict.Predictor[pose, stick], in stick, durations ...time.Duration) {
	t.Helper()
	for _, d := range durations {
		if _, err := p.Do(in, d); err != nil {
			t.Fatal(err)
		}
	}
}

// accept takes an update of player 3, which has to succeed.
func accept(t testing.TB, p *predict.Predictor[pose, stick], f predict.Frame, acked predict.Tick, s pose) predict.Correction[pose] {
	t.Helper()
	c, err := p.Accept(&predict.Update[pose]{Player: 3, Frame: f, Acked: acked, State: s})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// naive moves a state by an input for a duration, part by part, as the rule says it:
// it shares no code with the package.
func naive(s pose, in stick, d time.Duration) pose {
	whole := int(d / cadence)
	for range whole {
		drive(&s, in, cadence)
	}
	if rest := d % cadence; rest > 0 {
		drive(&s, in, rest)
	}
	return s
}

// ticks returns the ticks that are pending.
func ticks(p *predict.Predictor[pose, stick]) (list []predict.Tick) {
	for m := range p.Pending() {
		list = append(list, m.Tick)
	}
	return list
}

// want fails unless got is what the rule says.
func want[T comparable](t testing.TB, rule string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", rule, got, want)
	}
}
