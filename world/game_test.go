package world

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// played is the arena as a game, whose inputs give orders.
func played(workers int) Game[arena, uint8] {
	return Game[arena, uint8]{
		Workers: workers,
		Init: func(w *arena) {
			for i := range 700 {
				e, _ := w.Units.Spawn()
				w.Units.Pos.Set(e, vec{int64(i * 7919 % 1000), int64(i)})
				w.Units.Health.Set(e, 20+int32(i%30))
			}
		},
		Step: func(w *arena, t *rollback.Tick[uint8]) {
			for p := range t.Players() {
				if e := w.Units.At(int(t.Input(p)) * 3); e != 0 {
					health, _ := w.Units.Health.Get(e)
					w.Units.Health.Set(e, health-5)
				}
			}
			w.step()
		},
	}
}

func defined(t testing.TB, g Game[arena, uint8]) rollback.OwnMemory[arena, *Snapshot, uint8] {
	t.Helper()
	d, err := g.Definition()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Rule: a match with predictions and rollbacks agrees on the states of one in lockstep, with any number of workers; and
// it allocates nothing.
func TestRollbackEqualsLockstep(t *testing.T) {
	frames := 400
	if testing.Short() {
		frames = 30
	}
	r := random(t)
	inputs := make([]uint8, frames+8)
	for i := range inputs {
		inputs[i] = uint8(r.UintN(256))
	}
	base := rollback.Config{Players: 2, Local: rollback.SetOf(0), Stream: true}
	plain, predicting := base, base
	predicting.Window = 8
	lockstep, err := rollback.New(defined(t, played(1)), plain)
	ok(t, err)
	late, err := rollback.New(defined(t, played(3)), predicting)
	ok(t, err)
	var want []uint64
	for f := range frames {
		ok(t, lockstep.AddLocal(0, uint8(f), nil))
		ok(t, lockstep.AddInput(1, rollback.Frame(f), inputs[f], nil))
		ok(t, lockstep.Tick())
		ok(t, lockstep.Agree(rollback.Frame(f+1)))
		for a := lockstep.NextAgreed(); a != nil; a = lockstep.NextAgreed() {
			want = append(want, a.Hash)
		}
	}
	known, agreed := 0, 0
	for f := range frames {
		ok(t, late.AddLocal(0, uint8(f), nil))
		ok(t, late.Tick())
		for known < f-6 || known <= f && r.IntN(4) == 0 {
			ok(t, late.AddInput(1, rollback.Frame(known), inputs[known], nil))
			known++
		}
		ok(t, late.Agree(late.Confirmed()))
		for a := late.NextAgreed(); a != nil; a = late.NextAgreed() {
			if agreed++; a.Hash != want[a.Frame] {
				t.Fatalf("state %d differs", a.Frame+1)
			}
		}
	}
	if s := late.Stats(); agreed < frames-20 || s.Rollbacks == 0 {
		t.Errorf("%d frames were agreed, with %d rollbacks", agreed, s.Rollbacks)
	}
}

// Rule: an engine encodes an older state without changing the live one, and another engine can continue from it.
func TestAMatchGoesOnElsewhere(t *testing.T) {
	cfg := rollback.Config{Players: 1, Local: rollback.SetOf(0), Window: 8, Stream: true}
	a, err := rollback.New(defined(t, played(1)), cfg)
	ok(t, err)
	b, err := rollback.New(defined(t, played(2)), cfg)
	ok(t, err)
	tick := func(e *rollback.Engine[arena, uint8], f int) {
		ok(t, e.AddLocal(0, uint8(f*7), nil))
		ok(t, e.Tick())
		for e.NextAgreed() != nil {
		}
	}
	for f := range 20 {
		tick(a, f)
	}
	before, err := a.Hash()
	ok(t, err)
	encoded, err := a.Marshal(nil, 15)
	ok(t, err)
	if h, _ := a.Hash(); h != before {
		t.Error("the live state has changed")
	}
	ok(t, b.Load(15, encoded))
	for f := 15; f < 20; f++ {
		tick(b, f)
	}
	if h, _ := b.Hash(); h != before {
		t.Error("the match goes on differently")
	}
	var kept rollback.Saved
	ok(t, a.Save(&kept))
	if kept.Size() < 700*40 || kept.Size() > 1<<20 {
		t.Errorf("a saved state has %d bytes", kept.Size())
	}
	if err := b.Load(1, encoded[:len(encoded)-1]); err == nil {
		t.Error("half a state is loaded")
	}
	ok(t, a.Restart(nil))
	if h, _ := a.Hash(); h == before {
		t.Error("a match does not begin anew")
	}
}

// Rule: a sync test finds a step that depends on something else, and names entity and field; it passes for one that
// does not.
func TestSyncTestNamesEntityAndField(t *testing.T) {
	cfg := rollback.Config{Players: 1, Local: rollback.SetOf(0), SyncTest: 3}
	for _, faulty := range []bool{false, true} {
		g, runs := played(1), 0
		step := g.Step
		g.Step = func(w *arena, t *rollback.Tick[uint8]) {
			step(w, t)
			if runs++; faulty && runs == 17 {
				w.Units.Team.Set(w.Units.At(413), 9)
			}
		}
		e, err := rollback.New(defined(t, g), cfg)
		ok(t, err)
		for f := 0; f < 10 && err == nil; f++ {
			ok(t, e.AddLocal(0, uint8(f), nil))
			err = e.Tick()
		}
		if faulty != (err != nil) || faulty && !strings.Contains(err.Error(), "Units#413.Team: ") {
			t.Errorf("faulty %v: %v", faulty, err)
		}
	}
}

// Rule: a tick of an engine that predicts and rolls back allocates nothing.
func TestATickOfAnEngineAllocatesNothing(t *testing.T) {
	if checked {
		t.Skip("this build looks for misuse, and allocates for that")
	}
	e, err := rollback.New(defined(t, played(1)), rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 8, Stream: true})
	ok(t, err)
	f := 0
	tick := func() {
		ok(t, e.AddLocal(0, 1, nil))
		ok(t, e.Tick())
		if f >= 6 {
			ok(t, e.AddInput(1, rollback.Frame(f-6), uint8(f*f), nil))
			ok(t, e.Agree(rollback.Frame(f-5)))
		}
		for e.NextAgreed() != nil {
		}
		f++
	}
	for range 100 {
		tick()
	}
	if n := testing.AllocsPerRun(50, tick); n >= 1 {
		t.Errorf("%v allocations in a tick", n)
	}
}

