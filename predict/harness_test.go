package predict_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/predict"
)

const ms = time.Millisecond

// cadence is that of the server in these tests.
const cadence = 50 * ms

// pose is a tank's: where it is, where it looks as part of a turn, and in how many steps it came there.
type pose struct {
	Pos     fixed.Vec2
	Heading fixed.Num
	Parts   int64
}

// stick is what a player holds, in halves.
type stick struct{ Turn, Throttle int8 }

// What the tank can do in a second.
const (
	speed    = 6 * fixed.One
	turnRate = fixed.Half // turns
)

// drive turns the tank, and then moves it to where it looks: so the parts in which it is done matter.
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

// naive moves a state part by part, as the rule says it: it shares no code with the package.
func naive(s pose, in stick, d time.Duration) pose {
	for ; d > 0; d -= cadence {
		drive(&s, in, min(d, cadence))
	}
	return s
}

// client is a predictor of player 3, and beside it the naive model of one, which forgets nothing and replays everything.
// All its calls compare the two.
type client struct {
	*predict.Predictor[pose, stick]
	t    testing.TB
	room int

	made   []predict.Move[stick] // all
	last   predict.Update[pose]  // that was accepted
	heard  bool
	newest predict.Tick
}

func newClient(t testing.TB, room int) *client {
	t.Helper()
	p, err := predict.New(pose{}, predict.Config[pose, stick]{Motion: motion(), Player: 3, Room: room})
	if err != nil {
		t.Fatal(err)
	}
	return &client{Predictor: p, t: t, room: room}
}

// pending returns the moves that the server has not acknowledged.
func (c *client) pending() (list []predict.Move[stick]) {
	for _, m := range c.made {
		if m.Tick > c.last.Acked {
			list = append(list, m)
		}
	}
	return list
}

// expected returns the predicted state.
func (c *client) expected() pose {
	s := c.last.State
	for _, m := range c.pending() {
		s = naive(s, m.Input, m.For)
	}
	return s
}

// compare fails unless an error is the one that is due, and what can be seen of the predictor is what the model has.
func (c *client) compare(call string, err, due error) {
	c.t.Helper()
	if !errors.Is(err, due) {
		c.t.Fatalf("%s: %v, want %v", call, err, due)
	}
	if got, want := slices.Collect(c.Pending()), c.pending(); !slices.Equal(got, want) || c.Len() != len(want) {
		c.t.Fatalf("%s: %d are pending, %v, want %v", call, c.Len(), got, want)
	}
	if got, want := *c.State(), c.expected(); got != want {
		c.t.Fatalf("%s: the client is at %v, want %v", call, got, want)
	}
}

// play makes a move with a tick of its own.
func (c *client) play(m predict.Move[stick]) error {
	return c.make(m, func() (predict.Move[stick], error) { return m, c.Play(m) })
}

// do makes the next move.
func (c *client) do(in stick, d time.Duration) error {
	m := predict.Move[stick]{Tick: c.newest + 1, Input: in, For: d}
	return c.make(m, func() (predict.Move[stick], error) { return c.Do(in, d) })
}

func (c *client) make(m predict.Move[stick], call func() (predict.Move[stick], error)) error {
	c.t.Helper()
	var due error
	switch {
	case m.For < 0 || m.For > time.Second || m.For%ms != 0:
		due = predict.ErrDuration
	case m.Tick <= c.newest:
		due = predict.ErrOrder
	case len(c.pending()) == c.room:
		due = predict.ErrFull
	default:
		c.made, c.newest = append(c.made, m), m.Tick
	}
	got, err := call()
	if c.compare("a move", err, due); err == nil && got != m {
		c.t.Fatalf("made %v, want %v", got, m)
	}
	return err
}

// accept takes an update.
func (c *client) accept(u predict.Update[pose]) error {
	c.t.Helper()
	var due error
	taken := !c.heard || u.Frame > c.last.Frame
	switch {
	case u.Player != 3:
		due = predict.ErrPlayer
	case u.Acked > c.newest && (c.heard || len(c.made) > 0):
		due = predict.ErrFuture
	case taken && u.Acked < c.last.Acked:
		due = predict.ErrAckBack
	}
	address, before := c.State(), *c.State()
	if taken = taken && due == nil; taken {
		c.last, c.heard, c.newest = u, true, max(c.newest, u.Acked)
	}
	got, err := c.Accept(&u)
	c.compare("Accept", err, due)
	if got.Taken != taken || *got.Before != before || got.After != address || !taken && got.Before != address {
		c.t.Fatalf("Accept: %+v, want a correction from %v to %v, taken %v", got, before, *c.State(), taken)
	}
	return err
}

// hear takes an update of the player.
func (c *client) hear(f predict.Frame, acked predict.Tick, s pose) error {
	c.t.Helper()
	return c.accept(predict.Update[pose]{Player: 3, Frame: f, Acked: acked, State: s})
}

// rebuild replays what is pending.
func (c *client) rebuild() {
	c.t.Helper()
	before := *c.State()
	got := c.Rebuild()
	c.compare("Rebuild", nil, nil)
	if !got.Taken || *got.Before != before || *got.After != before || got.After != c.State() {
		c.t.Fatalf("Rebuild: from %v to %v, before it was %v", *got.Before, *got.After, before)
	}
}

// ticks returns what is pending at the predictor.
func (c *client) ticks() (list []predict.Tick) {
	for m := range c.Pending() {
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
