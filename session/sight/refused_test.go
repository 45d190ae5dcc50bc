package sight

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// jump is an input with a value that not every byte stands for.
type jump struct{ Up bool }

// jumps is a game of two players who can only jump, with orders of up to three bytes.
func jumps(t *testing.T) *Decoder[int32, jump] {
	t.Helper()
	k, err := NewMirror(Config[int32, jump]{Game: rollback.Game[int32, jump]{}, Players: 2, MaxOrders: 3}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Rule: a client refuses a tick with an input that is none, or with orders of a length that they cannot have, wherever it
// ends, and says what is wrong with it; nothing of it is held, and the right one is accepted afterwards.
func TestATickThatIsRefused(t *testing.T) {
	tick := func(input, orders int, told ...byte) []byte { // what one player does; negative: nothing
		w := bitWriter{}
		w.put(1, ageBits)
		w.put(0, 2+16)
		w.bit(false) // other players than before
		w.put(0, 2)
		w.put(1, 2)
		if w.bit(input >= 0); input >= 0 {
			w.bit(false)
			w.put(1, 1)
			w.put(uint64(input), 8)
		}
		if w.bit(orders >= 0); orders >= 0 {
			w.put(uint64(orders), 16)
			for _, b := range told {
				w.put(uint64(b), 8)
			}
		}
		return w.close()
	}
	const length, none, cut = "orders of a length that they cannot have", "an input that is none", "it is cut off"
	for name, c := range map[string]struct {
		b    []byte
		want string // empty: it is accepted
	}{
		"nothing":              {tick(-1, -1), ""},
		"a jump":               {tick(1, -1), ""},
		"half a jump":          {tick(2, -1), none},
		"one byte":             {tick(-1, 1, 7), ""},
		"as many as there may": {tick(-1, 3, 7, 8, 9), ""},
		"no byte":              {tick(-1, 0), length},
		"one too many":         {tick(-1, 4, 7, 8, 9, 10), length},
		"cut in the length":    {tick(-1, 3, 7, 8, 9)[:4], length},
		"cut in the orders":    {tick(-1, 3, 7, 8), cut},
	} {
		k := jumps(t)
		whole := []byte{0, 0, 0, 0, 5, 0, 0, 0}
		if _, err := k.Whole(8, whole); err != nil {
			t.Fatal(err)
		}
		u, err := k.Apply(9, c.b)
		var wrong *DataError
		switch newest, _ := k.Newest(); {
		case c.want == "":
			if err != nil || newest != 9 || len(u.Ticks) != 1 || u.Ticks[0].Told != 1 {
				t.Errorf("%s: %+v, %v", name, u, err)
			}
		case !errors.As(err, &wrong) || wrong.State != 9 || wrong.Problem != c.want || newest != 8:
			t.Errorf("%s: %v, want %q; state %d is held", name, err, c.want, newest)
		default:
			if u, err := k.Apply(9, tick(1, 2, 3, 4)); err != nil || !u.Ticks[0].Inputs[0].Up || !bytes.Equal(u.Ticks[0].Orders[0], []byte{3, 4}) {
				t.Errorf("%s, and then what is right: %+v, %v", name, u, err)
			}
		}
	}
}

// Rule: a whole state is accepted if it is newer than all that is held. One with an input that is none, or that ends within
// the inputs, is refused, and says so.
func TestAWholeStateThatIsRefused(t *testing.T) {
	k := jumps(t)
	state := []byte{5, 0, 0, 0}
	with := func(told byte, inputs ...byte) []byte {
		return append(append([]byte{0, 0, told, 0}, inputs...), state...)
	}
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"half a jump":       {with(1, 2), "an input that is none"},
		"another half jump": {with(3, 1, 2), "an input that is none"},
		"no inputs":         {[]byte{0, 0, 3, 0}, "it is cut off"},
		"one of two":        {[]byte{0, 0, 3, 0, 1}, "it is cut off"},
	} {
		_, err := k.Whole(7, c.b)
		var wrong *DataError
		if !errors.As(err, &wrong) || wrong.State != 7 || wrong.Problem != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if text := wrong.Error(); !strings.Contains(text, "state 7") || !strings.Contains(text, c.want) {
			t.Errorf("%s: it says %q", name, text)
		}
		if _, any := k.Newest(); any {
			t.Errorf("%s: it is held", name)
		}
	}
	for _, c := range []struct {
		f   Frame
		err error
	}{{7, nil}, {7, ErrBaseline}, {6, ErrBaseline}, {8, nil}, {0, ErrBaseline}} {
		before, _ := k.Newest()
		u, err := k.Whole(c.f, with(3, 1, 0))
		newest, _ := k.Newest()
		if err != c.err || err == nil && (newest != c.f || *u.Value != 5) || err != nil && newest != before {
			t.Errorf("state %d after %d: %v", c.f, before, err)
		}
	}
	k.Forget()
	if _, err := k.Whole(3, with(0)); err != nil {
		t.Errorf("an older one, when all are forgotten: %v", err)
	}
}

// Rule: both sides refuse a game whose inputs are no values, or whose states are none.
func TestAGameThatCannotBeTold(t *testing.T) {
	_, err1 := NewMirror(Config[int32, *int]{Game: rollback.Game[int32, *int]{}, Players: 2}, 0)
	_, err2 := NewTruth(Config[int32, *int]{Game: rollback.Game[int32, *int]{}, Players: 2})
	_, err3 := NewMirror(Config[[]int, jump]{Game: rollback.Game[[]int, jump]{}, Players: 2}, 0)
	_, err4 := NewTruth(Config[[]int, jump]{Game: rollback.Game[[]int, jump]{}, Players: 2})
	for i, err := range []error{err1, err2, err3, err4} {
		if err == nil {
			t.Errorf("game %d is accepted", i)
		}
	}
}
