package scaffold

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// library is the path of Tickback's main module. Our other modules are below it.
const library = "github.com/tickback/tickback"

// modules lists our modules that a game can require, below the library's path.
var modules = []string{"", "/cmd", "/detlint", "/online", "/play"}

// source is where a new module gets Tickback from: a release, or a checkout.
type source struct {
	version  string // the version of the release; empty for a checkout
	checkout string // an absolute path
}

// String returns the version, or the path of the checkout.
func (s source) String() string {
	if s.version != "" {
		return "Tickback " + s.version
	}
	return "the checkout of Tickback in " + s.checkout
}

// findLibrary returns the requested checkout, or else the release that this program was built from, or else the
// checkout that it was built from.
func findLibrary(asked, release string) (source, error) {
	if asked != "" {
		dir, err := filepath.Abs(asked)
		if err == nil && !isCheckout(dir) {
			err = fmt.Errorf("--checkout %s: there is no checkout of Tickback (its go.mod, and cmd/go.mod)", asked)
		}
		return source{checkout: dir}, err
	}
	if release != "" {
		return source{version: release}, nil
	}
	_, file, _, _ := runtime.Caller(0)
	program, _ := os.Executable()
	here, _ := os.Getwd()
	for _, from := range []string{file, program, here} {
		if dir := above(from, isCheckout); dir != "" {
			return source{checkout: dir}, nil
		}
	}
	return source{}, fmt.Errorf("this program is of no release of Tickback, and the checkout that it was built from is gone: make one (git clone https://%s) and name it with --checkout", library)
}

// above returns the first of a directory and its parents for which wanted returns true, or "".
func above(path string, wanted func(dir string) bool) string {
	if !filepath.IsAbs(path) {
		return "" // the program was built with -trimpath
	}
	for dir := path; ; dir = filepath.Dir(dir) {
		if wanted(dir) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// isCheckout reports whether a directory is a checkout of Tickback.
func isCheckout(dir string) bool {
	for _, m := range []string{"", "/cmd", "/online"} {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(m), "go.mod"))
		if err != nil || !strings.HasPrefix(string(b), "module "+library+m+"\n") {
			return false
		}
	}
	return true
}

// workspaceAbove returns the go.work that the go command finds from a directory, if any.
func workspaceAbove(dir string) string {
	if os.Getenv("GOWORK") == "off" {
		return ""
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	found := above(dir, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "go.work"))
		return err == nil
	})
	if found == "" {
		return ""
	}
	return filepath.Join(found, "go.work")
}