// Rule: a game without Init or Step, or with an invalid world, is refused.
func TestDefinitionRefusesWhatCannotWork(t *testing.T) {
	if _, err := (Game[arena, uint8]{}).Definition(); err == nil {
		t.Error("a game without a step")
	}
	type bad struct{ Name string }
	g := Game[bad, uint8]{Init: func(*bad) {}, Step: func(*bad, *rollback.Tick[uint8]) {}}
	if _, err := g.Definition(); err == nil || !strings.Contains(err.Error(), "Name: string") {
		t.Error(err)
	}
}

// Rule: a step that may be interrupted reports the number of rows after each chunk, and in addition what the game
// reports; the result is the same. The step can be ended there.
func TestAStepPauses(t *testing.T) {
	g := played(2)
	step := g.Step
	g.Step = func(w *arena, t *rollback.Tick[uint8]) {
		Pause(w, 5)
		step(w, t)
	}
	d := defined(t, g)
	var boxes [2]*rollback.Sandbox[arena, uint8]
	var work []int
	for i := range boxes {
		var err error
		boxes[i], err = rollback.NewSandbox(d, 1, 0)
		ok(t, err)
	}
	if !boxes[1].Pausing(func(n int) { work = append(work, n) }) {
		t.Fatal("it cannot pause")
	}
	var hashes [2]uint64
	for i, b := range boxes {
		_, err := b.Step(rollback.SandboxFrame[uint8]{Inputs: []uint8{1}})
		ok(t, err)
		hashes[i], err = b.Hash()
		ok(t, err)
	}
	if want := []int{5, 256, 256, 188, 256, 256, 188}; !slices.Equal(work, want) || hashes[0] != hashes[1] {
		t.Errorf("it pauses after %v, want %v; the hashes are %#x", work, want, hashes)
	}
	boxes[1].Pausing(nil)
	work = work[:0]
	_, err := boxes[1].Step(rollback.SandboxFrame[uint8]{Frame: 1, Inputs: []uint8{1}})
	if ok(t, err); len(work) > 0 {
		t.Error("it pauses still")
	}
	boxes[1].Pausing(func(n int) {
		if n > 5 {
			panic("enough")
		}
	})
	func() {
		defer func() {
			if p := recover(); p != "enough" {
				t.Error(p)
			}
		}()
		_, err := boxes[1].Step(rollback.SandboxFrame[uint8]{Frame: 2, Inputs: []uint8{1}})
		t.Error("the step has ended", err)
	}()
}

