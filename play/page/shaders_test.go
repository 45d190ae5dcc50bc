package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The page's program contains all shaders, compiled, and no code that compiles shaders, fills in templates or encodes
// pictures.
func TestThePageHasNoCompiler(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the compiler of shaders")
	}
	dir := t.TempDir()
	root := filepath.Join("..", "..")
	workspace, err := precompiled(t.Context(), dir, root)
	if err != nil {
		t.Fatal(err)
	}
	shaders, err := os.ReadFile(filepath.Join(dir, "ebitengine", "internal", "graphics", "shader.go"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(shaders), "#version 300 es"); n != 2*(3*3*2+1) {
		t.Errorf("%d halves of shaders", n)
	}
	cmd := exec.Command("go", "list", "-deps", "./play/cmd/tickback-play")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOWORK="+workspace, "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	list, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(list))
	if !slices.Contains(packages, engine+"/internal/graphics") {
		t.Fatalf("%q", packages)
	}
	for _, p := range []string{
		"archive/zip", "go/build", "go/parser", "go/token", "regexp", "text/template", "compress/flate", engine + "/internal/shader", engine + "/internal/png",
	} {
		if slices.Contains(packages, p) {
			t.Errorf("the page has %s", p)
		}
	}
}

// An edit changes only what it names, and one that finds nothing is an error.
func TestEditsChangeWhatTheyName(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "one two one\nthree one\nfour\n")
	edits := []edit{
		{file: "a.go", from: "two", to: "2"},
		{file: "a.go", from: "one", to: "1", everywhere: true},
		{file: "a.go", from: "three", until: "\n", to: "3"},
		{file: "a.go", from: "ou", until: rest, to: "!"},
	}
	if err := edited(dir, edits); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a.go")); string(got) != "1 2 1\n3\nf!" {
		t.Errorf("%q", got)
	}
	if err := edited(dir, []edit{{file: "a.go", from: "1 2", until: "nowhere"}}); err == nil {
		t.Error("an edit without an end is no error")
	}
	write("zstd/encoder_options.go", "package zstd\n")
	if err := edited(dir, compressorEdits); err == nil || !strings.Contains(err.Error(), "encoder_options.go") {
		t.Error(err)
	}
}

// A different version of Ebitengine is an error.
func TestAnotherEngineIsRefused(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"internal/shaderir/type.go", "internal/shaderir/glsl/x", "internal/builtinshader/x", "internal/debug/x"} {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte("package other\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := withoutCompiler(dir); err == nil || !strings.Contains(err.Error(), "descendantLocalVars") {
		t.Error(err)
	}
}
