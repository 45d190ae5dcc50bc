package report

import (
	"bufio"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A baseline is a file with findings that are accepted for now: those of a code base that has just started to use
// detlint. Each line is the key of one: its location, as the directory and the function, its rule and its message. So
// lines may move, also to another file, and new findings are still reported.

const baselineHead = `# Findings that detlint -baseline accepts, one a line; detlint -write-baseline writes this file.
# A line goes away with its finding: none should be added by hand.
`

// Keys returns the keys of findings in a baseline: equal ones are numbered. Directories below dir are relative to it.
func Keys(dir string, list []Finding) []string {
	seen := map[string]int{}
	keys := make([]string, len(list))
	for i, f := range list {
		place := location(dir, filepath.Dir(f.Position.Filename))
		if len(f.Chain) > 0 {
			place += "\t" + f.Chain[len(f.Chain)-1].Func
		} else {
			place += "\t" + filepath.Base(f.Position.Filename)
		}
		key := f.Rule + "\t" + place + "\t" + strings.ReplaceAll(f.Message, "\n", " ")
		if seen[key]++; seen[key] > 1 {
			key += fmt.Sprintf("\t%d", seen[key])
		}
		keys[i] = key
	}
	return keys
}

// location returns a directory in a form that is the same on every machine: relative to dir, or to the module cache.
func location(dir, path string) string {
	if rel := Relative(dir, path); rel != path {
		return rel
	}
	if _, module, ok := strings.Cut(filepath.ToSlash(path), "/pkg/mod/"); ok {
		return module
	}
	return filepath.ToSlash(path)
}

// WriteBaseline writes a file in which all these findings are accepted. Directories are relative to that of the file.
func WriteBaseline(name string, list []Finding) error {
	dir, err := directory(name)
	if err != nil {
		return err
	}
	keys := Keys(dir, list)
	slices.Sort(keys)
	text := baselineHead
	for _, k := range keys {
		text += k + "\n"
	}
	return replace(name, []byte(text))
}

func directory(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("the directory of the baseline: %w", err)
	}
	return filepath.Dir(path), nil
}

// Baseline removes the findings that a file accepts. A line about a finding that no longer exists is a finding of the
// rule "ignore", if its directory was examined.
func Baseline(name string, examined map[string]bool, list []Finding) (kept []Finding, accepted int, err error) {
	dir, err := directory(name)
	if err != nil {
		return nil, 0, err
	}
	lines, err := readBaseline(name)
	if err != nil {
		return nil, 0, err
	}
	for i, k := range Keys(dir, list) {
		if _, ok := lines[k]; ok {
			delete(lines, k)
			accepted++
			continue
		}
		kept = append(kept, list[i])
	}
	for key, line := range lines {
		fields := strings.Split(key, "\t")
		if !gone(dir, fields[1], examined) {
			continue
		}
		at := token.Position{Filename: filepath.Join(dir, filepath.Base(name)), Line: line, Column: 1}
		kept = append(kept, complaint(at, "there is no such finding of %s any more: take the line away, or write the file again with -write-baseline", fields[0]))
	}
	Order(kept)
	return kept, accepted, nil
}

// gone reports whether a line without a finding is out of date: its directory was examined, or does not exist.
func gone(dir, place string, examined map[string]bool) bool {
	path := filepath.Join(dir, filepath.FromSlash(place))
	if strings.ContainsRune(place, '@') { // in another module, which is examined together with the code that imports it
		return false
	}
	_, err := os.Stat(path)
	return examined[path] || os.IsNotExist(err)
}

// readBaseline returns the keys in a file, with their line numbers.
func readBaseline(name string) (map[string]int, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading the baseline: %w (detlint -write-baseline %s makes it)", err, name)
	}
	defer f.Close()
	keys := map[string]int{}
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		line := s.Text()
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.Count(line, "\t") < 3 {
			return nil, fmt.Errorf("%s:%d: this is no line of a baseline: write the file with detlint -write-baseline", name, n)
		}
		keys[line] = n
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("reading the baseline: %w", err)
	}
	return keys, nil
}
