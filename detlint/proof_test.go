package detlint_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/tickback/tickback/detlint"
	"github.com/tickback/tickback/detlint/internal/report"
)

// verdicts are the expected verdicts on the games in testdata/proof, as their packages state them.
func verdicts(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	files, err := filepath.Glob("testdata/proof/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`is a game for the verdict: (.*)\.`).FindSubmatch(b); m != nil {
			list[filepath.Base(filepath.Dir(name))] = string(m[1])
		}
	}
	return list
}

// Rule: whatever a step reaches that cannot be followed is named on its line, and its root is proved except for that;
// what can be followed completely is proved.
func TestWhatIsNotFollowedIsNamed(t *testing.T) {
	r, err := detlint.Run(detlint.Options{Dir: "testdata/proof", Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	all := *r
	all.Findings = slices.Concat(r.Findings, r.Unproved)
	c := readCorpus(t, "testdata/proof")
	c.judge(t, &all)
	got := map[string]string{}
	for _, p := range r.Proofs {
		if p.Role == "Step" {
			got[filepath.Base(filepath.Dir(p.Position.Filename))] = p.Verdict
		} else if p.Verdict != report.Proved {
			t.Errorf("%s of %s: %s", p.Role, p.Game, p.Verdict)
		}
	}
	want := verdicts(t)
	for name, v := range want {
		if got[name] != v {
			t.Errorf("%s: %q, want %q", name, got[name], v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d verdicts on steps, want %d", len(got), len(want))
	}
	if r.Open != 3 || r.Calls < 11 || r.Functions < 110 {
		t.Errorf("%d calls are open, and %d are followed, in %d functions", r.Open, r.Calls, r.Functions)
	}
	if len(r.Trusted) != 1 || r.Trusted[0].Reason != "rules are examined where they are written" {
		t.Errorf("trusted: %+v", r.Trusted)
	}
}

// run runs the command on packages in testdata/proof.
func run(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = detlint.Main(args, &o, &e)
	return code, o.String(), e.String()
}

// Rule: what cannot be followed is not an error by default; with -unproved it is one, unless a reason or a baseline excuses
// it. The output names it and what is trusted, and says for each root what is proved.
func TestUnprovedMakesItAnError(t *testing.T) {
	const plugged, trusting = "./testdata/proof/plugged", "./testdata/proof/trusting"
	code, out, errs := run(t, plugged)
	if code != 0 || !strings.Contains(out, "plugged.go:20:16: unproved: Apply is called through an interface") ||
		!strings.Contains(out, "proved but for plugged.go:20: Step of rollback.Game[plugged.state, plugged.input] (testdata/proof/plugged/plugged.go:19)\n") ||
		!strings.Contains(errs, "0 findings, 1 not followed") || !strings.Contains(errs, "1 roots, ") || !strings.Contains(errs, " 0 dynamic calls followed and 1 not, ") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if code, out, errs = run(t, "-unproved", plugged); code != 1 || !strings.Contains(errs, "detlint: 1 findings;") {
		t.Errorf("unproved: %d\n%s%s", code, out, errs)
	}
	code, out, errs = run(t, "-unproved", trusting)
	if code != 0 || !strings.Contains(out, "trusted: Adjust is called through an interface") || !strings.Contains(out, "reason: rules are examined where they are written\n") ||
		!strings.Contains(out, "proved, with 1 trusted: Step of ") {
		t.Errorf("trusting: %d\n%s%s", code, out, errs)
	}
	baseline := filepath.Join(t.TempDir(), "baseline")
	if code, _, errs := run(t, "-unproved", "-write-baseline", baseline, plugged); code != 0 {
		t.Fatal(code, errs)
	}
	for _, args := range [][]string{{"-unproved"}, nil} {
		if code, out, errs := run(t, append(args, "-baseline", baseline, plugged)...); code != 0 || strings.Contains(out, "Apply is called") {
			t.Errorf("with a baseline, %v: %d\n%s%s", args, code, out, errs)
		}
	}
}

// Rule: JSON lists what cannot be followed separately from findings, with the verdicts, and SARIF has it as a note; what is
// trusted is suppressed there, with its reason.
func TestProofsInJSONAndSARIF(t *testing.T) {
	args := []string{"./testdata/proof/plugged", "./testdata/proof/trusting"}
	_, out, _ := run(t, append([]string{"-json"}, args...)...)
	var r detlint.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Findings) != 0 || len(r.Unproved) != 1 || len(r.Proofs) != 2 || len(r.Trusted) != 1 {
		t.Errorf("%v: %+v", err, r)
	}
	_, out, _ = run(t, append([]string{"-sarif"}, args...)...)
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID, Level string
				Suppressions  []struct{ Kind, Justification string }
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) != 2 {
		t.Fatal(err, out)
	}
	note, trusted := log.Runs[0].Results[0], log.Runs[0].Results[1]
	if note.Level != "note" || note.RuleID != "unproved" || len(note.Suppressions) != 0 {
		t.Errorf("%+v", note)
	}
	if len(trusted.Suppressions) != 1 || trusted.Suppressions[0].Kind != "inSource" || trusted.Suppressions[0].Justification == "" {
		t.Errorf("%+v", trusted)
	}
	if _, out, _ = run(t, append([]string{"-unproved", "-sarif"}, args...)...); !strings.Contains(out, `"level": "error",
					"message"`) {
		t.Errorf("with -unproved there is no error:\n%s", out)
	}
}

// Rule: packages of the module that have functions of a game but were not asked for are named.
func TestGamesThatWereNotAskedForAreNamed(t *testing.T) {
	const moves = "github.com/tickback/tickback/detlint/testdata/spread/moves"
	code, _, errs := run(t, "./testdata/spread")
	if code != 2 || !strings.Contains(errs, moves) {
		t.Errorf("without a root: %d, %s", code, errs)
	}
	_, _, errs = run(t, "-root", "testdata/spread.main", "./testdata/spread")
	if !strings.Contains(errs, "detlint: not asked for: "+moves+" has functions of a game, too\n") {
		t.Error(errs)
	}
}

// Rule: with -unproved, go vet and a driver of analyzers find what the command finds with it.
func TestUnprovedInGoVetAndInEditors(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command, and runs the go command")
	}
	const dir = "testdata/proof"
	r, err := detlint.Run(detlint.Options{Dir: dir, Patterns: []string{"./..."}, Unproved: true})
	if err != nil {
		t.Fatal(err)
	}
	want := places(r)
	if got, text := vetted(t, builtTool(t), dir, "-unproved", "./..."); !slices.Equal(got, want) {
		t.Errorf("go vet finds %v, want %v\n%s", got, want, text)
	}
	list, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if err := detlint.Analyzer.Flags.Set("unproved", "true"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = detlint.Analyzer.Flags.Set("unproved", "false") }()
	graph, err := checker.Analyze([]*analysis.Analyzer{detlint.Analyzer}, list, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, a := range graph.Roots {
		for _, d := range a.Diagnostics {
			at := a.Package.Fset.Position(d.Pos)
			found[fmt.Sprintf("%s:%d %s", filepath.Base(at.Filename), at.Line, d.Category)] = true
		}
	}
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Errorf("the analyzer finds %v, want %v", got, want)
	}
}
