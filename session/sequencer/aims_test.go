package sequencer

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

const (
	warm = 10 * time.Second // nothing is known before
	ms   = time.Millisecond
)

// outcome has the measurements of several matches.
type outcome struct {
	missing, of, worst int // ticks; the share of the worst match, in parts of 10,000
	beyond             time.Duration
}

func (o outcome) share() int { return o.missing * 10000 / o.of }

func (o outcome) String() string {
	return fmt.Sprintf("%.2f %% | %.2f %% | %.0f ms", 100*float64(o.missing)/float64(o.of), float64(o.worst)/100, o.beyond.Seconds()*1000)
}

// measure plays matches of this length, plus the time to learn the path.
func measure(t testing.TB, w way, matches int, length time.Duration) outcome {
	return measureOn(t, w, w.link(), matches, length)
}

func measureOn(t testing.TB, w way, link netem.Link, matches int, length time.Duration) (o outcome) {
	for seed := range matches {
		world := newWorld(t, w, uint64(seed))
		world.change(link, link)
		world.run(warm + length)
		missing, of := world.missing(warm, warm+length)
		o.missing, o.of, o.worst = o.missing+missing, o.of+of, max(o.worst, missing*10000/of)
		o.beyond += world.beyond(warm, warm+length) / time.Duration(matches)
	}
	return o
}

// qualities are the losses and jitters that are tried.
var qualities = []struct {
	loss   int
	jitter time.Duration
}{{0, 0}, {0, 10 * ms}, {5, 10 * ms}, {10, 10 * ms}, {10, 0}, {0, 50 * ms}, {5, 50 * ms}, {10, 50 * ms}}

// Rule: from the tenth second on, at most 0.75 % of the inputs are missing, on any path; and the
// client is not much further ahead than necessary. docs/benchmarks.md has the figures that -v
// prints, without -short.
func TestInputsComeInTimeAndNotEarly(t *testing.T) {
	most := map[string]time.Duration{"0 0s": 5 * ms, "5 10ms": 60 * ms, "10 50ms": 130 * ms}
	matches, length, bounded := 20, 5*time.Minute, 0
	if testing.Short() {
		matches, length = 4, 2*time.Minute
	}
	for _, perTick := range []int{2, 1} {
		for _, q := range qualities {
			for _, delay := range []time.Duration{10 * ms, 50 * ms, 125 * ms} {
				w := way{delay, q.jitter, q.loss, perTick}
				o := measure(t, w, matches, length)
				t.Logf("| %v | %d %% | %v | %d | %v |", delay, q.loss, q.jitter, perTick, o)
				if o.share() > 75 || o.worst > 100 || o.beyond <= 0 {
					t.Errorf("%v: missing %v", w, o)
				}
				limit, found := most[fmt.Sprint(q.loss, " ", q.jitter)]
				if found && perTick == 2 {
					bounded++
					if o.beyond > limit {
						t.Errorf("%v: %v ahead beyond the way, want %v", w, o.beyond, limit)
					}
				}
			}
		}
	}
	if bounded != 3*len(most) {
		t.Errorf("only %d leads have a bound", bounded)
	}
}

// The negative control: a client that is told only about the newest input never learns about
// inputs that losses delay.
func TestMarginsOfNewestInputsAreNotEnough(t *testing.T) {
	w := way{50 * ms, 10 * ms, 10, 1}
	world := newWorld(t, w, 1)
	world.newestOnly = true
	world.run(warm + 2*time.Minute)
	if missing, of := world.missing(warm, warm+2*time.Minute); missing*10000/of < 500 {
		t.Errorf("only %d of %d are missing", missing, of)
	}
}

