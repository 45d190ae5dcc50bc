package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// toy loads the mutants of a package of testdata.
func toy(t *testing.T, paths ...string) (root string, mutants []*Mutant) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	root, err := filepath.Abs("testdata/toy")
	if err != nil {
		t.Fatal(err)
	}
	mutants, err = load(root, paths)
	if err != nil {
		t.Fatal(err)
	}
	return root, mutants
}

type verdict struct {
	v  Verdict
	by string
}

// try tries all mutants of a toy package, and returns what became of each.
func try(t *testing.T, path string, stages ...Stage) (map[string]verdict, []*Mutant) {
	t.Helper()
	root, mutants := toy(t, path)
	r, err := newRunner(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	r.margin = 2 * time.Second
	found := map[string]verdict{}
	tr := &trial{r: r, out: t.Output(), record: func(m *Mutant, v Verdict, by string) {
		if _, twice := found[m.ID()]; twice {
			t.Errorf("%v is judged twice", m.Key)
		}
		found[m.ID()] = verdict{v, by}
	}}
	if err := tr.all(t.Context(), mutants, stages); err != nil {
		t.Fatal(err)
	}
	if len(found) != len(mutants) {
		t.Errorf("%d of %d mutants are judged", len(found), len(mutants))
	}
	return found, mutants
}

// Rule: where the tests state every rule, no mutant survives; a loop without an end is
// a time-out.
func TestGoodTestsKillEverything(t *testing.T) {
	found, mutants := try(t, "strong", test("strong"))
	timeouts := 0
	for _, m := range mutants {
		switch v := found[m.ID()]; v.v {
		case Survived:
			t.Errorf("line %d, %s: survived", m.Line, m.Change)
		case TimedOut:
			timeouts++
		case Killed:
			if v.by != "strong" {
				t.Errorf("%s: killed by %q", m.Change, v.by)
			}
		}
	}
	if timeouts == 0 {
		t.Error("no mutant loops for ever, but the change of n > 1 and n /= 2 must")
	}
}

// Rule, and negative control of the one above: what no test states survives; what the
// user's test states, it kills.
func TestWhatNoTestStatesSurvives(t *testing.T) {
	found, mutants := try(t, "weak", test("weak"), test("user"))
	want := map[string]verdict{
		"negate n > 1000":  {Killed, "user"},
		"> to >=":          {Survived, ""},
		"1000 to 1001":     {Survived, ""},
		"1000 to 1001 #2":  {Survived, ""},
		"* to /":           {Killed, "user"},
		"4 to 5":           {Killed, "user"}, // not in a function, and so not woven
		"negate v > value": {Survived, ""},   // in one that has a label
		"true to false":    {Killed, "weak"},
		"== to !=":         {Survived, ""},
	}
	seen := 0
	for _, m := range mutants {
		if w, ok := want[m.Change]; ok {
			seen++
			if got := found[m.ID()]; got != w {
				t.Errorf("line %d, %q: %v, want %v", m.Line, m.Change, got, w)
			}
		}
	}
	if seen < 9 {
		t.Errorf("%d of the mutants are there", seen)
	}
}

// Rule: the result does not depend on whether mutants are built together.
func TestWovenMutantsAreTheSame(t *testing.T) {
	root, mutants := toy(t, "weak")
	r, err := newRunner(root)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	var woven []*Mutant
	for _, m := range mutants {
		if m.compiles() && m.woven() {
			woven = append(woven, m)
		}
	}
	survivors := func(run func(context.Context, []*Mutant, Stage) ([]*Mutant, error)) (ids []string) {
		rest, err := run(t.Context(), woven, test("user"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range rest {
			ids = append(ids, m.ID())
		}
		return ids
	}
	tr := &trial{r: r, out: t.Output(), record: func(*Mutant, Verdict, string) {}}
	together, alone := survivors(tr.together), survivors(tr.oneByOne)
	if len(together) == 0 || len(together) == len(woven) || strings.Join(together, " ") != strings.Join(alone, " ") {
		t.Errorf("of %d survive together %v, and one by one %v", len(woven), together, alone)
	}
}

// Rule: a stage that fails without a mutant kills nothing, and is an error in the end.
func TestAStageThatFailsAnywayKillsNothing(t *testing.T) {
	root, mutants := toy(t, "strong")
	r, err := newRunner(root)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	survived := 0
	tr := &trial{r: r, out: t.Output(), record: func(_ *Mutant, v Verdict, _ string) {
		if v == Survived {
			survived++
		}
	}}
	if err := tr.all(t.Context(), mutants[:2], []Stage{{Package: "failing"}}); err == nil || survived != 2 {
		t.Errorf("%d survive: %v", survived, err)
	}
}

// Rule: what was killed before a stage turned out to fail without a mutant is not counted
// once more as a survivor.
func TestAStageThatFailsLaterChangesNoVerdict(t *testing.T) {
	root, mutants := toy(t, "flaky")
	r, err := newRunner(root)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	killed, survived := 0, 0
	tr := &trial{r: r, out: t.Output(), record: func(_ *Mutant, v Verdict, _ string) {
		if v == Survived {
			survived++
		} else {
			killed++
		}
	}}
	if err := tr.all(t.Context(), mutants, []Stage{{Package: "flaky"}}); err == nil || killed == 0 || survived == 0 || killed+survived != len(mutants) {
		t.Errorf("of %d mutants %d are killed and %d survive: %v", len(mutants), killed, survived, err)
	}
}

// listing writes a list of equivalent mutants, and returns its path from the root.
func listing(t *testing.T, root string, mutants []*Mutant) string {
	t.Helper()
	list := filepath.Join(t.TempDir(), "equivalent.txt")
	var text strings.Builder
	for _, m := range mutants {
		text.WriteString("weak " + m.Func + "\n\t" + m.Source + "\n\t" + m.Change + "\n\tbecause\n\n")
	}
	if err := os.WriteFile(list, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	inRoot, err := filepath.Rel(root, list)
	if err != nil {
		t.Fatal(err)
	}
	return inRoot
}

// Rule: what is listed as equivalent is not tried, and a share below the least that is
// asked for is an error.
func TestASampleReportsItsShare(t *testing.T) {
	root, mutants := toy(t, "weak")
	o := options{root: root, packages: []string{"weak"}, count: 12, budget: time.Hour, min: 99, own: true, equivalent: listing(t, root, mutants[:2])}
	var out bytes.Buffer
	if err := sample(t.Context(), o, &out); err == nil || !strings.Contains(err.Error(), "at least 99.0 %") {
		t.Errorf("%v\n%s", err, &out)
	}
	again := out.String()
	out.Reset()
	o.min = 0
	if err := sample(t.Context(), o, &out); err != nil || out.String() != again {
		t.Errorf("the same seed gives something else: %v\n%s\n%s", err, again, &out)
	}
	if !strings.Contains(again, "2 of them known to be equivalent") || !strings.Contains(again, "make mutate") {
		t.Error(again)
	}
}

// Rule: one that is listed as equivalent is not tried either when it is asked for by its
// ID, and the report says so; one that nobody has is an error.
func TestAnEquivalentOneIsNotTriedByItsID(t *testing.T) {
	root, mutants := toy(t, "weak")
	o := options{root: root, packages: []string{"weak"}, count: 12, budget: time.Hour, min: 99, own: true, equivalent: listing(t, root, mutants[:2])}
	o.only = []string{mutants[1].ID()}
	var out bytes.Buffer
	if err := sample(t.Context(), o, &out); err != nil || !strings.Contains(out.String(), mutants[1].ID()+" weak") ||
		!strings.Contains(out.String(), "listed as equivalent") {
		t.Errorf("%v\n%s", err, &out)
	}
	o.only = append(o.only, "nobody's")
	if err := sample(t.Context(), o, &out); err == nil || !strings.Contains(err.Error(), "have the IDs") {
		t.Errorf("an ID that does not exist: %v", err)
	}
}
