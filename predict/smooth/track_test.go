package smooth_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/tickback/tickback/predict/smooth"
)

func line(a, b, share float64) float64 { return a + (b-a)*share }

func newTrack(t testing.TB, c smooth.TrackConfig[float64]) *smooth.Track[float64] {
	t.Helper()
	if c.Blend == nil {
		c.Blend = line
	}
	track, err := smooth.NewTrack(c)
	if err != nil {
		t.Fatal(err)
	}
	return track
}

// looks checks what is shown at a time.
func looks(t *testing.T, track *smooth.Track[float64], now time.Duration, want float64, kind smooth.Shown) {
	t.Helper()
	got, shown := track.At(now)
	about(t, now.String(), got, want)
	if shown != kind {
		t.Errorf("%v: %v, want %v", now, shown, kind)
	}
}

func TestATrackShowsWhatWasADelayBefore(t *testing.T) {
	track := newTrack(t, smooth.TrackConfig[float64]{Delay: 100 * ms, Beyond: 30 * ms})
	looks(t, track, 500*ms, 0, smooth.Nothing)
	track.Add(1000*ms, 10)
	looks(t, track, 1099*ms, 10, smooth.First)
	looks(t, track, 1100*ms, 10, smooth.Between)
	looks(t, track, 1500*ms, 10, smooth.Held) // one sample leads nowhere
	track.Add(1050*ms, 20)
	track.Add(1150*ms, 10)
	looks(t, track, -time.Hour, 10, smooth.First)
	looks(t, track, 1100*ms, 10, smooth.Between)
	looks(t, track, 1110*ms, 12, smooth.Between)
	looks(t, track, 1150*ms, 20, smooth.Between)
	looks(t, track, 1200*ms, 15, smooth.Between)
	looks(t, track, 1250*ms, 10, smooth.Between)
	looks(t, track, 1250*ms+1, 10-1e-7, smooth.Guessed)
	looks(t, track, 1280*ms, 7, smooth.Guessed)
	looks(t, track, 1280*ms+1, 7, smooth.Held)
	looks(t, track, time.Hour, 7, smooth.Held)
	looks(t, track, math.MaxInt64, 7, smooth.Held)
}

func TestATrackThatMustNotGuessHolds(t *testing.T) {
	track := newTrack(t, smooth.TrackConfig[float64]{Delay: ms, Beyond: -1})
	track.Add(0, 1)
	track.Add(10*ms, 2)
	looks(t, track, 11*ms, 2, smooth.Between)
	looks(t, track, 11*ms+1, 2, smooth.Held)
}

func TestNothingLeadsToACut(t *testing.T) {
	track := newTrack(t, smooth.TrackConfig[float64]{Delay: 10 * ms, Beyond: 50 * ms})
	track.Add(0, 1)
	track.Cut(100*ms, 50)
	looks(t, track, 109*ms, 1, smooth.Between)
	looks(t, track, 110*ms, 50, smooth.Between)
	looks(t, track, 120*ms, 50, smooth.Held) // there is no way to go on
	track.Add(200*ms, 60)
	looks(t, track, 160*ms, 55, smooth.Between)
	looks(t, track, 220*ms, 61, smooth.Guessed)
}

func TestLateAndRepeatedSamplesAreIgnored(t *testing.T) {
	track := newTrack(t, smooth.TrackConfig[float64]{})
	for _, c := range []struct {
		at   time.Duration
		want bool
	}{{-1, false}, {0, true}, {50 * ms, true}, {50 * ms, false}, {40 * ms, false}, {50*ms + 1, true}, {math.MinInt64, false}} {
		if got := track.Add(c.at, float64(c.at)); got != c.want {
			t.Errorf("%v: %v", c.at, got)
		}
	}
	if track.Ignored() != 4 {
		t.Error(track.Ignored())
	}
	second := newTrack(t, smooth.TrackConfig[float64]{Delay: 1})
	second.Add(0, 3)
	if second.Add(0, 4) {
		t.Error("a second sample of the same time is taken")
	}
	looks(t, second, 0, 3, smooth.First)
	looks(t, second, 1, 3, smooth.Between)
}

