package house

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	measuredRow = regexp.MustCompile(`(?m)^\| ([a-z0-9/.]+) ([A-Z]\w*)(/\S+)? \|.*\|$`)
	floorRow    = regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)`(.*?) \\| ")
)

// benchmarkIn reports whether a package has a benchmark of this name, or whose name begins so.
func benchmarkIn(t *testing.T, pkg, name string) bool {
	t.Helper()
	pkg = strings.TrimPrefix(strings.TrimPrefix(pkg, "github.com/tickback/tickback"), "/")
	paths, err := filepath.Glob(filepath.Join(filepath.FromSlash("./"+pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.Contains(readFile(t, path), "\nfunc Benchmark"+name) {
			return true
		}
	}
	return false
}

// Rule: each benchmark in the tables of measurements is there, in the package that the table names; and no
// benchmark has figures on both pages.
func TestTablesNameBenchmarksThatThereAre(t *testing.T) {
	seen := map[string]string{}
	for _, page := range []string{"docs/benchmarks.md", "docs/reference/performance.md"} {
		text := readFile(t, page)
		if page == "docs/benchmarks.md" {
			text, _, _ = strings.Cut(text, "\n## What the floors are\n") // what comes later measures games and networks
		}
		rows := measuredRow.FindAllStringSubmatch(text, -1)
		if len(rows) < 20 {
			t.Fatalf("%s has only %d rows", page, len(rows))
		}
		for _, row := range rows {
			if !benchmarkIn(t, row[1], row[2]+"(") {
				t.Errorf("%s: %s has no benchmark %s", page, row[1], row[2])
			}
			name := fmt.Sprint(row[1:])
			if other := seen[name]; other != "" {
				t.Errorf("%s and %s have %s %s%s", other, page, row[1], row[2], row[3])
			}
			seen[name] = page
		}
	}
	_, floors, _ := strings.Cut(readFile(t, "docs/benchmarks.md"), "\n## What the floors are\n")
	floors, _, _ = strings.Cut(floors, "\n## ")
	rows := floorRow.FindAllStringSubmatch(floors, -1)
	if len(rows) < 20 {
		t.Fatalf("only %d rows of floors", len(rows))
	}
	for _, row := range rows {
		if names := regexp.MustCompile(`\w+`).FindAllString(row[2], -1); len(names) > 0 {
			for _, name := range names {
				if !benchmarkIn(t, row[1], name) {
					t.Errorf("the floors: %s has no benchmark that begins with %s", row[1], name)
				}
			}
		} else if !benchmarkIn(t, row[1], "") {
			t.Errorf("the floors: %s has no benchmarks", row[1])
		}
	}
	for pkg, name := range map[string]string{"replay/rplk": "", "rollback": "TickDuet("} {
		if benchmarkIn(t, pkg, name) {
			t.Errorf("%s.%s is found, though it does not exist", pkg, name)
		}
	}
}
