package soak

import (
	"testing"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/session"
)

// Rule: the progress lines have the minimum, the median and the maximum of all counts of units, once a minute of
// virtual time; for a game without units they only have the progress of the match.
func TestUnitsAreCounted(t *testing.T) {
	var none *census
	none.passed(time.Hour, time.Hour)
	if none.result().String() != "-" || (&census{}).result() != nil {
		t.Error("there are units where none were counted")
	}
	var lines []string
	c := &census{tell: func(line string) { lines = append(lines, line) }}
	for second := range 150 {
		c.count([...]int{40, 10, 30, 20, 50}[second%5])
		c.passed(time.Duration(second)*time.Second, time.Hour)
	}
	if len(lines) != 2 || lines[1] != "after 2m0s of a match of 1h0m0s and its pauses; units: 10 to 50, median 30" {
		t.Errorf("%q", lines)
	}
	c = &census{tell: func(line string) { lines = append(lines, line) }} // of a game that has none
	if c.passed(time.Minute, time.Hour); len(lines) != 3 || lines[2] != "after 1m0s of a match of 1h0m0s and its pauses" {
		t.Errorf("without units: %q", lines)
	}
	c.count(10)
	c.count(30)
	c.count(50)
	if got := c.result().join(&Census{5, 20, 45}).String(); got != "5 / 30 / 50" {
		t.Errorf("two matches have %s", got)
	}
}

// Rule: a game with orders is played at its own tick rate, for the requested time, and other games at the plan's rate.
func TestAGameWithOrdersIsPlayedAtItsRate(t *testing.T) {
	for orders, want := range map[int]struct {
		rate   int
		frames session.Frame
	}{0: {60, 3600}, 8: {30, 1800}} {
		p := fleet.Plan{TickRate: 60, Frames: 3600}
		peerKind{mode: modeDrawn}.adapt(&games.Info{TickRate: 30, MaxOrders: orders}, &p)
		if p.TickRate != want.rate || p.Frames != want.frames {
			t.Errorf("orders of %d bytes: %d frames at %d a second", orders, p.Frames, p.TickRate)
		}
	}
}
