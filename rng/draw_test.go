package rng_test

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
)

// Every draw lies in its range, also in the widest and the narrowest ones.
func TestDrawsStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r32 := rng.Must(rng.NewXorshift32(rapid.Uint32Min(1).Draw(t, "seed")))
		r128 := rng.New(rapid.Uint64().Draw(t, "seed"))

		if n := rapid.Uint32Min(1).Draw(t, "n"); rng.Must(r32.Bounded(n)) >= n || rng.Must(r128.Bounded(uint64(n))) >= uint64(n) {
			t.Fatalf("a draw below %d is not", n)
		}
		low32 := rapid.Int32Max(1<<31-2).Draw(t, "low")
		high32 := rapid.Int32Min(low32+1).Draw(t, "high")
		if v := rng.Must(r32.Range(low32, high32)); v < low32 || v >= high32 {
			t.Fatalf("%d is not in [%d, %d)", v, low32, high32)
		}
		low := rapid.Int64Max(1<<63-2).Draw(t, "low")
		high := rapid.Int64Min(low+1).Draw(t, "high")
		for _, v := range []int64{
			rng.Must(r128.Range(low, high)),
			int64(rng.Must(r128.Fixed(fixed.Num(low), fixed.Num(high)))),
			int64(rng.Must(r32.Fixed(fixed.Num(low), fixed.Num(high)))),
		} {
			if v < low || v >= high {
				t.Fatalf("%d is not in [%d, %d)", v, low, high)
			}
		}
	})
}

// The spec of a fixed-point draw: min + next mod (max - min).
func TestFixedIsTheWordModuloTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rng.NewXorshift128Plus(rapid.Uint64().Draw(t, "seed"))
		low := rapid.Int64Max(0).Draw(t, "low")
		width := rapid.Uint64Range(1, 1<<62).Draw(t, "width")
		word := r // a copy draws the same
		want := low + int64(word.Next()%width)
		got := rng.Must(r.Fixed(fixed.Num(low), fixed.Num(low+int64(width))))
		if int64(got) != want || r != word {
			t.Fatalf("got %d, want %d", got, want)
		}
	})
}

// What cannot be drawn is an error that leaves the generator as it was.
func TestEmptyRanges(t *testing.T) {
	r32, r128 := rng.Must(rng.NewXorshift32(9)), rng.New(9)
	before32, before128 := r32, r128
	noSwap := func(int, int) { t.Error("swap was called") }
	for name, draw := range map[string]func() error{
		"Bounded(0) of 32":     func() error { _, err := r32.Bounded(0); return err },
		"Bounded(0) of 128":    func() error { _, err := r128.Bounded(0); return err },
		"Range(5, 5) of 32":    func() error { _, err := r32.Range(5, 5); return err },
		"Range(5, -5) of 32":   func() error { _, err := r32.Range(5, -5); return err },
		"Range(5, 5) of 128":   func() error { _, err := r128.Range(5, 5); return err },
		"Range(5, -5) of 128":  func() error { _, err := r128.Range(5, -5); return err },
		"Fixed(One, 0) of 32":  func() error { _, err := r32.Fixed(fixed.One, 0); return err },
		"Fixed(0, 0) of 128":   func() error { _, err := r128.Fixed(0, 0); return err },
		"Shuffle(-1) of 32":    func() error { return r32.Shuffle(-1, noSwap) },
		"Shuffle(-1) of 128":   func() error { return r128.Shuffle(-1, noSwap) },
		"not Shuffle(0) of 32": func() error { return errors.Join(rng.ErrEmptyRange, r32.Shuffle(0, noSwap), r32.Shuffle(1, noSwap)) },
	} {
		if err := draw(); !errors.Is(err, rng.ErrEmptyRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r32 != before32 || r128 != before128 {
		t.Error("a draw that failed advanced the generator")
	}
}

func TestMustPanicsOnMisuse(t *testing.T) {
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, rng.ErrEmptyRange) {
			t.Errorf("recovered %v", err)
		}
	}()
	r := rng.New(1)
	rng.Must(r.Bounded(0))
}

