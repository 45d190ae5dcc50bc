package predict_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/predict"
)

// refused fails unless an error is that of a configuration, and names what is wrong.
func refused(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !errors.Is(err, predict.ErrConfig) || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, want one that says %q", err, part)
		}
	}
}

func TestConfigurationsThatMakeNoSenseAreRefused(t *testing.T) {
	for name, change := range map[string]func(c *predict.Config[pose, stick]){
		"Step":             func(c *predict.Config[pose, stick]) { c.Step = nil },
		"Cadence is 0s":    func(c *predict.Config[pose, stick]) { c.Cadence = 0 },
		"Cadence is -50ms": func(c *predict.Config[pose, stick]) { c.Cadence = -cadence },
		"Unit is 7ms":      func(c *predict.Config[pose, stick]) { c.Unit = 7 * ms },
		"Unit is -1ns":     func(c *predict.Config[pose, stick]) { c.Unit = -1 },
		"Longest is 49.9":  func(c *predict.Config[pose, stick]) { c.Longest = cadence - 1 },
		"Longest is -1ns":  func(c *predict.Config[pose, stick]) { c.Longest = -1 },
		"Room is -1":       func(c *predict.Config[pose, stick]) { c.Room = -1 },
		"Room is 16385":    func(c *predict.Config[pose, stick]) { c.Room = predict.MaxRoom + 1 },
	} {
		c := predict.Config[pose, stick]{Motion: motion()}
		change(&c)
		_, err := predict.New(pose{}, c)
		refused(t, err, name)
	}
	type memory struct{ List []int64 }
	_, err := predict.New(memory{}, predict.Config[memory, stick]{Motion: predict.Motion[memory, stick]{Cadence: 1, Step: func(*memory, stick, time.Duration) {}}})
	refused(t, err, "the state: ", "List")
	_, err = predict.New(pose{}, predict.Config[pose, *int8]{Motion: predict.Motion[pose, *int8]{Cadence: 1, Step: func(*pose, *int8, time.Duration) {}}})
	refused(t, err, "the input: ", "int8")
}

// Rule: a predictor has room for the moves of two seconds, at any cadence, and for 128 at least; and no more than there can
// be. After one cadence a move is due.
func TestThereIsRoomForTwoSeconds(t *testing.T) {
	check := func(cadence time.Duration, configured, room int) {
		t.Helper()
		m := predict.Motion[pose, stick]{Step: drive, Cadence: cadence, Longest: cadence}
		p, err := predict.New(pose{Heading: 9}, predict.Config[pose, stick]{Motion: m, Room: configured})
		if err != nil {
			t.Fatal(err)
		}
		want(t, "the state at the start", *p.State(), pose{Heading: 9})
		for m, err := range p.Advance(cadence, func() stick { return stick{Turn: 1} }) {
			want(t, "the first move", m, predict.Move[stick]{Tick: 1, Input: stick{Turn: 1}, For: cadence})
			want(t, "its error", err, nil)
		}
		want(t, "due", p.Len(), 1)
		for err == nil {
			_, err = p.Do(stick{}, 0)
		}
		want(t, fmt.Sprint("moves at a cadence of ", cadence), p.Len(), room)
	}
	for cadence, room := range map[time.Duration]int{
		time.Minute: 128, 50 * ms: 128, time.Second / 60: 128, 10 * ms: 200, ms: 2000, 50 * time.Microsecond: 16384, 1: 16384,
	} {
		check(cadence, 0, room)
	}
	check(cadence, 1, 1)
	check(ms, 3, 3)
	check(cadence, predict.MaxRoom, 16384)
}

