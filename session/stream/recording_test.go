package stream

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// notes is a recorder that records its calls.
type notes []string

func (r *notes) Begin(b *Begin) {
	*r = append(*r, fmt.Sprintf("begin match %d at %d", b.Match, b.First))
}

func (r *notes) State(f rollback.Frame, encoded []byte) {
	*r = append(*r, fmt.Sprintf("state %d %s", f, encoded))
}

func (r *notes) Frame(f *agreed.Frame, hash uint64, hashed bool) {
	*r = append(*r, fmt.Sprintf("frame %d %d %v", f.Number, hash, hashed))
}

func (r *notes) End(e *End) {
	*r = append(*r, fmt.Sprintf("end at %d, ended %v, failed %v", e.Next, e.Ended, e.Failed))
}

// A recorder gets a beginning, each frame once with its state before it, and one end; nothing
// else.
func TestWhatARecorderIsTold(t *testing.T) {
	frame := func(t *Recording, n uint32) { t.Frame(&agreed.Frame{Number: n}, uint64(n), n%2 == 0) }
	for _, c := range []struct {
		what string
		do   func(t *Recording)
		want []string
	}{
		{"nothing", func(t *Recording) { t.End(&End{}) }, []string{"end at 0, ended false, failed " + ErrUnrecorded.Error()}},
		{"nothing of a match that has ended", func(t *Recording) { t.End(&End{Ended: true}) }, []string{"end at 0, ended false, failed " + ErrUnrecorded.Error()}},
		{"nothing, for a reason", func(t *Recording) { t.End(&End{Failed: errors.New("x")}) }, []string{"end at 0, ended false, failed x"}},
		{"frames before a match", func(t *Recording) { frame(t, 0); frame(t, 1) }, nil},
		{"a match without frames", func(t *Recording) { t.Start(Begin{Match: 3}); t.End(&End{Ended: true}) }, []string{
			"begin match 3 at 0", "end at 0, ended true, failed <nil>",
		}},
		{"a match from the middle without frames", func(t *Recording) { t.Start(Begin{Match: 3, First: 5}); t.End(&End{Ended: true}) }, []string{
			"end at 0, ended false, failed " + ErrUnrecorded.Error(),
		}},
		{"a match from the middle", func(t *Recording) {
			t.Start(Begin{Match: 3, First: 5})
			for _, n := range []uint32{3, 4, 5, 5, 6, 4, 7} {
				frame(t, n)
			}
			t.End(&End{Ended: true})
			t.End(&End{Ended: true})
			frame(t, 8)
		}, []string{"begin match 3 at 5", "frame 5 5 false", "frame 6 6 true", "frame 7 7 false", "end at 8, ended true, failed <nil>"}},
		{"a gap", func(t *Recording) { t.Start(Begin{Match: 3}); frame(t, 0); frame(t, 2); frame(t, 1) }, []string{
			"begin match 3 at 0", "frame 0 0 true", "end at 1, ended false, failed " + ErrRecordGap.Error(),
		}},
		{"states", func(t *Recording) {
			t.Start(Begin{Match: 3})
			t.Keep(t.due, []byte("a"), nil)
			t.Keep(t.due, []byte("b"), errors.New("x")) // there is none
			t.Keep(t.due, []byte("c"), nil)
			for n := range uint32(14) {
				frame(t, n)
			}
		}, []string{
			"begin match 3 at 0", "frame 0 0 true", "frame 1 1 false", "frame 2 2 true", "frame 3 3 false",
			"state 4 a", "frame 4 4 true", "frame 5 5 false", "frame 6 6 true", "frame 7 7 false",
			"frame 8 8 true", "frame 9 9 false", "frame 10 10 true", "frame 11 11 false", "state 12 c", "frame 12 12 true", "frame 13 13 false",
		}},
	} {
		var got notes
		var tp Recording
		tp.Prepare(&got, Wants{States: 4})
		if !tp.On() || !tp.Pending() || tp.Wants().States != 4 {
			t.Errorf("%s: on %v, armed %v, %+v", c.what, tp.On(), tp.Pending(), tp.Wants())
		}
		if c.do(&tp); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// States whose number is a multiple are requested, after the first frame.
func TestWhichStatesAreWanted(t *testing.T) {
	for _, c := range []struct{ every, after, want rollback.Frame }{
		{0, 5, rollback.NoFrame},
		{1, 0, 1},
		{1, 5, 6},
		{60, 0, 60},
		{60, 59, 60},
		{60, 60, 120},
		{60, 61, 120},
		{60, rollback.NoFrame - 61, rollback.NoFrame - rollback.NoFrame%60 - 0},
		{60, rollback.NoFrame - 60, rollback.NoFrame},
		{60, rollback.NoFrame - 1, rollback.NoFrame},
	} {
		tp := Recording{wants: Wants{States: c.every}}
		if got := tp.after(c.after); got != c.want {
			t.Errorf("every %d, after %d: %d, want %d", c.every, c.after, got, c.want)
		}
	}
}

// Rule: a tape is armed until its match begins, and then names that match, until it ends.
func TestWhatATapeIsOf(t *testing.T) {
	var got notes
	var tp Recording
	said := func(when string, on, armed, of bool) {
		t.Helper()
		match, ok := tp.Of()
		if tp.On() != on || tp.Pending() != armed || ok != of || of && match != 3 {
			t.Errorf("%s: on %v, armed %v, of match %d %v", when, tp.On(), tp.Pending(), match, ok)
		}
	}
	said("at first", false, false, false)
	tp.Prepare(&got, Wants{})
	said("armed", true, true, false)
	tp.Cancel()
	said("disarmed", false, false, false)
	tp.Prepare(&got, Wants{})
	tp.Start(Begin{Match: 3, State: []byte("s"), First: 5})
	said("before its first frame", true, false, true)
	tp.Frame(&agreed.Frame{Number: 5}, 0, false)
	said("begun", true, false, true)
	tp.End(&End{})
	said("ended", false, false, false)
	if want := []string{"begin match 3 at 5", "frame 5 0 false", "end at 6, ended false, failed <nil>"}; !slices.Equal(got, want) {
		t.Errorf("the recorder was told %q", got)
	}
}

// game is a source of states that records which ones are requested.
type game struct {
	final, held rollback.Frame // the newest that is final, and the oldest that is held
	mute        bool           // it cannot encode
	asked       []rollback.Frame
	wrong       []rollback.Frame // that it does not have
}

func (g *game) Final() rollback.Frame { return g.final }
func (g *game) Marshals() bool        { return !g.mute }

func (g *game) Marshal(b []byte, f rollback.Frame) ([]byte, error) {
	if g.asked = append(g.asked, f); f > g.final || f < g.held {
		g.wrong = append(g.wrong, f)
	}
	return fmt.Append(b, "s", f), nil
}

// Rule: each requested state is taken once, in the call in which it has become final, and
// recorded; none before there is a match, or after the final states, or of a game that cannot
// encode it.
func TestStatesAreTakenOnceTheyAreFinal(t *testing.T) {
	for _, c := range []struct {
		every rollback.Frame
		mute  bool
		steps []rollback.Frame // what is final then
		want  []rollback.Frame
	}{
		{10, false, []rollback.Frame{9, 10, 10, 11, 19}, []rollback.Frame{10}},
		{10, false, []rollback.Frame{25, 29, 30, 30}, []rollback.Frame{10, 20, 30}},
		{10, true, []rollback.Frame{9, 10, 35}, nil},
		{0, false, []rollback.Frame{9, 10, 35}, nil},
	} {
		var got notes
		var tp Recording
		g := game{final: 40, mute: c.mute}
		tp.Prepare(&got, Wants{States: c.every})
		if tp.Collect(&g); len(g.asked) > 0 {
			t.Errorf("every %d: states %v are taken before there is a match", c.every, g.asked)
		}
		tp.Start(Begin{})
		for _, g.final = range c.steps {
			tp.Collect(&g)
			g.held = g.final // older ones are gone by the next call
			if due := c.every - g.final%max(c.every, 1) + g.final; !c.mute && c.every > 0 && (!tp.Misses(due) || tp.Misses(due-1)) {
				t.Errorf("every %d, %d is final: state %d is missing %v, %d %v", c.every, g.final, due, tp.Misses(due), due-1, tp.Misses(due-1))
			}
		}
		if !slices.Equal(g.asked, c.want) {
			t.Errorf("every %d: states %v are taken, want %v", c.every, g.asked, c.want)
		}
		if tp.Misses(1000) != (!c.mute && c.every > 0) {
			t.Errorf("every %d: a later state is missing: %v", c.every, tp.Misses(1000))
		}
		for n := range uint32(40) {
			tp.Frame(&agreed.Frame{Number: n}, 0, false)
		}
		for _, f := range c.want {
			if i := slices.Index(got, fmt.Sprintf("state %d s%d", f, f)); i < 0 || got[i+1] != fmt.Sprintf("frame %d 0 false", f) {
				t.Errorf("every %d: state %d is not recorded before its frame", c.every, f)
			}
		}
		if len(g.asked) < len(c.want) || len(got) != 1+40+len(c.want) {
			t.Errorf("every %d: the recorder was told %d things", c.every, len(got))
		}
	}
}

// Rule: the only states that can be missing are those from the next recorded frame on.
func TestAStateOfAFrameThatIsRecordedIsNotMissing(t *testing.T) {
	var got notes
	var tp Recording
	if tp.Misses(0) {
		t.Error("a state is missing where nothing is recorded")
	}
	tp.Prepare(&got, Wants{States: 1})
	if tp.Misses(5) {
		t.Error("a state is missing before there is a match")
	}
	tp.Start(Begin{})
	for n := range uint32(5) {
		tp.Frame(&agreed.Frame{Number: n}, 0, false)
	}
	for f, missing := range map[rollback.Frame]bool{1: false, 4: false, 5: true, 6: true} {
		if tp.Misses(f) != missing {
			t.Errorf("state %d before frame 5 is missing: %v", f, !missing)
		}
	}
}
