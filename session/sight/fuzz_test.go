package sight_test

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sight"
)

// Whatever bytes arrive, a mirror accepts them or says what is wrong, and refused bytes change
// nothing: the right update is accepted afterwards.
func FuzzMirror(f *testing.F) {
	for _, look := range []func(*tanks.State, rollback.Player) rollback.PlayerSet{nil, tanks.Sight} {
		m := newMatch(f, 1, tanks.Busy, look)
		for range 60 {
			m.tick()
		}
		for _, plain := range []bool{false, true} {
			b, err := m.truth.Append(nil, 1, m.truth.Newest()-3, plain, 5000)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b, look != nil)
		}
	}
	var matches [2]*match
	for i, look := range []func(*tanks.State, rollback.Player) rollback.PlayerSet{nil, tanks.Sight} {
		matches[i] = newMatch(f, 1, tanks.Busy, look)
		for range 57 {
			matches[i].tick()
		}
	}
	var wholes [2][]byte
	var base [2]rollback.Frame
	var right [2][]byte
	for i, m := range matches {
		var err error
		if wholes[i], err = m.truth.AppendWhole(nil, 1, m.run.Marshal); err != nil {
			f.Fatal(err)
		}
		base[i] = m.truth.Newest()
		for range 3 {
			m.tick()
		}
		if right[i], err = m.truth.Append(nil, 1, base[i], false, 5000); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, partial bool) {
		i := 0
		if partial {
			i = 1
		}
		m := matches[i]
		k := m.mirror(1)
		if _, err := k.Whole(base[i], wholes[i]); err != nil {
			t.Fatal(err)
		}
		n := m.truth.Newest()
		u, err := k.Apply(n, b)
		var data *sight.DataError
		var differs *sight.DesyncError
		switch {
		case err == nil:
			if newest, any := k.Newest(); !any || newest != n || u.State != n || len(u.Ticks) != int(n-u.From) {
				t.Fatalf("%+v", u)
			}
			return
		case !errors.As(err, &data) && !errors.As(err, &differs) && !errors.Is(err, sight.ErrBaseline):
			t.Fatalf("an error without a type: %v", err)
		}
		if newest, any := k.Newest(); newest != base[i] || !any {
			t.Fatal("what is refused is held")
		}
		if _, err := k.Apply(n, right[i]); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Whole(n+1, b); err != nil && !errors.As(err, &data) {
			t.Fatalf("an error without a type: %v", err)
		}
	})
}
