package rate_test

import (
	"errors"
	"math"
	"testing"
	"time"

	. "github.com/tickback/tickback/wire/rate"
)

// The rates of three machines: NES with NTSC, Game Boy, and NES with PAL.
var (
	ntsc    = Rate{39375000, 655171}
	gameBoy = Rate{262144, 4389}
	pal     = Rate{322445, 6448}
)

func TestRatesOfConsoles(t *testing.T) {
	for _, c := range []struct {
		rate    Rate
		text    string
		nearest int
		period  time.Duration
	}{
		{ntsc, "60.0988 (39375000/655171)", 60, 16_639_263},
		{gameBoy, "59.7275 (262144/4389)", 60, 16_742_706},
		{pal, "50.0069 (322445/6448)", 50, 19_997_208},
	} {
		period, rest, of := c.rate.Period()
		if got := Text(0, c.rate); got != c.text || c.rate.Nearest() != c.nearest || period != c.period {
			t.Errorf("%v is %s, about %d, with a period of %d ns; want %s, %d, %d", c.rate, got, c.rate.Nearest(), period, c.text, c.nearest, c.period)
		}
		if rest >= of || uint64(period)*of+rest != uint64(c.rate.Seconds)*1e9 {
			t.Errorf("%v: the period %d and %d/%d of a nanosecond is not %d s / %d", c.rate, period, rest, of, c.rate.Seconds, of)
		}
		if err := c.rate.Canonical(); err != nil {
			t.Errorf("%v: %v", c.rate, err)
		}
	}
}

func TestHostileRatesAreRefused(t *testing.T) {
	for _, r := range []Rate{
		{},
		{1, 0},
		{0, 1},
		{0, math.MaxUint32},
		{1, 2},
		{math.MaxUint32, 0},
		{1, math.MaxUint32},
		{1001, 1},
		{math.MaxUint32, 1},
		{math.MaxUint32, 4_294_967},
		{4_294_967, math.MaxUint32},
		{2001, 2},
	} {
		for _, err := range []error{r.Check(), r.Canonical()} {
			if !errors.Is(err, ErrRate) {
				t.Errorf("%v: %v, want ErrRate", r, err)
			}
		}
	}
	for _, r := range []Rate{{math.MaxUint32, math.MaxUint32}, {60, 1}, {120, 2}, {1000, 1}, {121, 2}, {242, 4}, {math.MaxUint32, 4_294_968}} {
		if err := r.Check(); err != nil {
			t.Errorf("%v: %v", r, err)
		}
	}
	for _, r := range []Rate{{math.MaxUint32, math.MaxUint32}, {60, 1}, {120, 2}, {242, 4}} {
		if err := r.Canonical(); !errors.Is(err, ErrRate) {
			t.Errorf("%v has a shorter form: %v", r, err)
		}
	}
}

func TestSettle(t *testing.T) {
	for _, c := range []struct {
		whole int
		exact Rate
		want  int
		rate  Rate
		fails bool
	}{
		{60, Rate{}, 60, Rate{}, false},
		{0, Rate{}, 0, Rate{}, false}, // the default of whoever asks
		{-1, Rate{}, -1, Rate{}, false},
		{0, ntsc, 60, ntsc, false},
		{60, ntsc, 60, ntsc, false}, // settled already
		{50, ntsc, 50, ntsc, true},
		{0, Rate{2 * 262144, 2 * 4389}, 60, gameBoy, false},
		{0, Rate{120, 2}, 60, Rate{}, false}, // an integer after all
		{0, Rate{121, 2}, 61, Rate{121, 2}, false},
		{0, Rate{1999, 2}, 1000, Rate{1999, 2}, false},
		{0, Rate{60, 0}, 0, Rate{60, 0}, true},
		{0, Rate{0, 60}, 0, Rate{0, 60}, true},
	} {
		whole, exact, err := Settle(c.whole, c.exact)
		if whole != c.want || exact != c.rate || errors.Is(err, ErrRate) != c.fails {
			t.Errorf("Settle(%d, %v) = %d, %v, %v; want %d, %v", c.whole, c.exact, whole, exact, err, c.want, c.rate)
		}
	}
}

func TestLength(t *testing.T) {
	for _, c := range []struct {
		frames uint32
		whole  int
		exact  Rate
		want   time.Duration
	}{
		{0, 60, Rate{}, 0},
		{216_000, 60, Rate{}, time.Hour},
		{1, 60, Rate{}, 16_666_666},
		{39375000, 0, ntsc, 655171 * time.Second},
		{1, 60, ntsc, 16_639_263},
		{math.MaxUint32, 1, Rate{}, math.MaxUint32 * time.Second},
		{math.MaxUint32, 0, Rate{1, math.MaxUint32}, math.MaxInt64},
		{10, 0, Rate{1, 1 << 31}, math.MaxInt64},
		{math.MaxUint32, 0, Rate{0, 1}, math.MaxInt64},
	} {
		if got := Length(c.frames, c.whole, c.exact); got != c.want {
			t.Errorf("Length(%d, %d, %v) = %d, want %d", c.frames, c.whole, c.exact, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		time  time.Duration
		whole int
		exact Rate
		want  uint32
	}{
		{time.Hour, 60, Rate{}, 216_000},
		{time.Hour, 60, ntsc, 216_356}, // 3600 x 60.09881...
		{time.Hour, 50, pal, 180_026},
		{1, 60, Rate{}, 1},
		{0, 60, Rate{}, 0},
		{-1, 60, Rate{}, 0},
		{655171 * time.Second, 60, ntsc, 39375000},
		{655171*time.Second + 1, 60, ntsc, 39375001},
		{math.MaxInt64, 1000, Rate{}, math.MaxUint32},
		{math.MaxInt64, 1, Rate{math.MaxUint32, math.MaxUint32 / 2}, math.MaxUint32},
	} {
		if got := Count(c.time, c.whole, c.exact); got != c.want {
			t.Errorf("Count(%v, %d, %v) = %d, want %d", c.time, c.whole, c.exact, got, c.want)
		}
	}
}

func FuzzSettle(f *testing.F) {
	f.Add(0, uint32(39375000), uint32(655171))
	f.Add(60, uint32(120), uint32(2))
	f.Add(0, uint32(1), uint32(0))
	f.Add(0, uint32(math.MaxUint32), uint32(math.MaxUint32))
	f.Fuzz(func(t *testing.T, whole int, frames, seconds uint32) {
		given := Rate{frames, seconds}
		n, r, err := Settle(whole, given)
		if err != nil || !given.Given() {
			return
		}
		if n < 1 || n > Max || r.Given() && (r.Canonical() != nil || r.Nearest() != n) {
			t.Fatalf("Settle(%d, %v) = %d, %v", whole, given, n, r)
		}
		if again, same, err := Settle(n, r); again != n || same != r || err != nil {
			t.Fatalf("settled twice, %d and %v are %d and %v: %v", n, r, again, same, err)
		}
		if Tick(n, r) != Length(1, 0, given) || Count(time.Hour, n, r) != Count(time.Hour, 0, given) || Length(1, n, r) != Length(1, 0, given) || Length(math.MaxUint32, n, r) != Length(math.MaxUint32, 0, given) {
			t.Fatalf("%v and %d, %v are not the same rate", given, n, r)
		}
		period, rest, of := given.Period()
		if period < time.Second/Max || period > time.Second || rest >= of {
			t.Fatalf("%v has a period of %v, and %d/%d ns", given, period, rest, of)
		}
	})
}