func TestDurationsOfMovesHaveBounds(t *testing.T) {
	for _, c := range []struct {
		cadence, unit, longest, d time.Duration
		ok                        bool
	}{
		{cadence, ms, 0, 0, true},
		{cadence, ms, 0, ms, true},
		{cadence, ms, 0, -ms, false},
		{cadence, ms, 0, ms / 2, false},
		{cadence, ms, 0, ms + 1, false},
		{cadence, 0, 0, 1, true}, // nanoseconds are the default
		{cadence, 0, 0, 250 * ms, true},
		{cadence, 0, 0, 250*ms + 1, false},
		{time.Second, 0, 0, time.Second, true}, // the cadence is more than the default
		{time.Second, 0, 0, time.Second + 1, false},
		{1, 0, 1, 1, true},
		{1, 0, 1, 2, false},
	} {
		m := predict.Motion[pose, stick]{Cadence: c.cadence, Unit: c.unit, Longest: c.longest}
		if err := m.Check(c.d); c.ok != (err == nil) || !c.ok && !errors.Is(err, predict.ErrDuration) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	want(t, "the longest by default", predict.DefaultLongest, 250*ms)
}

// A duration is not checked by Apply: it is divided as the others are. Without a cadence that would never end.
func TestApplyTakesAnyDuration(t *testing.T) {
	const long = math.MaxInt64/2 + 1
	var parts, last time.Duration
	m := predict.Motion[pose, stick]{Cadence: long, Step: func(_ *pose, _ stick, d time.Duration) { parts, last = parts+1, d }}
	for _, d := range []time.Duration{-120 * ms, math.MinInt64, 0} {
		m.Apply(nil, stick{}, d)
		want(t, "parts", parts, 0)
	}
	for i, rest := range []time.Duration{1, long - 1} {
		m.Apply(nil, stick{}, long+rest)
		want(t, "parts", parts, 2*time.Duration(i+1))
		want(t, "the last part", last, rest)
	}
	defer func() { want(t, "no panic without a cadence", recover() == nil, false) }()
	new(predict.Motion[pose, stick]).Apply(nil, stick{}, 1)
}

// line is a call in a script, and the error that it has. Besides, each is compared with the naive model.
type line struct {
	call func(c *client) error
	want error
}

// A move of a cadence, one of any duration, one with a tick of its own, an update of the player, and one of another.
func do() line { return lasting(cadence) }

func lasting(d time.Duration) line {
	return line{call: func(c *client) error { return c.do(stick{1, 1}, d) }}
}

func play(tick predict.Tick) line {
	return line{call: func(c *client) error {
		return c.play(predict.Move[stick]{Tick: tick, Input: stick{1, 1}, For: cadence})
	}}
}

func hear(f predict.Frame, acked predict.Tick) line {
	return line{call: func(c *client) error { return c.hear(f, acked, pose{Heading: 1 + 7*fixed.Num(f)}) }}
}

func other(f predict.Frame, acked predict.Tick) line {
	return line{call: func(c *client) error { return c.accept(predict.Update[pose]{Player: 2, Frame: f, Acked: acked}) }}
}

const lastTick predict.Tick = math.MaxUint32

func (l line) is(err error) line { return line{l.call, err} }

// scripts has the rules for ticks and updates, with the ticks that are pending in the end. There is room for four.
var scripts = []struct {
	rule    string
	lines   []line
	pending []predict.Tick
}{
	{"old and repeated updates are ignored", []line{do(), do(), do(), hear(7, 2), hear(7, 2), hear(6, 1), hear(6, 3), hear(7, 1), hear(0, 0)}, []predict.Tick{3}},
	{"frame 0 is a frame like any other", []line{do(), do(), hear(0, 1), hear(0, 2), hear(1, 1), hear(1, 2)}, []predict.Tick{2}},
	{"updates that are wrong change nothing", []line{
		do(), do(), do(), hear(5, 2), other(6, 2).is(predict.ErrPlayer), hear(6, 4).is(predict.ErrFuture),
		hear(6, lastTick).is(predict.ErrFuture), hear(6, 1).is(predict.ErrAckBack), hear(6, 3),
	}, nil},
	{"an old update may not be of the future", []line{do(), hear(5, 1), hear(4, 2).is(predict.ErrFuture)}, nil},
	{"the first update says where the count begins", []line{hear(7, 100), do(), hear(8, 102).is(predict.ErrFuture), hear(8, 101), do()}, []predict.Tick{102}},
	{"it may begin at 0", []line{hear(1, 0), hear(2, 1).is(predict.ErrFuture), do()}, []predict.Tick{1}},
	{"after a move it cannot say so", []line{do(), hear(1, 100).is(predict.ErrFuture), hear(1, 0)}, []predict.Tick{1}},
	{"a move may be numbered before it is heard", []line{play(101), hear(7, 100)}, []predict.Tick{101}},
	{"ticks go forward", []line{
		play(0).is(predict.ErrOrder), play(4), play(4).is(predict.ErrOrder), play(3).is(predict.ErrOrder), play(9), do(),
		hear(1, 8), // a tick that no move has
	}, []predict.Tick{9, 10}},
	{"after the last tick there is none", []line{play(lastTick - 1), do(), do().is(predict.ErrOrder), play(lastTick).is(predict.ErrOrder)}, []predict.Tick{lastTick - 1, lastTick}},
	{"nor if the server has had it", []line{hear(7, lastTick), do().is(predict.ErrOrder)}, nil},
	{"a full buffer refuses moves until the server answers", []line{
		do(), do(), do(), do(), do().is(predict.ErrFull), do().is(predict.ErrFull), play(9).is(predict.ErrFull), hear(1, 1), do(),
	}, []predict.Tick{2, 3, 4, 5}},
	{"a duration that is refused is no move", []line{lasting(-ms).is(predict.ErrDuration), lasting(ms / 2).is(predict.ErrDuration), lasting(time.Second + ms).is(predict.ErrDuration), do()}, []predict.Tick{1}},
	{"with nothing pending the state is the base", []line{hear(1, 0), hear(2, 0), do(), hear(3, 1)}, nil},
}

func TestTicksAndUpdates(t *testing.T) {
	for _, s := range scripts {
		t.Run(s.rule, func(t *testing.T) {
			c := newClient(t, 4)
			for i, l := range s.lines {
				if err := l.call(c); !errors.Is(err, l.want) {
					t.Errorf("call %d: %v, want %v", i, err, l.want)
				}
				c.rebuild()
			}
			if got := c.ticks(); !slices.Equal(got, s.pending) {
				t.Errorf("pending: %v, want %v", got, s.pending)
			}
		})
	}
}

// Rule: whole cadences are due, and the rest stays; after a hitch no more than the limit. What is left when the caller
// stops is due the next time. A silent server stops the moves, not the caller's loop, and asks for no input in vain.
func TestAdvanceMakesTheMovesThatAreDue(t *testing.T) {
	c, asked := newClient(t, 10), 0
	for i, l := range []struct {
		pass       time.Duration
		stop       bool // after the first one
		made, full int
		balance    time.Duration
	}{
		{49 * ms, false, 0, 0, 49 * ms},
		{62 * ms, false, 2, 0, 11 * ms},
		{10 * time.Second, false, 5, 0, 0},
		{2 * cadence, true, 1, 0, cadence},
		{0, false, 1, 0, 0},
		{3 * cadence, false, 1, 1, 2 * cadence},
		{0, false, 0, 1, 2 * cadence},
	} {
		made, full := 0, 0
		for m, err := range c.Advance(l.pass, func() stick { asked++; return stick{Turn: int8(asked)} }) {
			if err != nil {
				full++
				want(t, "the error", err, predict.ErrFull)
				want(t, "no move", m, predict.Move[stick]{})
				continue
			}
			made++
			c.made, c.newest = append(c.made, m), m.Tick
			want(t, "the move", m, predict.Move[stick]{Tick: predict.Tick(asked), Input: stick{Turn: int8(asked)}, For: cadence})
			if l.stop {
				break
			}
		}
		c.compare("Advance", nil, nil)
		if made != l.made || full != l.full || c.Balance() != l.balance {
			t.Errorf("call %d: %d moves, %d errors, %v left, want %+v", i, made, full, c.Balance(), l)
		}
	}
	want(t, "asked", asked, 10)
	c.hear(1, 10, pose{})
	c.Advance(0, nil) // nobody asks for its moves
	want(t, "balance", c.Balance(), 2*cadence)
}
