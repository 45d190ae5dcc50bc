package report

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func found(dir, file string, line int, fn, rule string) Finding {
	at := token.Position{Filename: filepath.Join(dir, file), Line: line, Column: 1}
	return Finding{Rule: rule, Message: "m of " + rule, Position: at, Chain: []Step{{Func: fn}}}
}

// Rule: a finding in the baseline is left out, even if its lines or its file have moved, and only as many times as it
// is listed. New findings are reported, and entries that match nothing are named.
func TestABaselineSurvivesThatLinesMove(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "baseline.txt")
	old := []Finding{
		found(dir, "a/a.go", 3, "a.F", "clock"), found(dir, "a/a.go", 9, "a.F", "clock"), found(dir, "a/b.go", 4, "a.G", "maporder"),
		found(dir, "gone/x.go", 1, "gone.F", "random"), found("/home/x/go/pkg/mod/m@v1.0.0", "m.go", 7, "m.F", "address"),
	}
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteBaseline(name, old); err != nil {
		t.Fatal(err)
	}
	examined := map[string]bool{filepath.Join(dir, "a"): true}
	now := []Finding{
		found(dir, "a/a.go", 30, "a.F", "clock"), found(dir, "a/other.go", 1, "a.F", "clock"), found(dir, "a/a.go", 99, "a.F", "clock"),
		found("/somewhere/go/pkg/mod/m@v1.0.0", "m.go", 7, "m.F", "address"),
	}
	kept, accepted, err := Baseline(name, examined, now)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, f := range kept {
		got += fmt.Sprintf("%s %s:%d\n", f.Rule, filepath.Base(f.Position.Filename), f.Position.Line)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := "clock a.go:99\n"
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "maporder") || strings.HasPrefix(line, "random") {
			want += fmt.Sprintf("ignore baseline.txt:%d\n", i+1)
		}
	}
	if got != want || accepted != 3 {
		t.Errorf("%d accepted, and kept\n%swant\n%sof\n%s", accepted, got, want, text)
	}
	if kept, _, err := Baseline(name, map[string]bool{}, nil); err != nil || len(kept) != 1 {
		t.Errorf("where nothing was examined, only what is in no directory is gone: %v, %v", kept, err)
	}
}

// Rule: a missing file, or one of another kind, is an error.
func TestABaselineThatCannotBeReadIsAnError(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if _, _, err := Baseline(name, nil, nil); err == nil || !strings.Contains(err.Error(), "-write-baseline") {
		t.Error(err)
	}
	if err := os.WriteFile(name, []byte("# head\nclock a.go\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Baseline(name, nil, nil); err == nil || !strings.Contains(err.Error(), "x:2") {
		t.Error(err)
	}
}
