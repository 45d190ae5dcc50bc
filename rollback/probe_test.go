package rollback_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// listener is a probe that records its calls, and impossible sequences of them.
type listener struct {
	text           string
	tick, rollback bool // it is in one
	to             Frame
	wrong          string
}

func (l *listener) note(ok bool, format string, args ...any) {
	if !ok && l.wrong == "" {
		l.wrong = fmt.Sprintf(format, args...)
	}
	l.text += fmt.Sprintf(format+" ", args...)
}

func (l *listener) TickBegin(f Frame) {
	l.note(!l.tick && !l.rollback, "%d(", f)
	l.tick, l.to = true, f
}

func (l *listener) TickEnd(f Frame) {
	l.note(l.tick && !l.rollback && l.to == f, ")")
	l.tick = false
}

func (l *listener) RollbackBegin(from, to Frame) {
	l.note(!l.rollback && from < to && (!l.tick || to == l.to), "~%d..%d[", from, to)
	l.rollback = true
	l.to = to
}

func (l *listener) RollbackEnd(simulated Frame) {
	l.note(l.rollback && simulated > 0 && simulated <= l.to, "%d]", simulated)
	l.rollback = false
}

// deaf is a probe that costs nothing itself.
type deaf struct{}

func (deaf) TickBegin(Frame)            {}
func (deaf) TickEnd(Frame)              {}
func (deaf) RollbackBegin(Frame, Frame) {}
func (deaf) RollbackEnd(Frame)          {}

// take returns the calls since it was last used.
func (l *listener) take() string {
	text := l.text
	l.text = ""
	return text
}

// Rule: a probe is told of frames that run and of the rollbacks in them, and not of frames
// that cannot run.
func TestAProbeHearsFramesAndRollbacks(t *testing.T) {
	for _, c := range []struct {
		style uint8
		want  string
	}{
		{chaining, "5( ~1..5[ 4] ) "},
		{following, "5( ~1..5[ 2] ) "}, // the state is known again soon
	} {
		l, cfg := new(listener), two(8)
		cfg.Probe = l
		s := playStyle(t, c.style, nil, cfg)
		s.get(0, 2)
		s.ticks(1, 1, 1, 1, 1)
		want(t, "frames", l.take(), "0( ) 1( ) 2( ) 3( ) 4( ) ")
		s.get(2, 2)
		s.get(3, 2)
		s.get(1, 5)
		s.ticks(1)
		want(t, "a rollback", l.take(), c.want)
		s.get(4, 9)
		s.ok(s.Settle())
		want(t, "Settle", l.take(), "~4..6[ 2] ")
		s.ticks(1, 1, 1, 1, 1, 1, 1)
		l.take()
		s.sample(1)
		if s.Tick() == nil {
			t.Error("no stall")
		}
		want(t, "a stall", l.take(), "")
		if l.wrong != "" {
			t.Errorf("it heard %q at a wrong place", l.wrong)
		}
	}
}

// Rule: a probe changes nothing: frames run in the same order on the same inputs, and
// the statistics are the same. (Random matches have one, too.)
func TestAProbeDecidesNothing(t *testing.T) {
	var ran [2]string
	for i := range ran {
		cfg := two(8)
		if i == 1 {
			cfg.Probe = new(listener)
		}
		s := play(t, cfg)
		for f := range Frame(60) {
			if f >= 5 {
				s.get(f-5, button(f*f/7))
			}
			ran[i] += s.ticks(button(f)) + "\n"
		}
		ran[i] += fmt.Sprintf("%+v", s.Stats())
	}
	want(t, "with a probe", ran[1], ran[0])
}

// Negative control: the listener notices impossible sequences of calls.
func TestTheListenerCanFail(t *testing.T) {
	for i, lie := range []func(p rollback.Probe){
		func(p rollback.Probe) { p.TickEnd(0) },
		func(p rollback.Probe) { p.TickBegin(1); p.TickBegin(2) },
		func(p rollback.Probe) { p.RollbackEnd(1) },
		func(p rollback.Probe) { p.TickBegin(5); p.RollbackBegin(1, 4) },
		func(p rollback.Probe) { p.TickBegin(5); p.RollbackBegin(1, 5); p.TickEnd(5) },
		func(p rollback.Probe) { p.RollbackBegin(3, 3) },
	} {
		l := new(listener)
		if lie(l); l.wrong == "" {
			t.Errorf("lie %d went unnoticed", i)
		}
	}
}