// Rule: when a path has become longer by 100 ms, inputs are in time again within 3 s: all of them
// on a clean path, and as many as before on others.
func TestALeadFollowsAWayThatGrows(t *testing.T) {
	const at, within, grows = 40 * time.Second, 3 * time.Second, 100 * ms
	matches := 50
	if testing.Short() {
		matches = 20
	}
	for _, both := range []bool{false, true} {
		for _, delay := range []time.Duration{10 * ms, 50 * ms, 125 * ms} {
			for _, q := range qualities {
				w := way{delay, q.jitter, q.loss, 2}
				up, down := w, w
				if up.delay += grows; both {
					down = up
				}
				missing, of, during := 0, 0, 0
				for seed := range matches {
					world := newWorld(t, w, uint64(seed))
					world.run(at)
					world.change(up.link(), down.link())
					world.run(at + within + 7*time.Second)
					m, n := world.missing(at+within, at+within+7*time.Second)
					missing, of = missing+m, of+n
					m, _ = world.missing(at, at+within)
					during += m
				}
				t.Logf("| %v | %d %% | %v | %v | %.1f | %.2f %% |", delay, q.loss, q.jitter, both, float64(during)/float64(matches), 100*float64(missing)/float64(of))
				switch clean := q.loss == 0 && q.jitter == 0; {
				case during < 10*matches:
					t.Errorf("%v: only %d inputs are missing meanwhile: it has not grown", w, during)
				case clean && missing > 0:
					t.Errorf("%v, both ways %v: %d of %d inputs are missing after %v", w, both, missing, of, within)
				case missing*10000/of > 75:
					t.Errorf("%v, both ways %v: %d of %d inputs are missing after %v", w, both, missing, of, within)
				}
			}
		}
	}
}

// Rule: when a path has become shorter, the client falls back, slowly, and none of its inputs is
// missing because of that.
func TestALeadFollowsAWayThatShrinks(t *testing.T) {
	w := way{150 * ms, 0, 0, 2}
	short := way{50 * ms, 0, 0, 2}
	world := newWorld(t, w, 1)
	world.run(40 * time.Second)
	world.change(short.link(), short.link())
	world.run(100 * time.Second)
	if missing, _ := world.missing(warm, 100*time.Second); missing > 0 {
		t.Errorf("%d inputs are missing", missing)
	}
	before, after := world.leads[799], world.leads[len(world.leads)-1]
	if before-after < 99*ms || after < short.delay || after > short.delay+5*ms {
		t.Errorf("from %v ahead it goes to %v", before, after)
	}
	for i := 800; i < len(world.leads); i++ {
		if fell := world.leads[i-1] - world.leads[i]; fell < 0 || fell > worldPeriod/30 {
			t.Fatalf("in tick %d it falls back by %v", i, fell)
		}
	}
}

// Rule: the same holds on networks with bursts of losses, on narrow ones and on those that do not
// reorder, up to ones where everything goes wrong.
func TestInputsComeInTimeOnRealNetworks(t *testing.T) {
	matches, length := 20, 5*time.Minute
	if testing.Short() {
		matches, length = 4, 2*time.Minute
	}
	for _, profile := range netem.Profiles() {
		for _, perTick := range []int{2, 1} {
			o := measureOn(t, way{profile.Link.Delay, 0, 0, perTick}, profile.Link, matches, length)
			t.Logf("| %s | %d | %v |", profile.Name, perTick, o)
			if o.share() > 75 || o.worst > 150 || o.beyond <= 0 {
				t.Errorf("%s, %d a tick: missing %v", profile.Name, perTick, o)
			}
		}
	}
}

// Rule: a clock that is wrong by 200 parts per million is followed like a path that changes.
func TestALeadFollowsAWrongClock(t *testing.T) {
	for _, wrong := range []time.Duration{-10 * time.Microsecond, 10 * time.Microsecond} { // in each period
		world := newWorld(t, way{50 * ms, 0, 0, 2}, 1)
		world.drift = wrong
		world.run(warm + 5*time.Minute)
		missing, of := world.missing(warm, warm+5*time.Minute)
		first, last := world.leads[200], world.leads[len(world.leads)-1]
		if missing > 0 || last-first > 6*ms || first-last > 6*ms || of < 5000 {
			t.Errorf("wrong by %v: %d inputs are missing; it was %v ahead, and then %v", wrong, missing, first, last)
		}
	}
}
