package rollback_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// heapSlots are all capabilities of slots of the model game.
func heapSlots() rollback.Slots[heapSlot] {
	return rollback.Slots[heapSlot]{
		Hash:    func(s *heapSlot) uint64 { w := s.world(); return worldPlan.Hash(&w) },
		Marshal: func(b []byte, s *heapSlot) ([]byte, error) { w := s.world(); return worldPlan.Append(b, &w), nil },
		Size:    func(*heapSlot) int { return 77 },
		Diff: func(a, b *heapSlot, most int) canon.Report {
			x, y := a.world(), b.world()
			return worldPlan.Diff(&x, &y, most)
		},
		Release: func(s *heapSlot) { *s = heapSlot{} },
	}
}

// Rule: with Slots.Hash, states are hashed when they are agreed, and only these.
func TestOnlyAgreedStatesAreHashed(t *testing.T) {
	hashed, live := 0, 0
	g := heapWith(func(g *heapGame) {
		g.Slots = heapSlots()
		hash, liveHash := g.Slots.Hash, g.Hash
		g.Slots.Hash = func(s *heapSlot) uint64 { hashed++; return hash(s) }
		g.Hash = func(h *heap) uint64 { live++; return liveHash(h) }
	})
	cfg := two(8)
	cfg.Stream = true
	e := fresh(rollback.New(g, cfg))
	hashed, live = 0, 0
	s := play(t, two(8))
	for f := range Frame(40) {
		must(e.AddLocal(0, 3, nil))
		must(e.Tick())
		s.ticks(3)
		if f >= 5 { // five frames late: each is simulated six times
			must(e.AddInput(1, f-5, button(f), nil))
			s.get(f-5, button(f))
			must(e.Agree(f - 4))
		}
		must(e.Settle())
		s.ok(s.Settle())
		for a := e.NextAgreed(); a != nil; a = e.NextAgreed() {
			w := *s.StateAt(a.Frame + 1)
			want(t, "hash", a.Hash, worldPlan.Hash(&w))
		}
	}
	if hashed+live != 35 {
		t.Errorf("%d slots and %d live states were hashed, of 35 agreed ones", hashed, live)
	}
}

// Rule: with Slots.Marshal, an older state is encoded without changing the live one.
func TestAnOlderStateIsEncodedFromItsSlot(t *testing.T) {
	calls := 0
	g := heapWith(func(g *heapGame) {
		g.Slots = heapSlots()
		save, restore := g.Save, g.Restore
		g.Save = func(h *heap, s *heapSlot) { calls++; save(h, s) }
		g.Restore = func(h *heap, s *heapSlot) { calls++; restore(h, s) }
	})
	e := fresh(rollback.New(g, two(8)))
	s := play(t, two(8))
	for range 6 {
		must(e.AddLocal(0, 3, nil))
		must(e.Tick())
		s.ticks(3)
	}
	calls = 0
	for f := range Frame(7) {
		got, err := e.Marshal([]byte("x"), f)
		want(t, "encoding", string(got), "x"+string(worldPlan.Append(nil, s.StateAt(f))))
		must(err)
	}
	want(t, "calls of Save and Restore", calls, 0)
	var kept rollback.Saved
	must(e.Save(&kept))
	want(t, "size", kept.Size(), 77)
}

