//go:build !js

package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// programs are the programs that have been built, by package and flags.
var programs struct {
	sync.Mutex
	dir  string
	made map[string]string
}

// Program builds a package for pages, with these flags of "go build", and returns the path of the result. The same
// build happens only once in a test program; its result is kept until [Run] returns.
func Program(t testing.TB, pkg string, flags ...string) string {
	t.Helper()
	programs.Lock()
	defer programs.Unlock()
	key := strings.Join(append([]string{pkg}, flags...), "\x00")
	if path, ok := programs.made[key]; ok {
		return path
	}
	if programs.dir == "" {
		dir, err := os.MkdirTemp("", "tickback-program")
		if err != nil {
			t.Fatal(err)
		}
		programs.dir, programs.made = dir, map[string]string{}
	}
	path := filepath.Join(programs.dir, fmt.Sprintf("%d.wasm", len(programs.made)))
	build := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), pkg)...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", build.Args, err, out)
	}
	programs.made[key] = path
	return path
}

// Support returns the path of wasm_exec.js, which every Go program in a page needs.
func Support(t testing.TB) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")
}

// Folder returns a folder with a page that only runs a program.
func Folder(t testing.TB, program string) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range map[string]string{"page.wasm": program, "wasm_exec.js": Support(t)} {
		b, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"boot.js": "const go = new Go();\n" +
			"WebAssembly.instantiateStreaming(fetch('page.wasm'), go.importObject).then(r => go.run(r.instance));\n",
		"index.html": "<!doctype html><meta charset=utf-8><link rel=icon href=data:,><script src=wasm_exec.js></script><script src=boot.js></script>",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// forgetPrograms removes the built programs.
func forgetPrograms() {
	programs.Lock()
	defer programs.Unlock()
	if programs.dir != "" {
		_ = os.RemoveAll(programs.dir) // the folder is temporary
		programs.dir, programs.made = "", nil
	}
}
