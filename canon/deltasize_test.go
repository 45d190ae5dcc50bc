package canon_test

import (
	"bytes"
	"compress/flate"
	"slices"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/rollback"
)

// states are the states of a match, tick by tick.
type states[T any] struct {
	plan *canon.Plan[T]
	list []T
	back int // how many ticks older the base is: 150 ms
}

func record[T any](t testing.TB, s *T, ticks, back int, step func(f rollback.Frame)) states[T] {
	t.Helper()
	p, err := canon.PlanFor[T]()
	if err != nil {
		t.Fatal(err)
	}
	list := make([]T, ticks)
	for f := range list {
		step(rollback.Frame(f))
		list[f] = *s
	}
	return states[T]{p, list, back}
}

func everybody(most rollback.Player) (set rollback.PlayerSet) {
	for p := range min(most, rollback.MaxPlayers) {
		set |= rollback.SetOf(p)
	}
	return set
}

// tankMatch is played by bots that change their inputs every 3 ticks, or once a second.
func tankMatch(t testing.TB, mood tanks.Mood, ticks int) states[tanks.State] {
	s, bot, all := tanks.New(1).Endless(), tanks.Bot{Seed: 1, Mood: mood, Seen: 3}, everybody(tanks.MaxPlayers)
	return record(t, &s, ticks, 3, func(rollback.Frame) {
		var in [tanks.MaxPlayers]tanks.Input
		for p := range all.All() {
			in[p] = bot.Input(p, rollback.Frame(s.Frame), &s)
		}
		tanks.Step(&s, &in, all, nil)
	})
}

func arenaMatch(t testing.TB, ticks int) states[arena.State] {
	s, bot, all := arena.New(1), arena.Bot{Seed: 1, Skill: arena.Hard}, everybody(arena.MaxPlayers)
	return record(t, &s, ticks, 9, func(f rollback.Frame) {
		var in [arena.MaxPlayers]arena.Input
		for p := range all.All() {
			in[p] = bot.Input(p, f, &s)
		}
		arena.Step(&s, &in, all, nil)
	})
}

// measure returns the mean size of a delta in bytes, and that of the byte differences after compression with flate.
func (m states[T]) measure(t testing.TB) (delta, deflated int) {
	n := 0
	for i := m.back; i < len(m.list); i++ {
		base, v := m.list[i-m.back], &m.list[i]
		b := m.plan.AppendDelta(nil, &base, v)
		delta += len(b)
		deflated += deflate(t, m.plan.Append(nil, &base), m.plan.Append(nil, v))
		if got, err := m.plan.ApplyDelta(&base, b); err != nil || got != len(b) || !m.plan.Equal(&base, v) {
			t.Fatalf("tick %d: %d bytes of %d, %v", i, got, len(b), err)
		}
		n++
	}
	return delta / n, deflated / n
}

func deflate(t testing.TB, a, b []byte) int {
	for i := range a {
		a[i] = b[i] - a[i]
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(a); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// Rule: deltas of real matches against a state that is 150 ms older take a tenth of the size of the state, and two
// thirds of what a general compressor needs for the differences. docs/benchmarks.md has the figures.
func TestDeltasOfMatchesAreSmall(t *testing.T) {
	ticks := 1000
	if testing.Short() {
		ticks = 300
	}
	check := func(name string, delta, deflated, size, least int) {
		t.Logf("| %s | %d | %d | %d |", name, size, deflated, delta)
		if delta*10 > size || delta*3 > deflated*2 || delta < least {
			t.Errorf("%s: %d bytes; %d by flate; the state has %d", name, delta, deflated, size)
		}
	}
	for mood, name := range map[tanks.Mood]string{tanks.Busy: "tanks, busy", tanks.Calm: "tanks, calm"} {
		m := tankMatch(t, mood, ticks)
		delta, deflated := m.measure(t)
		check(name, delta, deflated, m.plan.Size(), 100)
	}
	m := arenaMatch(t, ticks)
	delta, deflated := m.measure(t)
	check("arena", delta, deflated, m.plan.Size(), 50)
}

// benchmarkDelta writes and reads the deltas of a match. The floor is encoding and decoding the same values.
func benchmarkDelta[T any](b *testing.B, m states[T]) {
	pairs := len(m.list) - m.back
	deltas := make([][]byte, pairs)
	full := make([][]byte, pairs)
	for i := range deltas {
		deltas[i] = m.plan.AppendDelta(nil, &m.list[i], &m.list[i+m.back])
		full[i] = m.plan.Append(nil, &m.list[i])
	}
	same := slices.Clone(m.list)
	out, v, at := make([]byte, 0, 1<<16), new(T), 0
	next := func() int { at = (at + 1) % pairs; return at }
	b.Run("write", func(b *testing.B) {
		floor.Compare(b, func(n int) {
			for range n {
				out = m.plan.Append(out[:0], &m.list[next()])
			}
		}, func(n int) {
			for range n {
				i := next()
				out = m.plan.AppendDelta(out[:0], &m.list[i], &m.list[i+m.back])
			}
		})
	})
	b.Run("read", func(b *testing.B) {
		floor.Compare(b, func(n int) {
			for range n {
				if m.plan.Decode(v, full[next()]) != nil {
					b.Fatal("it does not decode")
				}
			}
		}, func(n int) {
			for range n {
				i := next()
				*v = m.list[i]
				if _, err := m.plan.ApplyDelta(v, deltas[i]); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
	b.Run("equal", func(b *testing.B) {
		floor.Compare(b, func(n int) {
			for range n {
				i := next()
				m.plan.Equal(&m.list[i], &same[i])
			}
		}, func(n int) {
			for range n {
				i := next()
				out = m.plan.AppendDelta(out[:0], &m.list[i], &same[i])
			}
		})
	})
}

func BenchmarkDeltaTanks(b *testing.B) { benchmarkDelta(b, tankMatch(b, tanks.Busy, 500)) }

func BenchmarkDeltaArena(b *testing.B) { benchmarkDelta(b, arenaMatch(b, 1000)) }