// Rule: with Slots.Diff, no state is described, and a difference is still named.
func TestNoStateIsDescribed(t *testing.T) {
	runs := uint64(0)
	g := heapWith(func(g *heapGame) {
		g.Slots = heapSlots()
		g.Describe = func(*heap) any { t.Error("a state is described"); return nil }
		step := g.Step
		g.Step = func(h *heap, tick *rollback.Tick[button]) {
			step(h, tick)
			if runs++; runs == 9 {
				h.Sums[0]++
			}
		}
	})
	cfg := alone(0)
	cfg.SyncTest = 2
	e := fresh(rollback.New(g, cfg))
	var err error
	for f := 0; f < 9 && err == nil; f++ {
		must(e.AddLocal(0, 1, nil))
		err = e.Tick()
	}
	mismatch := refused[*rollback.SyncTestError](t, err)
	if mismatch.Total != 1 || mismatch.Differences[0].Path != "Sum" || mismatch.Snapshot {
		t.Errorf("it says %v", err)
	}
	b := fresh(rollback.NewSandbox(g, 1, 1))
	must(b.Save(0))
	fresh(b.Step(rollback.SandboxFrame[button]{Inputs: []button{1}}))
	if d := fresh(b.Differences(0, 5)); d.Total == 0 {
		t.Error("the sandbox sees no difference")
	}
	st := fresh(rollback.NewStepper(g, 1, 0))
	first := fresh(st.Marshal(nil))
	must(st.Step([]button{1}, nil, 0))
	before := fresh(st.Marshal(nil))
	if d := fresh(st.Differences(first, 5)); d.Total == 0 || string(fresh(st.Marshal(nil))) != string(before) {
		t.Error("the stepper sees no difference, or changes the state")
	}
}

// Rule: a snapshot that changes after it was saved is noticed by its hash.
func TestASnapshotThatChangesIsNoticed(t *testing.T) {
	var shared []uint64
	g := heapWith(func(g *heapGame) {
		g.Slots = heapSlots()
		save := g.Save
		g.Save = func(h *heap, s *heapSlot) {
			save(h, s)
			s.sums = h.Sums // memory that the step changes
			shared = h.Sums
		}
		g.Equal = nil
	})
	cfg := alone(0)
	cfg.SyncTest = 1
	e, err := rollback.New(g, cfg)
	for f := 0; f < 5 && err == nil; f++ {
		must(e.AddLocal(0, 1, nil))
		err = e.Tick()
	}
	if refused[*rollback.SyncTestError](t, err); len(shared) == 0 {
		t.Error("nothing was shared")
	}
}

// Rule: slots are released when a match begins again, and the match goes on.
func TestSlotsAreReleased(t *testing.T) {
	released := 0
	g := heapWith(func(g *heapGame) {
		g.Slots = heapSlots()
		g.Slots.Release = func(s *heapSlot) { released++; *s = heapSlot{} }
	})
	e := fresh(rollback.New(g, two(4)))
	encoded := fresh(e.Marshal(nil, 0))
	var kept rollback.Saved
	must(e.Save(&kept))
	for name, begin := range map[string]func() error{
		"Restart": func() error { return e.Restart(nil) },
		"Load":    func() error { return e.Load(9, encoded) },
		"Restore": func() error { return e.Restore(&kept) },
	} {
		for range 4 {
			must(e.AddLocal(0, 1, nil))
			must(e.Tick())
		}
		released = 0
		must(begin())
		want(t, "slots released by "+name, released, 5)
	}
}

// Rule: a capability of slots that is useless without another one is refused, and so is one that
// does not do what it should.
func TestSlotsThatDoNotFitAreRefused(t *testing.T) {
	for missing, change := range map[string]func(g *heapGame){
		"Hash":    func(g *heapGame) { g.Hash = nil },
		"Marshal": func(g *heapGame) { g.Marshal, g.Unmarshal, g.Slots.Hash = nil, nil, nil },
		"Save":    func(g *heapGame) { g.Save, g.Restore, g.Slots = nil, nil, rollback.Slots[heapSlot]{Diff: g.Slots.Diff} },
	} {
		_, err := rollback.New(heapWith(func(g *heapGame) { g.Slots = heapSlots(); change(g) }), alone(0))
		want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, missing)
	}
	_, err := rollback.New(heapWith(func(g *heapGame) {
		g.Slots.Hash = func(*heapSlot) uint64 { return 5 }
	}), two(1))
	if err == nil || !strings.Contains(err.Error(), "Slots.Hash") {
		t.Error(err)
	}
}
