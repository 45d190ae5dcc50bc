package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// extensions are the extensions of recordings.
var extensions = []string{".tbr", ".rplk"}

// Expand turns arguments into files: a directory into all recordings below it, and a pattern that no shell has
// expanded into the files that it matches. A directory or pattern that cannot be read, or yields nothing, is reported
// in one line on stderr and is a failure, but does not stop the others.
func Expand(a *console.App, args []string) (files []string, failed error) {
	for _, arg := range args {
		found, err := expandOne(arg)
		if err != nil {
			a.Complain(fmt.Errorf("%s: %w", NameOf(arg), Bare(err)))
			failed = console.ErrReported
		}
		files = append(files, found...)
	}
	return files, failed
}

func expandOne(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	switch {
	case arg == "-":
		return []string{arg}, nil
	case err == nil && info.IsDir():
		return below(arg)
	case err != nil && strings.ContainsAny(arg, "*?["):
		if found, err := filepath.Glob(arg); err == nil && len(found) > 0 {
			return expandAll(found)
		}
	}
	return []string{arg}, nil // opening it reports what is wrong
}

// expandAll returns the files that a pattern matches, and the recordings in the directories that it matches; a
// directory may have none.
func expandAll(paths []string) (files []string, failed error) {
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			if err != nil || info.Mode().IsRegular() {
				files = append(files, path)
			}
			continue
		}
		found, err := below(path)
		if files = append(files, found...); !errors.Is(err, errNoRecordings) {
			failed = cmp.Or(failed, err)
		}
	}
	return files, failed
}

// errNoRecordings means that a directory has no recordings.
var errNoRecordings = fmt.Errorf("there are no recordings (*%s) in this directory", strings.Join(extensions, ", *"))

// below returns the recordings in a directory and its subdirectories, in order. A pipe or a device with such a name
// is skipped: reading it could take forever.
func below(dir string) (files []string, err error) {
	var first error
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			first = cmp.Or(first, fmt.Errorf("%s: %w", path, Bare(err)))
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && slices.Contains(extensions, strings.ToLower(filepath.Ext(path))):
			if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
				files = append(files, path)
			}
		}
		return nil
	})
	if err = cmp.Or(first, err); err == nil && len(files) == 0 {
		err = errNoRecordings
	}
	return files, err
}
