package pace

import (
	"testing"
	"time"

	"github.com/tickback/tickback/wire/rate"
)

// However many periods are added up, they end when the rate says, to the nanosecond.
func TestPeriodsOfARateAddUp(t *testing.T) {
	for _, r := range []rate.Rate{
		{Frames: 39375000, Seconds: 655171},
		{Frames: 262144, Seconds: 4389},
		{Frames: 322445, Seconds: 6448},
		{Frames: 3, Seconds: 2},
		{Frames: 1999, Seconds: 2},
		{Frames: 1<<32 - 1, Seconds: 1<<32 - 2},
	} {
		var s Schedule
		s.Init(rate.Tick(0, r), 1)
		s.Carry = CarryOf(r)
		s.Begin(time.Hour)
		for f := range uint32(400_000) {
			if due, want := s.Take(rate.Tick(0, r)), time.Hour+rate.Length(f, 0, r); due != want {
				t.Fatalf("at %v frame %d is due at %d, want %d", r, f, due, want)
			}
		}
	}
}

// A rate that is an integer has periods of whole nanoseconds, as before there were others.
func TestNothingIsCarriedAtAnInteger(t *testing.T) {
	var s Schedule
	s.Init(time.Second/60, 1)
	s.Begin(time.Hour)
	for f := range time.Duration(1000) {
		if due := s.Take(time.Second / 60); due != time.Hour+f*16_666_666 {
			t.Fatalf("frame %d is due at %d", f, due)
		}
	}
	if c := CarryOf(rate.Rate{}); c != (Carry{}) || c.Next() != 0 || c.Next() != 0 {
		t.Errorf("%+v is carried", c)
	}
}
