package rollback_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// large is a state that is copied aside.
type large struct {
	Sum  uint64
	Rest [512<<10 - 8]byte
}

// padded is one that is not its encoding.
type padded struct {
	Sum    uint64
	Frames uint32
	Rest   [512 << 10]byte
}

// places records where the frames of an engine ran.
type places[S any] struct {
	at    []*S
	wrong func(f Frame) bool // the step is wrong when it runs again
}

func (p *places[S]) game(sum func(s *S) *uint64) rollback.Game[S, button] {
	return rollback.Game[S, button]{Step: func(s *S, t *rollback.Tick[button]) {
		p.at = append(p.at, s)
		for q := range t.Players() {
			*sum(s) = *sum(s)*31 + uint64(t.Input(q))
		}
		if t.Resimulating() && p.wrong != nil && p.wrong(t.Frame()) {
			*sum(s) += 1000
		}
	}}
}

func sumOf(s *large) *uint64  { return &s.Sum }
func sumIn(s *padded) *uint64 { return &s.Sum }

// Rule: a large state is stepped in one place, also after a rollback.
func TestALargeStateIsSteppedInOnePlace(t *testing.T) {
	var p places[large]
	e := fresh(rollback.New(p.game(sumOf), rollback.Config{Players: 2, Local: 1, Window: 4}))
	for f := range Frame(12) {
		must(e.AddLocal(0, button(f), nil))
		if f >= 3 {
			must(e.AddInput(1, f-3, button(f), nil))
		}
		must(e.Tick())
	}
	for i, s := range p.at {
		if s != p.at[0] {
			t.Fatalf("step %d ran in another place", i)
		}
	}
	if len(p.at) < 30 || e.Stats().Rollbacks < 8 {
		t.Errorf("%d steps, %+v", len(p.at), e.Stats())
	}
}

// Rule: in a sync test, a frame runs on the state that was simulated last, without a copy of it,
// whether states are large or small.
func TestASyncTestRunsOnWhereItWas(t *testing.T) {
	runsOn(t, sumOf, 3)
	runsOn(t, sumIn, 1)
	runsOn(t, func(s *uint64) *uint64 { return s }, 3)
}

func runsOn[S any](t *testing.T, sum func(s *S) *uint64, depth int) {
	t.Helper()
	var p places[S]
	e := fresh(rollback.New(p.game(sum), rollback.Config{Players: 1, Local: 1, SyncTest: depth}))
	for f := range 10 {
		before := len(p.at)
		must(e.AddLocal(0, button(f), nil))
		must(e.Tick())
		if f > 0 && p.at[before] != p.at[before-1] {
			t.Errorf("%T: frame %d ran on a copy", *new(S), f)
		}
		if previous := e.StateAt(Frame(f)); previous == e.State() || previous == nil {
			t.Errorf("%T: the state before %d is not held", *new(S), f+1)
		}
	}
}

// Rule: a sync test of a large state finds and names what differs, whether it compares hashes or
// states.
func TestASyncTestOfALargeStateFindsADifference(t *testing.T) {
	found(t, sumOf)
	found(t, sumIn)
}

func found[S any](t *testing.T, sum func(s *S) *uint64) {
	t.Helper()
	for _, depth := range []int{1, 3} {
		p := places[S]{wrong: func(f Frame) bool { return f == 7 }}
		e := fresh(rollback.New(p.game(sum), rollback.Config{Players: 1, Local: 1, SyncTest: depth, Stream: true}))
		err := error(nil)
		for f := Frame(0); err == nil && f < 20; f++ {
			must(e.AddLocal(0, 1, nil))
			err = e.Tick()
		}
		m := refused[*rollback.SyncTestError](t, err)
		want(t, "frame", m.Frame, 7)
		first := *sum(e.State())
		want(t, "differences", fmt.Sprint(m.Differences), fmt.Sprintf("[Sum: %d != %d]", first, first+1000))
	}
}

// Rule: the agreed stream of a sync test has the hashes of the states.
func TestASyncTestOfALargeStateHashesIt(t *testing.T) {
	var p places[large]
	tested := fresh(rollback.New(p.game(sumOf), rollback.Config{Players: 1, Local: 1, SyncTest: 2, Stream: true, HashEvery: 1}))
	normal := fresh(rollback.New(p.game(sumOf), rollback.Config{Players: 1, Local: 1, Window: 2, Stream: true, HashEvery: 1}))
	for f := range 20 {
		for _, e := range []*rollback.Engine[large, button]{tested, normal} {
			must(e.AddLocal(0, button(f), nil))
			must(e.Tick())
		}
		if f == 10 { // a state that was given has a new hash
			given := *tested.State()
			given.Sum = 99
			for _, e := range []*rollback.Engine[large, button]{tested, normal} {
				for e.NextAgreed() != nil {
				}
				changed, err := e.Correct(e.Frame(), &given)
				want(t, "changed", fmt.Sprint(changed, err), "true <nil>")
			}
		}
		a, b := fresh(tested.Hash()), fresh(normal.Hash())
		want(t, "hash", a, b)
		for x := normal.NextAgreed(); x != nil; x = normal.NextAgreed() {
			y := tested.NextAgreed()
			want(t, "agreed", fmt.Sprint(y.Frame, y.Hash, y.Hashed), fmt.Sprint(x.Frame, x.Hash, true))
		}
	}
}

// Rule: a given state replaces one that a sync test has simulated.
func TestASyncTestGoesOnFromAStateThatIsGiven(t *testing.T) {
	var p places[uint64]
	e := fresh(rollback.New(p.game(func(s *uint64) *uint64 { return s }), rollback.Config{Players: 1, Local: 1, SyncTest: 2}))
	tick := func() {
		must(e.AddLocal(0, 1, nil))
		must(e.Tick())
	}
	tick()
	tick()
	var s rollback.Saved
	must(e.Save(&s))
	must(e.Restart(func(s *uint64) { *s = 5 }))
	tick()
	want(t, "state 1 of another match", *e.State(), 5*31+1)
	tick()
	must(e.Restore(&s))
	tick()
	want(t, "state 3", *e.State(), (31+1)*31+1)
}
