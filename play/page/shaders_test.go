package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What the page is built of has all shaders, compiled, and nothing that compiles or fills in texts.
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
	for _, p := range []string{"archive/zip", "go/build", "go/parser", "go/token", "regexp", "text/template", engine + "/internal/shader"} {
		if slices.Contains(packages, p) {
			t.Errorf("the page has %s", p)
		}
	}
}

// An Ebitengine that is not as it was is an error.
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