func TestATrackKeepsTheNewestSamples(t *testing.T) {
	track := newTrack(t, smooth.TrackConfig[float64]{Delay: ms, Keep: 3})
	for i := range 10 {
		track.Add(time.Duration(i)*10*ms, float64(i))
	}
	looks(t, track, 0, 7, smooth.First)
	looks(t, track, 71*ms-1, 7, smooth.First)
	looks(t, track, 76*ms, 7.5, smooth.Between)
	looks(t, track, 91*ms, 9, smooth.Between)
}

func TestTracksThatMakeNoSenseAreRefused(t *testing.T) {
	for _, c := range []smooth.TrackConfig[float64]{
		{},
		{Blend: line, Delay: -1},
		{Blend: line, Keep: 1},
		{Blend: line, Keep: -1},
		{Blend: line, Keep: smooth.MaxKeep + 1},
	} {
		if _, err := smooth.NewTrack(c); !errors.Is(err, smooth.ErrConfig) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, keep := range []int{2, smooth.MaxKeep} {
		newTrack(t, smooth.TrackConfig[float64]{Keep: keep})
	}
	// The defaults: 100 ms behind, and as long a guess.
	track := newTrack(t, smooth.TrackConfig[float64]{})
	track.Add(0, 0)
	track.Add(50*ms, 5)
	looks(t, track, 125*ms, 2.5, smooth.Between)
	looks(t, track, 250*ms, 15, smooth.Guessed)
	looks(t, track, 251*ms, 15, smooth.Held)
	for i := range smooth.DefaultKeep {
		track.Add(time.Duration(2+i)*50*ms, 0)
	}
	looks(t, track, 0, 0, smooth.First)
}

func TestTracksAndOffsetsAllocateNothing(t *testing.T) {
	track, offset, now := newTrack(t, smooth.TrackConfig[float64]{}), smooth.Offset{Snap: 1}, time.Duration(0)
	if got := testing.AllocsPerRun(1000, func() {
		now += 50 * ms
		track.Add(now, float64(now))
		track.At(now)
		offset.Add(smooth.Vec{0.1})
		offset.Advance(16 * ms)
		offset.At()
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// FuzzTrack takes any samples and times: what is shown lies between samples or on the
// line through the last two, and never beyond its bound.
func FuzzTrack(f *testing.F) {
	f.Add(int64(0), int64(50), int64(100), int64(175))
	f.Add(int64(-1), int64(5), int64(5), int64(1<<62))
	f.Add(int64(1<<62), int64(1<<63-1), int64(3), int64(-1<<63))
	f.Fuzz(func(t *testing.T, a, b, c, now int64) {
		track := newTrack(t, smooth.TrackConfig[float64]{Keep: 2, Blend: func(_, _, share float64) float64 { return share }})
		for _, at := range []int64{a, b, c} {
			track.Add(time.Duration(at), 0)
		}
		got, shown := track.At(time.Duration(now))
		switch {
		case shown == smooth.Between && got >= 0 && got <= 1:
		case shown == smooth.Guessed && got >= 1:
		case shown == smooth.Held && (got == 0 || got >= 1):
		case shown == smooth.First && got == 0:
		case shown == smooth.Nothing && a < 0 && b < 0 && c < 0:
		default:
			t.Fatalf("share %v, %v", got, shown)
		}
	})
}

// What the guide says of those who say nothing.
func TestTheDefaultsAreThoseOfTheGuide(t *testing.T) {
	for name, c := range map[string][2]int64{
		"half-life": {int64(smooth.DefaultHalfLife), int64(60 * ms)},
		"longest":   {int64(smooth.DefaultLongest), int64(400 * ms)},
		"delay":     {int64(smooth.DefaultDelay), int64(100 * ms)},
		"beyond":    {int64(smooth.DefaultBeyond), int64(100 * ms)},
		"keep":      {smooth.DefaultKeep, 32},
		"most kept": {smooth.MaxKeep, 4096},
		"numbers":   {int64(len(smooth.Vec{})), 3},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", name, c[0], c[1])
		}
	}
}

func TestEveryKindHasAName(t *testing.T) {
	for kind, want := range map[smooth.Shown]string{
		smooth.Nothing: "nothing", smooth.First: "first", smooth.Between: "between", smooth.Guessed: "guessed", smooth.Held: "held", smooth.Held + 1: "unknown",
	} {
		if kind.String() != want {
			t.Errorf("%v, want %v", kind, want)
		}
	}
}
