package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The Go that runs this has the one place in its templates that calls methods, once; with
// one that has it elsewhere the page is built all the same.
func TestTemplatesCallNoMethods(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay, err := withoutMethods(dir, strings.TrimSpace(string(goroot)))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(overlay); err != nil || !strings.Contains(string(text), "exec.go") {
		t.Errorf("%s, %v", text, err)
	}
	out, err := exec.Command("go", "build", "-overlay", overlay, "-gcflags=-e", "text/template").CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	other := filepath.Join(dir, "src", "text", "template")
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "exec.go"), []byte("package template\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if overlay, err := withoutMethods(dir, dir); overlay != "" || err != nil {
		t.Errorf("another Go: %q, %v", overlay, err)
	}
}

// A folder that is no checkout is named.
func TestBuildNeedsACheckout(t *testing.T) {
	dir := t.TempDir()
	if _, err := Build(t.Context(), dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}
