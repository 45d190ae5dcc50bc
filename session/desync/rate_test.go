package desync

import (
	"testing"

	"github.com/tickback/tickback/wire/rate"
)

// ntsc is 60.0988 frames a second.
var ntsc = rate.Rate{Frames: 39375000, Seconds: 655171}

func atRate(r *Report, whole uint16, exact rate.Rate) { r.TickRate, r.Rate = whole, exact }

// A report of a match with a rate that is no integer has it exactly, in eight bytes more, and the integer next to it.
func TestAReportHasTheExactRate(t *testing.T) {
	plain, exact := aReport(), aReport()
	atRate(exact, 60, ntsc)
	b := exact.Append(nil)
	if more := len(b) - len(plain.Append(nil)); more != 8 {
		t.Errorf("%d bytes more", more)
	}
	got, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if got.Rate != ntsc || got.TickRate != 60 {
		t.Errorf("%v, about %d", got.Rate, got.TickRate)
	}
}
