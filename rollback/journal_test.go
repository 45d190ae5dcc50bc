package rollback_test

import (
	"fmt"
	"strings"
	"testing"
)

// news returns the effects since the last call.
func (s *session) news() string {
	var list []string
	for _, ev := range s.Effects() {
		list = append(list, ev.String())
	}
	return strings.Join(list, ", ")
}

// Rule: an effect is started once, however often its frame is simulated, and
// confirmed when the frame is agreed.
func TestAnEffectStartsOnceAndIsConfirmed(t *testing.T) {
	s := playStyle(t, following, nil, two(8))
	s.ticks(0)
	want(t, "none", s.news(), "")
	s.get(0, 0)
	s.ticks(2)
	want(t, "started", s.news(), "started hit 0 at 1 [01]")
	want(t, "once", s.news(), "")
	s.ticks(0)
	s.get(1, 1)
	s.ticks(0)
	want(t, "simulated again", s.news(), "")
	s.ok(s.Agree(2))
	want(t, "confirmed", s.news(), "confirmed hit 0 at 1 [01]")
}

// Rule: effects shown because of a wrong prediction are cancelled, or moved to where
// they happen.
func TestAPredictedEffectIsMovedOrCancelled(t *testing.T) {
	s := playStyle(t, following, nil, two(16))
	s.get(0, 2)
	s.ticks(0)
	want(t, "exact", s.news(), "started hit 1 at 0 [01]")
	s.ticks(0)
	want(t, "predicted", s.news(), "started hit 1 at 1 [01]")
	s.get(1, 0)
	s.ok(s.Settle())
	want(t, "perhaps it is late", s.news(), "")
	s.get(2, 2)
	s.ticks(0)
	want(t, "moved", s.news(), "moved hit 1 from 1 to 2 [01]")
	s.get(3, 0)
	s.ticks(0, 0, 0)
	s.get(6, 2)
	s.ticks(0)
	want(t, "another", s.news(), "started hit 1 at 6 [01]")
	s.ticks(0)
	want(t, "predicted", s.news(), "started hit 1 at 7 [01]")
	s.get(7, 0)
	s.ticks(0, 0, 0, 0)
	want(t, "cancelled", s.news(), "cancelled hit 1 at 7 [01]")
}

// Rule: frames that an early stop skips keep their effects.
func TestAnEarlyStopKeepsTheEffectsOfTheFramesSkipped(t *testing.T) {
	s := playStyle(t, following, nil, two(8))
	s.get(0, 0)
	s.ticks(0, 0, 0, 2)
	want(t, "started", s.news(), "started hit 0 at 3 [01]")
	s.ticks(0)
	s.get(2, 0)
	s.get(1, 4)
	s.ok(s.Settle())
	want(t, "stopped", fmt.Sprint(s.Stats().EarlyStops, s.Stats().Skipped), "1 2")
	s.ticks(0, 0, 0)
	want(t, "left alone", s.news(), "")
	s.get(3, 0, 0, 0, 0, 0)
	s.ok(s.Agree(8))
	want(t, "confirmed", s.news(), "confirmed hit 0 at 3 [01]")
}

// Rule: effects that are only reported when certain wait for the agreement.
func TestACertainEffectWaitsForTheAgreement(t *testing.T) {
	s := playStyle(t, following, nil, two(8))
	s.get(0, 11)
	s.ticks(0, 0)
	want(t, "silence", s.news(), "")
	s.get(1, 0)
	s.ok(s.Settle())
	want(t, "silence", s.news(), "")
	s.ok(s.Agree(2))
	want(t, "certain", s.news(), "started ko 1 at 0 late 1, confirmed ko 1 at 0")
}

// Rule: Effects reports everything since the last call, however many ticks that was, but
// at most a whole history. Another match reports nothing of the old one.
func TestNewsCoversAllTicksSinceTheLast(t *testing.T) {
	s := playStyle(t, following, nil, two(8))
	s.ticks(2, 0)
	want(t, "two ticks", s.news(), "started hit 0 at 0 late 1 [01]")
	s.ticks(2)
	s.Restart(nil)
	want(t, "another match", s.news(), "")
	s.ticks(2)
	want(t, "anew", s.news(), "started hit 0 at 0 [01]")
}
