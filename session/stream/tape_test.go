package stream

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// notes is a recorder that notes what it is told.
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

// A recorder is told of a beginning, of each frame once with its state before it, and of one
// end; of nothing else.
func TestWhatARecorderIsTold(t *testing.T) {
	frame := func(t *Tape, n uint32) { t.Frame(&agreed.Frame{Number: n}, uint64(n), n%2 == 0) }
	for _, c := range []struct {
		what string
		do   func(t *Tape)
		want []string
	}{
		{"nothing", func(t *Tape) { t.End(&End{}) }, []string{"end at 0, ended false, failed " + ErrUnrecorded.Error()}},
		{"nothing of a match that has ended", func(t *Tape) { t.End(&End{Ended: true}) }, []string{"end at 0, ended false, failed " + ErrUnrecorded.Error()}},
		{"nothing, for a reason", func(t *Tape) { t.End(&End{Failed: errors.New("x")}) }, []string{"end at 0, ended false, failed x"}},
		{"frames before a match", func(t *Tape) { frame(t, 0); frame(t, 1) }, nil},
		{"a match without frames", func(t *Tape) { t.Start(Begin{Match: 3}); t.End(&End{Ended: true}) }, []string{
			"begin match 3 at 0", "end at 0, ended true, failed <nil>",
		}},
		{"a match from the middle without frames", func(t *Tape) { t.Start(Begin{Match: 3, First: 5}); t.End(&End{Ended: true}) }, []string{
			"end at 0, ended false, failed " + ErrUnrecorded.Error(),
		}},
		{"a match from the middle", func(t *Tape) {
			t.Start(Begin{Match: 3, First: 5})
			for _, n := range []uint32{3, 4, 5, 5, 6, 4, 7} {
				frame(t, n)
			}
			t.End(&End{Ended: true})
			t.End(&End{Ended: true})
			frame(t, 8)
		}, []string{"begin match 3 at 5", "frame 5 5 false", "frame 6 6 true", "frame 7 7 false", "end at 8, ended true, failed <nil>"}},
		{"a gap", func(t *Tape) { t.Start(Begin{Match: 3}); frame(t, 0); frame(t, 2); frame(t, 1) }, []string{
			"begin match 3 at 0", "frame 0 0 true", "end at 1, ended false, failed " + ErrRecordGap.Error(),
		}},
		{"states", func(t *Tape) {
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
		var tp Tape
		tp.Arm(&got, Wants{States: 4})
		if !tp.On() || !tp.Armed() {
			t.Errorf("%s: on %v, armed %v", c.what, tp.On(), tp.Armed())
		}
		if c.do(&tp); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// States are wanted whose number is a multiple, behind the first frame.
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
		tp := Tape{wants: Wants{States: c.every}}
		if got := tp.after(c.after); got != c.want {
			t.Errorf("every %d, after %d: %d, want %d", c.every, c.after, got, c.want)
		}
	}
}
