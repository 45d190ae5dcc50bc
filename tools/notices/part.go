package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// goName is the name of Go's own part of each program. Its version is left out, as it depends on who builds the
// program.
const goName = "Go: its standard library and runtime, and what starts it in a page"

// part is a module that is built into a thing, or Go itself.
type part struct {
	name     string
	licences map[string]string // identifiers of the kinds, by the text
}

// licenceFile matches names of files with a licence, or with something that it requires to be passed on.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice)([-._].*)?$`)

// elsewhere are licences that are neither in the folder of a package nor above it.
var elsewhere = map[string]string{
	"golang.org/x/image/font/gofont": "ttfs/README",
}

// unused are files beside packages that are about something that is not built.
var unused = []string{
	"src/crypto/internal/boring/LICENSE", // of a binary that only GOEXPERIMENT=boringcrypto links
}

// add adds the part that a package belongs to, with the licences in the package's folder and in those above it. Our
// own packages are skipped.
func add(parts map[string]*part, p listed, goroot string) error {
	name, root := goName, goroot
	switch m := p.Module; {
	case p.ImportPath == "unsafe", m != nil && m.Main:
		return nil
	case m != nil && m.Replace != nil:
		name, root = m.Path+" "+m.Version+" (replaced by "+m.Replace.Path+" "+m.Replace.Version+")", m.Replace.Dir
	case m != nil:
		name, root = m.Path+" "+m.Version, m.Dir
	case !p.Standard:
		return fmt.Errorf("%s belongs to no module", p.ImportPath)
	}
	if parts[name] == nil {
		parts[name] = &part{name: name, licences: map[string]string{}}
	}
	files, err := licenceFiles(p, root)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := parts[name].take(file); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// licenceFiles returns the licences of a package.
func licenceFiles(p listed, root string) (files []string, err error) {
	for pkg, file := range elsewhere {
		if p.ImportPath == pkg || strings.HasPrefix(p.ImportPath, pkg+"/") {
			up := strings.Repeat("../", strings.Count(p.ImportPath[len(pkg):], "/"))
			files = append(files, filepath.Join(p.Dir, filepath.FromSlash(up+file)))
		}
	}
	for dir := p.Dir; ; dir = filepath.Dir(dir) {
		within, err := filepath.Rel(root, dir)
		if err != nil || !filepath.IsLocal(within) {
			return files, err
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			name := filepath.ToSlash(filepath.Join(within, e.Name()))
			if e.Type().IsRegular() && licenceFile.MatchString(e.Name()) && filepath.Ext(name) != ".go" && !slices.Contains(unused, name) {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
}

// take adds a licence, if it requires no more than notices provide.
func (p *part) take(file string) error {
	text, err := read(file)
	if err != nil {
		return err
	}
	if _, known := p.licences[text]; known {
		return nil
	}
	if strings.HasPrefix(strings.ToUpper(filepath.Base(file)), "NOTICE") {
		p.licences[text] = "" // a text that a licence requires to be passed on
		return nil
	}
	p.licences[text], err = kind(text)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	return nil
}

// read reads a text, with normalized line endings.
func read(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.ReplaceAll(string(b), "\r", ""), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n", nil
}
