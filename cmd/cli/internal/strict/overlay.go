package strict

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/tickback/tickback/cmd/cli/internal/strict/rewrite"
)

// made returns the overlay for package math with these parts, and a sum of everything that it replaces, of the
// replacements, and of the rules for changing sources. The files are made only once, in a folder of the cache.
func made(cache, goroot string, parts []part) (file, sum string, err error) {
	files, err := merged(parts)
	if err != nil {
		return "", "", err
	}
	dir := filepath.Join(goroot, "src", "math")
	others, err := replaced(dir)
	if err != nil {
		return "", "", err
	}
	maps.Copy(files, others)
	h := sha256.New()
	fmt.Fprintln(h, rewrite.Version)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(files[name]), files[name])
	}
	sum = hex.EncodeToString(h.Sum(nil)[:8])
	// The paths are a part of the overlay, so another installation of the same Go needs another folder.
	h.Write([]byte(goroot))
	folder := filepath.Join(cache, hex.EncodeToString(h.Sum(nil)[:16]))
	file = filepath.Join(folder, list)
	paths := map[string]string{}
	for name := range files {
		paths[filepath.Join(dir, name)] = filepath.Join(folder, name)
	}
	if files[list], err = encode(paths); err != nil || whole(folder, files) {
		return file, sum, err
	}
	return file, sum, keep(folder, files)
}

// list is the name of the overlay file.
const list = "overlay.json"

// whole reports whether a folder has exactly this content for these files: a cache may be damaged, and the proof is
// about the files in it.
func whole(folder string, files map[string][]byte) bool {
	for name, text := range files {
		if b, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Equal(b, text) {
			return false
		}
	}
	return true
}

// keep makes a folder with these files, replacing one that is incomplete. Another process may do the same at the same
// time.
func keep(folder string, files map[string][]byte) error {
	parent := filepath.Dir(folder)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	made, err := os.MkdirTemp(parent, "new-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(made, name), text, 0o644); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.Rename(made, folder); err != nil && !whole(folder, files) {
		return err
	}
	return nil
}

// replacements is the format of overlay files.
type replacements struct{ Replace map[string]string }

func encode(paths map[string]string) ([]byte, error) {
	b, err := json.MarshalIndent(replacements{paths}, "", "\t")
	return append(b, '\n'), err
}

// joined writes an overlay that combines our files and those of another overlay.
func joined(file, ours, other string) error {
	paths := map[string]string{}
	for _, name := range []string{other, ours} {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var r replacements
		if err := json.Unmarshal(b, &r); err != nil {
			return fmt.Errorf("-overlay: %s: %w", name, err)
		}
		for path, by := range r.Replace {
			if had, ok := paths[path]; ok && had != by {
				return fmt.Errorf("-overlay: %s replaces %s, which --strict does, too", other, path)
			}
			paths[path] = by
		}
	}
	b, err := encode(paths)
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o600)
}
