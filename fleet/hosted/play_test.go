package hosted

import (
	"flag"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
)

var (
	seedFlag   = flag.Uint64("hosted.seed", 0, "play the plans of this seed, and of those that follow")
	runsFlag   = flag.Uint64("hosted.runs", 0, "play so many plans of each game")
	lengthFlag = flag.Duration("hosted.length", 30*time.Second, "the length of these matches")
)

func TestPlansOfAllProfiles(t *testing.T) {
	first, runs := max(*seedFlag, 1), max(*runsFlag, 3)
	var sum ClientResult
	for seed := first; seed < first+runs; seed++ {
		p, err := Draw(seed, fleet.All, tanksRules, *lengthFlag)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		res, err := Play(tanksGame(), p, Options[tanksState, tanksInput]{})
		if err != nil {
			t.Fatal(err)
		}
		s := res.Sum()
		t.Logf("seed %d partial %v: %v took %v: %+v", seed, p.Partial, res.Length, time.Since(start), s)
		if !res.OK() {
			t.Errorf("%v\n%v", p, res.Violations)
			break
		}
		sum.Add(&s)
	}
	t.Logf("%+v", sum)
}
