package predict_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/predict"
)

// parts returns the substeps of durations, one after the other.
func parts(durations ...time.Duration) (list []time.Duration) {
	for _, d := range durations {
		list = slices.AppendSeq(list, predict.Substeps(d, cadence))
	}
	return list
}

func TestADurationIsWholeCadencesAndTheRemainder(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want []time.Duration
	}{
		{150 * ms, []time.Duration{50 * ms, 50 * ms, 50 * ms}},
		{120 * ms, []time.Duration{50 * ms, 50 * ms, 20 * ms}},
		{50 * ms, []time.Duration{50 * ms}},
		{50*ms + 1, []time.Duration{50 * ms, 1}},
		{30 * ms, []time.Duration{30 * ms}}, // below the cadence
		{1, []time.Duration{1}},
		{0, nil},
		{-120 * ms, nil},
	} {
		if got := parts(c.d); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.d, got, c.want)
		}
	}
}

// A remainder is its move's own: it is not carried into the next one.
func TestTwoOddDurationsKeepTheirRemainders(t *testing.T) {
	want := []time.Duration{50 * ms, 50 * ms, 20 * ms, 50 * ms, 50 * ms, 20 * ms}
	if got := parts(120*ms, 120*ms); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSubstepsCanBeReadAgainAndLeft(t *testing.T) {
	seq := predict.Substeps(120*ms, cadence)
	for range seq {
		break
	}
	want := parts(120 * ms)
	for range 2 {
		if got := slices.Collect(seq); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestSubstepsOfNoCadencePanic(t *testing.T) {
	for _, c := range []time.Duration{0, -cadence} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("cadence %v: no panic", c)
				}
			}()
			predict.Substeps(cadence, c)
		}()
	}
}
