package rollback_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// frameOf is what player 0 and player 1 do in a frame.
func frameOf(f Frame, a, b button) rollback.SandboxFrame[button] {
	return rollback.SandboxFrame[button]{Frame: f, Inputs: []button{a, b}}
}

// Rule: a sandbox steps, saves, restores and compares; both kinds of game do the same.
func TestASandboxHoldsOneLiveState(t *testing.T) {
	tp := new(tape)
	for _, slots := range []int{1, 3} {
		a := fresh(rollback.NewSandbox(tp.game(chaining, nil, kinds), 2, slots))
		b := fresh(rollback.NewSandbox(tp.own(chaining, nil, kinds), 2, slots))
		must(a.Save(slots - 1))
		must(b.Save(slots - 1))
		for f := range Frame(5) {
			x, y := fresh(a.Step(frameOf(f, 2, button(f)))), fresh(b.Step(frameOf(f, 2, button(f))))
			want(t, "said", x, y)
			want(t, "live", b.Live().world(), *a.Live())
		}
		want(t, "hash", fresh(b.Hash()), fresh(a.Hash()))
		want(t, "there is a hash", fresh(a.Hash()) != 0, true)
		want(t, "encoding", string(fresh(b.Marshal([]byte("x")))), string(fresh(a.Marshal([]byte("x")))))
		want(t, "equal", fmt.Sprint(fresh(a.Equal(slots-1)), fresh(b.Equal(slots-1))), "false false")
		x, y := fresh(a.Differences(slots-1, 5)), fresh(b.Differences(slots-1, 5))
		want(t, "differences", y.String(), x.String())
		want(t, "differences", x.Total, 1)
		must(a.Restore(slots - 1))
		must(b.Restore(slots - 1))
		want(t, "equal", fmt.Sprint(fresh(a.Equal(slots-1)), fresh(b.Equal(slots-1))), "true true")
		want(t, "restored", *a.Live(), world{})
		want(t, "restored", b.Live().world(), world{})
		enc := fresh(a.Marshal(nil))
		fresh(a.Step(frameOf(0, 1, 1)))
		if a.Unmarshal(enc[1:]) == nil {
			t.Error("half a state was taken")
		}
		must(a.Unmarshal(enc))
		must(b.Unmarshal(enc))
		want(t, "decoded", *a.Live(), b.Live().world())
		fresh(a.Step(frameOf(0, 1, 1)))
		a.Init()
		want(t, "state 0", *a.Live(), world{})
	}
}

// Rule: a step sees what the frame says.
func TestASandboxTellsTheStep(t *testing.T) {
	tp := new(tape)
	s := fresh(rollback.NewSandbox(tp.game(chaining, nil, nil), 2, 0))
	f := frameOf(7, 1, 2)
	fresh(s.Step(f))
	f.Orders = [][]byte{[]byte("a"), nil}
	f.Statuses = []rollback.Status{rollback.Predicted, rollback.Disconnected}
	f.Resimulating = true
	fresh(s.Step(f))
	session := session{t: t, tape: tp, Engine: fresh(rollback.New(tp.game(0, nil, nil), two(1)))}
	want(t, "told", session.ran(), "7:1,2 ~7:1?a,2x")
	for _, bad := range []rollback.SandboxFrame[button]{
		{Inputs: []button{1}},
		{Inputs: []button{1, 2}, Orders: [][]byte{nil}},
		{Inputs: []button{1, 2}, Statuses: []rollback.Status{0}},
	} {
		if _, err := s.Step(bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// Rule: Said has the effects as a digest, and how the step finished the match.
func TestASandboxHearsWhatAStepSays(t *testing.T) {
	s := fresh(rollback.NewSandbox(new(tape).game(following, nil, kinds), 2, 0))
	want(t, "nothing", fresh(s.Step(frameOf(0, 0, 0))), rollback.StepReport{})
	a, b := fresh(s.Step(frameOf(1, 2, 0))), fresh(s.Step(frameOf(1, 0, 2)))
	if a.Effects == 0 || a.Effects == b.Effects {
		t.Error(a, b)
	}
	if end := fresh(s.Step(frameOf(2, 13, 0))); !end.Finished || end.Result != 6 {
		t.Errorf("%+v", end)
	}
}

// Rule: only existing slots can be used, and a missing capability is named.
func TestASandboxRefusesWhatThereIsNot(t *testing.T) {
	s := fresh(rollback.NewSandbox(new(tape).game(0, nil, nil), 2, 1))
	for _, slot := range []int{-1, 1} {
		_, equal := s.Equal(slot)
		_, differences := s.Differences(slot, 1)
		if s.Save(slot) == nil || s.Restore(slot) == nil || equal == nil || differences == nil {
			t.Errorf("there is a slot %d", slot)
		}
	}
	for _, players := range []int{0, 17, -1} {
		if _, err := rollback.NewSandbox(new(tape).game(0, nil, nil), players, 1); err == nil {
			t.Errorf("%d players", players)
		}
	}
	if _, err := rollback.NewSandbox(new(tape).game(0, nil, nil), 2, -1); err == nil {
		t.Error("less than no slots")
	}
	if _, err := rollback.NewSandbox(new(tape).game(0, nil, []effects.Declaration{hit, hit}), 2, 1); err == nil {
		t.Error("one kind of effects was declared twice")
	}
	for _, slots := range []int{1, 2} {
		bare := heapWith(func(g *heapGame) { *g = heapGame{Step: g.Step, New: g.New, Init: g.Init} })
		box, err := rollback.NewSandbox(bare, 2, slots)
		if err == nil {
			err = box.Save(0)
		}
		want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Save")
	}
	unequal := fresh(rollback.NewSandbox(heapWith(func(g *heapGame) { g.Equal, g.Marshal, g.Unmarshal = nil, nil, nil }), 2, 1))
	_, err := unequal.Equal(0)
	want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Equal")
	_, err = unequal.Marshal(nil)
	want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Marshal")
	want(t, "missing", refused[*rollback.CapabilityError](t, unequal.Unmarshal(nil)).Missing, "Unmarshal")
}

// Rule: a blank sandbox is for a game whose capabilities were tested before: they are not tested again,
// and nothing is set up until a state is decoded.
func TestABlankSandbox(t *testing.T) {
	inits := 0
	g := heapWith(func(g *heapGame) {
		init := g.Init
		g.Init = func(h *heap) { inits++; init(h) }
	})
	a := fresh(rollback.NewSandbox(g, 2, 0))
	tried := inits
	b := fresh(rollback.NewBlankSandbox(g, 2))
	want(t, "tried again", inits, tried)
	fresh(a.Step(frameOf(0, 1, 2)))
	must(b.Unmarshal(fresh(a.Marshal(nil))))
	fresh(a.Step(frameOf(1, 3, 2)))
	fresh(b.Step(frameOf(1, 3, 2)))
	want(t, "hash", fresh(b.Hash()), fresh(a.Hash()))
	want(t, "a game that is a value", *fresh(rollback.NewBlankSandbox(new(tape).game(chaining, nil, nil), 2)).Live(), world{})
	want(t, "can pause", b.Pausing(nil), false)
}
