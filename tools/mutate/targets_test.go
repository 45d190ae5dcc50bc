package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each target, and each stage of one, is a package of the repository with tests, or with a program; it
// may be of another module of the workspace. The session and what carries it are all targets.
func TestTargetsAreThere(t *testing.T) {
	has := func(path, ending string) bool {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(path), "*"+ending))
		return err == nil && len(files) > 0
	}
	for name := range targets {
		for _, s := range stagesOf(name) {
			if s.Program == nil && !has(s.Package, "_test.go") || !has(s.Package, ".go") {
				t.Errorf("%s: there is nothing to run in %s", name, s.Package)
			}
		}
	}
	for _, tree := range []string{"session", "online"} {
		entries, err := os.ReadDir(filepath.Join("..", "..", tree))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			path := tree + "/" + e.Name()
			if _, ok := targets[path]; !ok && has(path, "_test.go") && !strings.HasSuffix(path, "test") && e.Name() != "internal" {
				t.Errorf("%s has tests, and is no target", path)
			}
		}
	}
}
