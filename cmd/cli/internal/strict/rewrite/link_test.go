package rewrite

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Rule: a program is refused if it cannot be determined whether a step in it reaches C or assembly, although the linker has made
// it.
func TestAProgramThatCannotBeLookedAtIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("the linker is a shell script here")
	}
	dir := t.TempDir()
	linker := filepath.Join(dir, "link")
	if err := os.WriteFile(linker, []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "importcfg.link")
	for text, want := range map[string]int{
		"packagefile drawn/game=/nowhere/game.a\n":                                0, // it has no engine
		"packagefile github.com/tickback/tickback/rollback=/nowhere/rollback.a\n": 1,
	} {
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if code := Tool([]string{linker, "-importcfg", config, "/nowhere/game.a"}); code != want {
			t.Errorf("%q: exit code %d, want %d", text, code, want)
		}
	}
}
