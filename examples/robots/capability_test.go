package robots_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// without returns the game without some capabilities.
func without(g game, names ...string) game {
	for _, name := range names {
		switch name {
		case "Init":
			g.Init = nil
		case "Step":
			g.Step = nil
		case "Save":
			g.Save = nil
		case "Restore":
			g.Restore = nil
		case "Hash":
			g.Hash = nil
		case "Equal":
			g.Equal = nil
		case "Marshal":
			g.Marshal = nil
		case "Unmarshal":
			g.Unmarshal = nil
		case "Describe":
			g.Describe = nil
		case "New":
			g.New = nil
		case "Effects":
			g.Effects = nil
		default:
			panic(name)
		}
	}
	return g
}

func whole() game { return robots.Game(7) }

// What cannot be done is refused when the engine is made, and the error names what is
// missing.
func TestWhatIsRefused(t *testing.T) {
	lockstep := config(2, everyone(2), 0)
	testing := lockstep
	testing.SyncTest = 1
	holding := lockstep
	holding.Snapshots = 5
	for _, c := range []struct {
		remove []string
		cfg    rollback.Config
		lacks  string
	}{
		{[]string{"Save"}, lockstep, "Save"},
		{[]string{"Restore"}, lockstep, "Restore"},
		{[]string{"Save", "Restore"}, config(2, everyone(2), 8), "Save"},
		{[]string{"Save", "Restore"}, testing, "Save"},
		{[]string{"Save", "Restore"}, holding, "Save"},
		{[]string{"Marshal"}, lockstep, "Marshal"},
		{[]string{"Unmarshal"}, lockstep, "Unmarshal"},
	} {
		_, err := rollback.New(without(whole(), c.remove...), c.cfg)
		lacks(t, c.lacks, err)
	}
	if _, err := rollback.New(without(whole(), "Step"), lockstep); err == nil {
		t.Error("a game without Step")
	}
}

// What is missing without being needed changes nothing, in lockstep or with rollback.
func TestWhatIsNotNeeded(t *testing.T) {
	end := frames(t) / 2
	expected := straight(t, whole(), 3, 1, end)
	for _, remove := range [][]string{
		{"Init"},
		{"New"},
		{"Equal"},
		{"Marshal", "Unmarshal"},
		{"Describe"},
		{"Effects"},
		{"New", "Describe", "Equal", "Marshal", "Unmarshal", "Effects"},
		{"Init", "Describe", "Equal", "Marshal", "Unmarshal", "Effects"},
	} {
		g, name := without(whole(), remove...), "without "+strings.Join(remove, ", ")
		sameHashes(t, name, straight(t, g, 3, 1, end), expected)
		e := start(t, g, config(3, rollback.SetOf(0), 8))
		sameHashes(t, name+", late", late(t, e, 1, end), expected)
		must(t, syncTest(t, g, 7, 1, end))
		if g.Init == nil {
			e.Restart(nil)
			sameHashes(t, name+", restarted", late(t, e, 1, end), expected)
		}
	}
}

// Lockstep takes no more than Step and Hash.
func TestStepAndHashAreALockstepGame(t *testing.T) {
	g := game{Init: whole().Init, Step: whole().Step, Hash: whole().Hash}
	sameHashes(t, "Step and Hash", straight(t, g, 4, 1, 300), straight(t, whole(), 4, 1, 300))
}

// Without Hash the states are walked. The hashes are others, and agree all the same.
func TestWithoutHashStatesAreWalked(t *testing.T) {
	const end = 100
	for _, g := range []game{without(whole(), "Hash"), without(whole(), "Hash", "Equal")} {
		inTime := straight(t, g, 3, 1, end)
		sameHashes(t, "walked", late(t, start(t, g, config(3, rollback.SetOf(0), 8)), 1, end), inTime)
		if slices.Equal(inTime, straight(t, whole(), 3, 1, end)) {
			t.Error("the hash of a walk is that of the game")
		}
		must(t, syncTest(t, g, 2, 1, end))
	}
}