// A shuffle is a permutation, and each of the 24 orders of 4 things comes up
// about as often as any other. The draws are fixed, so the bound never flakes.
func TestShufflesAreFair(t *testing.T) {
	const rounds = 24000
	r32, r128 := rng.Must(rng.NewXorshift32(1)), rng.New(1)
	for name, shuffle := range map[string]func(int, func(i, j int)) error{
		"xorshift32": r32.Shuffle, "xorshift128+": r128.Shuffle,
	} {
		seen := map[[4]int]int{}
		for range rounds {
			order := [4]int{0, 1, 2, 3}
			if err := shuffle(4, func(i, j int) { order[i], order[j] = order[j], order[i] }); err != nil {
				t.Fatal(err)
			}
			seen[order]++
		}
		if len(seen) != 24 {
			t.Errorf("%s: %d orders of 24", name, len(seen))
		}
		chi := 0.0 // 23 degrees of freedom: 49.7 is passed once in a thousand
		for _, n := range seen {
			chi += float64((n-rounds/24)*(n-rounds/24)) / (rounds / 24)
		}
		if chi > 49.7 {
			t.Errorf("%s: chi-square %.1f, %v", name, chi, seen)
		}
	}
}

// Neighbouring seeds differ in about half the bits of the first output with the
// well-mixed seeding, and in hardly any with the plain one (which is why New
// exists).
func TestNewMixesTheSeed(t *testing.T) {
	const seeds = 1000
	changed := func(first func(seed uint64) uint64) int {
		sum := 0
		for seed := range uint64(seeds) {
			sum += bits.OnesCount64(first(seed) ^ first(seed+1))
		}
		return sum / seeds
	}
	mixed := changed(func(seed uint64) uint64 { r := rng.New(seed); return r.Next() })
	plain := changed(func(seed uint64) uint64 { r := rng.NewXorshift128Plus(seed); return r.Next() })
	if mixed < 31 || mixed > 33 {
		t.Errorf("New: %d bits of 64 change on average", mixed)
	}
	if plain > 8 {
		t.Errorf("the plain seeding changes %d bits: the comparison has lost its point", plain)
	}
}

// The text form leads back to the same generator; nothing else is taken.
func TestText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r32 := rng.Xorshift32{State: rapid.Uint32().Draw(t, "state")}
		r128 := rng.NewXorshift128Plus(rapid.Uint64().Draw(t, "seed"))
		var back32 rng.Xorshift32
		var back128 rng.Xorshift128Plus
		if err := back32.UnmarshalText([]byte(r32.String())); err != nil || back32 != r32 {
			t.Fatal(back32, r32, err)
		}
		text, err := r128.MarshalText()
		if err != nil || string(text) != fmt.Sprint(r128) {
			t.Fatal(string(text), r128, err)
		}
		if err := back128.UnmarshalText(text); err != nil || back128 != r128 {
			t.Fatal(back128, r128, err)
		}
	})
	r32, r128 := rng.Must(rng.NewXorshift32(42)), rng.NewXorshift128Plus(1)
	if got := r32.String() + " " + r128.String(); got != "xorshift32:0000002a xorshift128+:0000000000000001:9e3779b97f4a7c14" {
		t.Error(got)
	}
	for _, bad := range []string{
		"", "xorshift32:", "xorshift32:0000002A", "xorshift32:0000002", "xorshift32:0000002a ", "xorshift33:0000002a",
		"xorshift32-0000002a", "xorshift32:0000002g", "xorshift32:+000002a",
		"xorshift128+:00000000000000000000000000000000:",
	} {
		if err := r32.UnmarshalText([]byte(bad)); !errors.Is(err, rng.ErrText) || r32.State != 42 {
			t.Errorf("%q into %v: %v", bad, r32, err)
		}
		if err := r128.UnmarshalText([]byte(bad)); !errors.Is(err, rng.ErrText) || r128.S0 != 1 {
			t.Errorf("%q into %v: %v", bad, r128, err)
		}
	}
}

func TestDrawsAllocateNothing(t *testing.T) {
	r32, r128 := rng.Must(rng.NewXorshift32(1)), rng.New(1)
	order := slices.Repeat([]int{1, 2, 3}, 5)
	swap := func(i, j int) { order[i], order[j] = order[j], order[i] }
	allocs := testing.AllocsPerRun(100, func() {
		rng.Must(r32.Bounded(6))
		rng.Must(r128.Range(-6, 6))
		rng.Must(r128.Fixed(0, fixed.One))
		if err := errors.Join(r32.Shuffle(len(order), swap), r128.Shuffle(len(order), swap)); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// FuzzText: any text is refused or is exactly the text of what it gave.
func FuzzText(f *testing.F) {
	f.Add("xorshift32:0000002a")
	f.Add("xorshift128+:0000000000000001:9e3779b97f4a7c14")
	f.Fuzz(func(t *testing.T, text string) {
		var r32 rng.Xorshift32
		if err := r32.UnmarshalText([]byte(text)); err == nil && r32.String() != text {
			t.Errorf("%q became %v", text, r32)
		}
		var r128 rng.Xorshift128Plus
		if err := r128.UnmarshalText([]byte(text)); err == nil && r128.String() != text {
			t.Errorf("%q became %v", text, r128)
		}
	})
}
