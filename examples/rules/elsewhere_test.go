package rules

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/tickbacktest"
)

// after returns the world after one frame of a step.
func after(t *testing.T, g game[World]) *World {
	t.Helper()
	box, err := rollback.NewSandbox(g.rules, 2, 0)
	must(t, err)
	_, err = box.Step(rollback.SandboxFrame[Input]{Inputs: make([]Input, 2)})
	must(t, err)
	return box.Live()
}

// Rule: the sign of a sum of products depends on whether the compiler fuses, and which of them;
// in fixed point it does not.
func TestAFusedProductTurnsAUnit(t *testing.T) {
	one, three := 1.0, 3.0 // variables: constants are exact
	ax, ay, bx, by := one/10, three/10, -three/10, one/10
	rounded := float64(ax*bx) + float64(ay*by)
	first, second := math.FMA(ax, bx, float64(ay*by)), math.FMA(ay, by, float64(ax*bx))
	if rounded != 0 || first*second >= 0 {
		t.Errorf("%g rounded, %g and %g fused: this shows nothing", rounded, first, second)
	}
	if turn := after(t, world(floatRight)).Turn; turn != 0 {
		t.Errorf("of perpendicular vectors one is ahead: %d", turn)
	}
}

// Rule: Frozen passes a step in fixed point on every machine, and one with floats only where
// the compiler fuses as it did where the digest was recorded: not at all.
func TestFloatsFailWhereTheCompilerFuses(t *testing.T) {
	const digest = 0x4ab55567ab2b208e
	passes := func(g game[World]) bool {
		text := tickbacktest.Failure(t, func(t testing.TB) { tickbacktest.Frozen(t, g.rules, script, digest) })
		t.Log(text)
		return text == ""
	}
	if !passes(world(floatRight)) {
		t.Error("RIGHT comes to other states here")
	}
	if fused := after(t, world(floatWrong)).Turn != 0; passes(world(floatWrong)) == fused {
		t.Errorf("WRONG is fused here: %t; Frozen does not notice, or notices what is not there", fused)
	}
}

// Rule: a comparison with ties leaves the order to the algorithm, one without does not.
func TestTiesAreUpToTheAlgorithm(t *testing.T) {
	var s World
	begin(&s)
	byLife := func(a, b Unit) int { return cmp.Compare(a.Life, b.Life) }
	other := slices.Clone(s.Units[:])
	slices.SortStableFunc(other, byLife)
	if wrong := after(t, world(sortWrong)); slices.Equal(wrong.Units[:], other) {
		t.Error("two algorithms give one order: this shows nothing")
	}
	slices.SortFunc(other, func(a, b Unit) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortStableFunc(other, byLife)
	if right := after(t, world(sortRight)); !slices.Equal(right.Units[:], other) {
		t.Error("two algorithms give two orders")
	}
}

// Rule: a product of ints is right where they have 64 bits, and only there.
func TestIntHasAnotherWidthElsewhere(t *testing.T) {
	wrong, right := after(t, world(widthWrong)).Area, after(t, world(widthRight)).Area
	if right != 10_000_000_000 || (wrong == right) != (bits.UintSize == 64) {
		t.Errorf("int: %d, int64: %d", wrong, right)
	}
}

// newcomer plays a game, and reports whether somebody who gets its encoded state comes to
// the same one after the next frame.
func newcomer[S any](t *testing.T, g game[S]) bool {
	t.Helper()
	var hashes [2]uint64
	var encoded []byte
	frame := rollback.SandboxFrame[Input]{Inputs: []Input{{Fire: true}, {}}}
	for i := range hashes {
		box, err := rollback.NewSandbox(g.rules, 2, 0)
		must(t, err)
		if i == 0 {
			_, err = box.Step(frame)
			must(t, err)
			encoded, err = box.Marshal(nil)
			must(t, err)
		} else {
			must(t, box.Unmarshal(encoded))
		}
		frame.Frame = 1
		_, err = box.Step(frame)
		must(t, err)
		hashes[i], err = box.Hash()
		must(t, err)
	}
	return hashes[0] == hashes[1]
}

// Rule: whoever comes late has no excluded fields.
func TestANewcomerHasNoExcludedFields(t *testing.T) {
	if newcomer(t, stepped(excludedWrong)) {
		t.Error("WRONG: the newcomer has the same state")
	}
	if !newcomer(t, stepped(excludedRight)) {
		t.Error("RIGHT: the newcomer has another state")
	}
}

// Rule: with predictions that turn out wrong, a side effect of the step happens more often
// than what causes it; an effect is confirmed exactly as often.
func TestSideEffectsHappenTooOften(t *testing.T) {
	hits := 0
	for f := range rollback.Frame(frames) {
		if f%4 == 0 && script.Inputs(1, f).Fire {
			hits++
		}
	}
	sound.played = 0
	play(t, world(sideWrong))
	if sound.played <= hits {
		t.Errorf("%d hits were played %d times: this shows nothing", hits, sound.played)
	}
	confirmed, fanfares := 0, 0
	for _, ev := range play(t, world(sideRight, hit, won)) {
		switch {
		case ev.What == effects.Confirmed && hit.Is(&ev):
			confirmed++
		case ev.What == effects.Started && won.Is(&ev):
			fanfares++
		}
	}
	if confirmed != hits || fanfares != 1 {
		t.Errorf("of %d hits %d were confirmed, and there were %d fanfares", hits, confirmed, fanfares)
	}
}

// play plays a match in which the inputs of player 1 come four frames late, and returns what
// has become of its effects.
func play(t *testing.T, g game[World]) (events []effects.Event) {
	t.Helper()
	e, err := rollback.New(g.rules, rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 8})
	must(t, err)
	const late = 4
	for f := range rollback.Frame(frames + late) {
		if f >= late {
			must(t, e.AddInput(1, f-late, script.Inputs(1, f-late), nil))
		}
		if f < frames {
			must(t, e.AddLocal(0, script.Inputs(0, f), nil))
			must(t, e.Tick())
		}
		must(t, e.Agree(e.Confirmed()))
		events = append(events, e.Effects()...)
	}
	must(t, e.Settle())
	return append(events, e.Effects()...)
}