// Rule: decoding that may be interrupted reports its work after each page; the result is the same.
func TestLoadingPauses(t *testing.T) {
	d := defined(t, played(1))
	from, err := rollback.NewSandbox(d, 1, 0)
	ok(t, err)
	_, err = from.Step(rollback.SandboxFrame[uint8]{Inputs: []uint8{1}})
	ok(t, err)
	state, err := from.Marshal(nil)
	ok(t, err)
	to, err := rollback.NewBlankSandbox(d, 1)
	ok(t, err)
	calls, work := 0, 0
	to.Pausing(func(n int) { calls, work = calls+1, work+n })
	ok(t, to.Unmarshal(state))
	was, err := from.Hash()
	ok(t, err)
	is, err := to.Hash()
	ok(t, err)
	if calls <= len(storeOf(to.Live()).parts) || work < len(state)/bytesInWork || was != is {
		t.Errorf("%d pauses, %d of work for %d bytes; the hashes are %#x and %#x", calls, work, len(state), was, is)
	}
	calls = 0
	to.Pausing(nil)
	if ok(t, to.Unmarshal(state)); calls > 0 {
		t.Error("it pauses still")
	}
}

// Rule: a state that the game's check refuses is not loaded, and the world is unchanged. The check sees the decoded
// state, may read but not change it, and may pause like decoding.
func TestStatesAreChecked(t *testing.T) {
	bad := errors.New("a unit is too healthy")
	g := played(1)
	g.Check = func(w *arena) error {
		Pause(w, 12345)
		if _, err := w.Units.Spawn(); !errors.Is(err, ErrFrozen) {
			t.Errorf("it can be changed: %v", err)
		}
		for c := range w.Units.Chunks() {
			health := w.Units.Health.Read(c)
			for row := range c.Live() {
				if *health.Ref(row) > 1000 {
					return bad
				}
			}
		}
		return nil
	}
	box, err := rollback.NewSandbox(defined(t, g), 1, 0)
	ok(t, err)
	var states [2][]byte // one that is accepted, and one that is not
	for i := range states {
		Update(box.Live(), func(w *arena) { w.Units.Health.Set(w.Units.At(650), int32(1000+i)) })
		states[i], err = box.Marshal(nil)
		ok(t, err)
	}
	to, err := rollback.NewBlankSandbox(defined(t, g), 1)
	ok(t, err)
	paused := false
	to.Pausing(func(work int) { paused = paused || work == 12345 })
	ok(t, to.Unmarshal(states[0]))
	if !paused {
		t.Error("a check does not pause")
	}
	if err := to.Unmarshal(states[1]); !errors.Is(err, bad) {
		t.Errorf("a state that is refused: %v", err)
	}
	if is, err := to.Marshal(nil); err != nil || !bytes.Equal(is, states[0]) {
		t.Error("the world has changed", err)
	}
}

// Rule: a slot that was released is empty: it accepts the next state, and nothing continues to use the old one.
func TestAReleasedSlotIsEmpty(t *testing.T) {
	d := defined(t, played(1))
	w := newArena(t, 3)
	slot := Save(w)
	if d.Slots.Release(&slot); slot != nil {
		t.Error("the slot still has its snapshot")
	}
}
