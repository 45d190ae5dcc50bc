package rewrite

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// errNotOurs means that the files of package math are not those of Go's sources: they were changed to measure
// coverage.
var errNotOurs = errors.New("its files are not those of the Go that compiles them: with a Go that the go command has downloaded, coverage of package math cannot be measured")

// overlaid compiles package math with the files of an overlay, if there is one: it replaces the files that it names,
// and adds new ones.
func (c *compilation) overlaid(list string) error {
	if list == "" || c.path != "math" {
		return nil
	}
	b, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(b, &overlay); err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	c.instead = overlay.Replace
	known := false
	for _, name := range c.files {
		path, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		known = known || c.instead[path] != ""
	}
	if !known {
		return errNotOurs
	}
	c.files = slices.Clone(c.files)
	for _, path := range slices.Sorted(maps.Keys(c.instead)) {
		// Of the files in Go's sources, the go command has already selected those for the target, which is in the
		// environment of its tools.
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			continue
		}
		instead := c.instead[path]
		matches, err := build.Default.MatchFile(filepath.Dir(instead), filepath.Base(instead))
		if err != nil {
			return err
		}
		if matches {
			c.files = append(c.files, path)
		}
	}
	return nil
}