// With Equal a rollback stops where a late input has made no difference: here, an
// order to lock on the robot that is locked on already.
func TestWithoutEqualRollbacksGoToTheEnd(t *testing.T) {
	for _, c := range []struct {
		g     game
		stops uint64
	}{{whole(), 1}, {without(whole(), "Equal"), 0}} {
		e := start(t, c.g, config(2, rollback.SetOf(0), 8))
		for f := range rollback.Frame(6) {
			must(t, e.AddLocal(0, robots.None, nil))
			if f == 0 {
				must(t, e.AddInput(1, 0, robots.Lock, nil))
				must(t, e.AddInput(1, 1, robots.None, nil))
			}
			must(t, e.Tick())
		}
		must(t, e.AddInput(1, 2, robots.Lock, nil))
		must(t, e.AddInput(1, 3, robots.None, nil))
		must(t, e.Settle())
		want(t, "early stops", e.Stats().EarlyStops, c.stops)
		want(t, "rollbacks", e.Stats().Rollbacks, 1)
	}
}

func TestWithoutMarshalNothingIsLoaded(t *testing.T) {
	e := start(t, without(whole(), "Marshal", "Unmarshal"), config(2, everyone(2), 8))
	_, err := e.Marshal(nil, 0)
	lacks(t, "Marshal", err)
	lacks(t, "Unmarshal", e.Load(0, nil))
}

// A step that draws from outside of the state is found whatever is missing; how well
// the report names it depends on what describes the state.
func TestWhatReportsName(t *testing.T) {
	for _, c := range []struct {
		remove []string
		path   string
	}{
		{nil, "Robots[1].VM.Heap[1]"},
		{[]string{"Describe"}, "Robots[1].VM.Heap[1]"},
		{[]string{"Describe", "New"}, "Robots[1].VM.Heap[1]"},
		{[]string{"Equal"}, "Robots[1].VM.Heap[1]"},
		{[]string{"Hash", "Equal"}, "Robots[1].VM.Heap[1]"},
	} {
		g, outside := without(whole(), c.remove...), int32(0)
		step := g.Step
		g.Step = func(w *robots.World, tick *rollback.Tick[robots.Action]) {
			step(w, tick)
			if outside++; tick.Frame() > 20 {
				w.Robots[1].VM.Heap = append(w.Robots[1].VM.Heap[:0], 0, outside)
			}
		}
		mismatch(t, syncTest(t, g, 2, 1, 60), c.path)
	}
}

// mismatch fails unless a sync test has found that a field differs.
func mismatch(t *testing.T, err error, path string) {
	t.Helper()
	var m *rollback.SyncTestError
	if !errors.As(err, &m) {
		t.Errorf("%s was not found: %v", path, err)
		return
	}
	for _, d := range m.Differences {
		if strings.HasPrefix(d.Path, path) {
			return
		}
	}
	t.Errorf("the report does not name %s: %v", path, err)
}

// Without Init a state 0 comes from New; without both it is a zero World, which
// plays, as a match of no seed.
func TestWithoutInitAndNewAWorldIsZero(t *testing.T) {
	g := without(whole(), "Init", "New")
	hashes := straight(t, g, 3, 1, 200)
	sameHashes(t, "late", late(t, start(t, g, config(3, rollback.SetOf(0), 8)), 1, 200), hashes)
	if slices.Equal(hashes, straight(t, whole(), 3, 1, 200)) {
		t.Error("the seed came from nowhere")
	}
}

// Without Effects nobody listens; with some of them missing, the match fails and says
// which.
func TestEffectsAreDeclared(t *testing.T) {
	heard := func(g game) (started int) {
		e := start(t, g, config(2, everyone(2), 0))
		for range 20 {
			must(t, e.AddLocal(0, robots.Fire, nil))
			must(t, e.AddLocal(1, robots.None, nil))
			must(t, e.Tick())
			drain(t, e, nil)
			for _, ev := range e.Effects() {
				if robots.Fired.Is(&ev) && ev.What == effects.Started {
					started++
				}
			}
		}
		return started
	}
	want(t, "shots heard", heard(whole()), 3)
	want(t, "shots heard without Effects", heard(without(whole(), "Effects")), 0)

	g := whole()
	g.Effects = g.Effects[1:]
	e := start(t, g, config(2, everyone(2), 0))
	must(t, e.AddLocal(0, robots.Fire, nil))
	must(t, e.AddLocal(1, robots.None, nil))
	if err := e.Tick(); err == nil || !strings.Contains(err.Error(), `"fired"`) {
		t.Errorf("an effect that is not declared: %v", err)
	}
}
