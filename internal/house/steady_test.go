package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// block is a piece of source that runs as a whole, as coverage profiles have it.
type block struct {
	file  string // with its import path
	begin int    // its first line
	span  string // all of its place
}

// profile reads a coverage profile with counts.
func profile(text string) (map[block]int, error) {
	counts := map[block]int{}
	for line := range strings.Lines(text) {
		file, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || file == "mode" {
			continue
		}
		words := strings.Fields(rest)
		if len(words) != 3 {
			return nil, fmt.Errorf("%q is no line of a profile", line)
		}
		first, _, _ := strings.Cut(words[0], ".")
		begin, err := strconv.Atoi(first)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(words[2])
		if err != nil {
			return nil, err
		}
		counts[block{file, begin, words[0]}] += n
	}
	return counts, nil
}

// inFunctions returns the functions, as "file:line", that have one of these blocks. starts returns the lines at which
// the functions of a file begin, ascending.
func inFunctions(blocks []block, starts func(file string) ([]int, error)) (found []string, err error) {
	for _, b := range blocks {
		lines, err := starts(b.file)
		if err != nil {
			return nil, err
		}
		i, exact := slices.BinarySearch(lines, b.begin)
		if !exact {
			i--
		}
		if i < 0 {
			return nil, fmt.Errorf("%s:%d is in no function", b.file, b.begin)
		}
		found = append(found, fmt.Sprintf("%s:%d", b.file, lines[i]))
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// more returns the blocks that have run more often in the second profile.
func more(few, many map[block]int) (list []block) {
	for b, n := range many {
		if n > few[b] {
			list = append(list, b)
		}
	}
	return list
}

// functionLines returns the lines at which the functions of a file of the root module begin.
func functionLines(file string) (lines []int, err error) {
	name, ok := strings.CutPrefix(file, module+"/")
	if !ok {
		return nil, fmt.Errorf("%s is not in the module", file)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.FromSlash(name), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			lines = append(lines, fset.Position(d.Pos()).Line)
		}
	}
	return lines, nil
}

// Rule: ten steady frames of two peers run as many functions, in as many files and packages, as limits.txt says:
// those that run more often in a match of ten ticks more.
func TestASteadyFrameRunsLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the packages of a session for coverage")
	}
	var covered []string
	out, err := exec.Command("go", "list", "-deps", module+"/session").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range strings.Fields(string(out)) {
		if p == module || strings.HasPrefix(p, module+"/") {
			covered = append(covered, p)
		}
	}
	if len(covered) < 15 {
		t.Fatal(covered)
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "fleet.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-cover", "-covermode=count", "-coverpkg="+strings.Join(covered, ","), "-o", binary, module+"/fleet")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	counts := func(ticks int) map[block]int {
		file := filepath.Join(dir, strconv.Itoa(ticks))
		run := exec.Command(binary, "-test.run", "^TestTicks$", "-fleet.ticks", fmt.Sprintf("2,1,%d", ticks), "-test.coverprofile", file)
		run.Dir = "fleet"
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list, err := profile(string(text))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	functions, err := inFunctions(more(counts(700), counts(710)), functionLines)
	if err != nil {
		t.Fatal(err)
	}
	files, packages := map[string]bool{}, map[string]bool{}
	for _, f := range functions {
		file, _, _ := strings.Cut(f, ":")
		files[file], packages[path.Dir(file)] = true, true
	}
	got, want := []int{len(functions), len(files), len(packages)}, limits(t)["steady"].numbers
	if !slices.Equal(got, want) {
		t.Errorf("functions, files and packages that run: %v, and %v by limits.txt:\n%s", got, want, strings.Join(functions, "\n"))
	}
}

// The negative control of the test above: what has run only before is not counted, nor is a second block of a function.
func TestMoreOfAProfile(t *testing.T) {
	few, err := profile("mode: count\nm/a.go:3.10,5.2 2 1\nm/a.go:9.10,12.2 2 7\nm/b.go:3.1,4.2 1 2\n")
	if err != nil {
		t.Fatal(err)
	}
	many, err := profile("mode: count\nm/a.go:3.10,5.2 2 1\nm/a.go:9.10,12.2 2 17\nm/a.go:13.2,14.3 1 10\nm/b.go:3.1,4.2 1 12\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := inFunctions(more(few, many), func(string) ([]int, error) { return []int{3, 8}, nil })
	if err != nil || !slices.Equal(got, []string{"m/a.go:8", "m/b.go:3"}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := inFunctions([]block{{"m/a.go", 2, ""}}, func(string) ([]int, error) { return []int{3}, nil }); err == nil {
		t.Error("a block before all functions is in one")
	}
	if _, err := profile("m/a.go:3.10,5.2 2\n"); err == nil {
		t.Error("a broken line is read")
	}
}
