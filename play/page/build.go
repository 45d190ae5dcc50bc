package page

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tickback/tickback/play/page/slim"
)

// Options configure the build of a page.
type Options struct {
	// Lines keeps the information about lines, files and inlined calls in the program, for traces of panics, which
	// makes the page a fifth larger. Without it traces only name functions.
	Lines bool
}

// Build builds the page's program from the checkout with this root, and reads the other parts. The go command prints
// its errors on stderr.
func Build(ctx context.Context, root string, o Options) (Parts, error) {
	var s Parts
	goroot, err := output(ctx, root, "env", "GOROOT")
	if err != nil {
		return s, err
	}
	web := filepath.Join(root, "play", "web")
	for _, f := range []struct {
		to   *[]byte
		path string
	}{
		{&s.Exec, filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")},
		{&s.Index, filepath.Join(web, "index.html")},
		{&s.Loader, filepath.Join(web, "loader.js")},
		{&s.Mirror, filepath.Join(web, "mirror.js")},
		{&s.Writer, filepath.Join(web, "writer.js")},
		{&s.Worker, filepath.Join(web, Worker)},
	} {
		if *f.to, err = read(f.path); err != nil {
			return s, err
		}
	}
	for _, f := range []struct {
		name, path string
		loaded     bool
	}{
		{"icon.svg", filepath.Join(web, "icon.svg"), true},
		{"manifest.webmanifest", filepath.Join(web, "manifest.webmanifest"), true},
		{"icon-192.png", filepath.Join(web, "icon-192.png"), false},
		{"icon-512.png", filepath.Join(web, "icon-512.png"), false},
		{"preview.jpg", filepath.Join(root, "docs", "images", "arena.jpg"), false},
		{Notices, filepath.Join(web, Notices), false},
	} {
		data, err := read(f.path)
		if err != nil {
			return s, err
		}
		s.Beside = append(s.Beside, File{f.name, data, f.loaded})
	}
	s.Wasm, err = program(ctx, root)
	if err != nil || o.Lines {
		return s, err
	}
	small, err := slim.Program(s.Wasm)
	if errors.Is(err, slim.ErrLayout) { // with another version of Go the page is larger, but works
		fmt.Fprintln(os.Stderr, "the page keeps the lines of its functions:", err)
		return s, nil
	}
	s.Wasm = small
	return s, err
}

func read(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the page cannot be built: %w", err)
	}
	return data, nil
}

// program builds the program without debug information.
func program(ctx context.Context, root string) (wasm []byte, err error) {
	dir, err := os.MkdirTemp("", "tickback-page")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	workspace, err := precompiled(ctx, dir, root)
	if err != nil {
		return nil, err
	}
	to := filepath.Join(dir, "tickback.wasm")
	args := []string{"build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", to, "-gcflags=all=-l -dwarf=false"}
	for _, pattern := range fast {
		args = append(args, "-gcflags="+pattern+"=-dwarf=false")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./play/cmd/tickback-play")...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK="+workspace, "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the page's program cannot be built: go build: %w", err)
	}
	return os.ReadFile(to)
}

// fast are the packages that are built with inlining, since each frame or picture waits for them: those that compute
// frames or draw, and the packages of Go that these use. All others are built without, which makes them smaller.
var fast = []string{
	"runtime/...", "internal/abi", "internal/bytealg", "internal/runtime/...", "internal/sync", "internal/reflectlite",
	"bytes", "cmp", "errors", "iter", "maps", "math", "math/bits", "slices", "sort", "strings", "sync/...", "syscall/js", "unicode/utf8",
	"github.com/zeebo/xxh3",
	ebitengine, ebitengine + "/internal/affine", ebitengine + "/internal/atlas", ebitengine + "/internal/buffered",
	ebitengine + "/internal/graphics", ebitengine + "/internal/graphicscommand", ebitengine + "/internal/graphicsdriver/...",
	ebitengine + "/internal/mipmap", ebitengine + "/internal/packing", ebitengine + "/internal/restorable",
	ours + "/canon", ours + "/fixed", ours + "/rng", ours + "/rollback/...", ours + "/games/...", ours + "/world/...", ours + "/predict/...",
	ours + "/session", ours + "/session/inputs", ours + "/session/reliable", ours + "/wire/...",
	ours + "/play/draw", ours + "/play/sound", ours + "/play/arenaview", ours + "/play/duelview", ours + "/play/skirmishview", ours + "/play/tanksview",
}

const ebitengine = "github.com/hajimehoshi/ebiten/v2"

const ours = "github.com/tickback/tickback"

// output returns the output of a go command.
func output(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
