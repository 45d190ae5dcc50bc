package strict

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/strict/rewrite"
	"github.com/tickback/tickback/portable/strict"
)

// A memo stores the output of the go command about a folder, and what was made from it: running these commands takes
// longer than a build that has nothing to do. It is valid until one of the files on which it depends changes.
type memo struct {
	Env     environment
	Overlay string
	Sum     string
	Sources bool   // whether products are rounded in the sources
	Relay   string // the program that answers for this one; empty: there is none
	Files   map[string]stamp
}

// makers are the sources of the code that makes package math: a memo of a command with other code is not valid for
// this one.
//
//go:embed math.go merge.go overlay.go
var makers embed.FS

var madeBy = sync.OnceValue(func() string {
	h := sha256.New()
	entries, _ := makers.ReadDir(".")
	for _, e := range entries {
		text, _ := makers.ReadFile(e.Name())
		fmt.Fprintf(h, "%s %d\n%s", e.Name(), len(text), text)
	}
	h.Write(relaySource)
	return hex.EncodeToString(h.Sum(nil))
})

// stamp identifies a version of a file; it is zero for a file that does not exist.
type stamp struct {
	Size     int64
	Modified time.Time
}

func stampOf(file string) stamp {
	info, err := os.Stat(file)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

// memoOf returns the path of the memo for a folder with these flags, in this environment.
func memoOf(cache, dir string, flags []string) (file string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, madeBy(), strict.Rules, rewrite.Version, runtime.GOOS, runtime.GOARCH, dir, flags)
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "GO") || strings.HasPrefix(v, "PATH=") || strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "XDG_") || strings.HasPrefix(v, BySources) {
			fmt.Fprintln(h, v)
		}
	}
	return filepath.Join(cache, "memo-"+hex.EncodeToString(h.Sum(nil)[:16])+".json"), nil
}

// recalled returns a stored memo, if it is still valid.
func recalled(file string) (m memo, ok bool) {
	b, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(b, &m) != nil || len(m.Files) == 0 {
		return m, false
	}
	for name, was := range m.Files {
		if now := stampOf(name); now.Size != was.Size || !now.Modified.Equal(was.Modified) {
			return m, false
		}
	}
	return m, true
}

// remember stores the memo. A failure only costs time.
func (m *memo) remember(ctx context.Context, file string) {
	b, err := json.Marshal(m)
	if err != nil {
		return
	}
	f, err := disk.Beside(file, 0o644)
	if err != nil {
		return
	}
	defer f.Discard()
	_ = f.Commit(ctx, func() error {
		_, err := f.Write(b)
		return err
	})
}

// around are files in a folder, or in one above it, that determine what is built, and with which version of Go. The
// last ones matter if the go command in the path belongs to a version manager.
var around = []string{"go.mod", "go.work", "vendor/modules.txt", ".go-version", ".tool-versions", "mise.toml"}

// watch records the files on which the memo depends: the go command and its settings, those of modules, files around
// the folder that would make it a module or a workspace, the sources of package math, and their replacements.
func (m *memo) watch(dir string, parts []part, modules []string) {
	m.Files = map[string]stamp{}
	note := func(file string) { m.Files[file] = stampOf(file) }
	if path, err := exec.LookPath("go"); err == nil {
		note(path)
	}
	note(filepath.Join(m.Env.GOROOT, "VERSION"))
	for _, file := range []string{m.Env.GOENV, m.Env.GOWORK} {
		if file != "" && file != "off" {
			note(file)
		}
	}
	for _, file := range modules {
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		note(file)
		note(strings.TrimSuffix(file, ".mod") + ".sum")
	}
	if at, err := filepath.Abs(dir); err == nil {
		for up := ""; at != up; at, up = filepath.Dir(at), at {
			for _, name := range around {
				note(filepath.Join(at, name))
			}
		}
	}
	folders := []string{filepath.Join(m.Env.GOROOT, "src", "math"), filepath.Dir(m.Overlay)}
	for _, p := range parts {
		folders = append(folders, p.dir)
	}
	for _, dir := range folders {
		note(dir)
		names, _ := sourcesOf(dir)
		for _, n := range names {
			note(filepath.Join(dir, n))
		}
	}
	note(m.Overlay)
	if m.Relay != "" {
		note(m.Relay)
	}
}
