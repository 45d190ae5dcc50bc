package scaffold

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
)

// starter holds the files of the module to be written, with their names in this repository, in all forms. They are
// listed so that build output in the folder does not get into this program. Those that end in .txt are code that needs a
// library that this repository does not build here.
//
//go:embed starter/.gitignore starter/README.md starter/*.go starter/rules/*.go starter/room/*.go starter/page/*.go starter/window/*.txt starter/pack/*.go starter/web/index.html starter/web/boot.js
var starter embed.FS

const (
	starterPath = library + "/cmd/cli/internal/scaffold/starter"
	starterName = "starter"
	goVersion   = "1.26.0" // that Tickback needs

	// What a window needs.
	ebitengine = "github.com/hajimehoshi/ebiten/v2 v2.9.10"
	oto        = "github.com/ebitengine/oto/v3 v3.4.1"
)

// module is a module to be made.
type module struct {
	name, dir string
	library   source
	empty     bool // whether to write only go.mod
	form      form
}

// make writes the module and completes its go.mod. The module gets its name last.
func (m *module) make(ctx context.Context, goCommand string) (err error) {
	if _, err := os.Lstat(m.dir); err == nil {
		return fmt.Errorf("%s exists already: give another name, or another --dir", m.dir)
	}
	parent, err := filepath.Abs(filepath.Dir(m.dir))
	if err != nil {
		return err
	}
	if parent, err = filepath.EvalSymlinks(parent); err != nil {
		return fmt.Errorf("cannot make %s: %s: %w", m.dir, filepath.Dir(m.dir), disk.Bare(err))
	}
	if in := above(parent, isCheckout); in != "" {
		return fmt.Errorf("cannot make %s in the checkout of Tickback in %s: make it elsewhere, such as beside it", m.dir, in)
	}
	// The temporary folder is beside the final one, so that renaming is enough, and relative paths stay valid.
	part := filepath.Join(parent, fmt.Sprintf("%s.%d.part", filepath.Base(m.dir), os.Getpid()))
	if err := os.Mkdir(part, 0o777); err != nil {
		return fmt.Errorf("cannot make %s: %w", m.dir, disk.Bare(err))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(part))
		}
	}()
	if err := m.write(part, parent); err != nil {
		return fmt.Errorf("cannot write %s: %w", m.dir, disk.Bare(err))
	}
	if !m.empty {
		if err := tidy(ctx, goCommand, part); err != nil {
			return err
		}
	}
	if err := os.Rename(part, m.dir); err != nil {
		return fmt.Errorf("cannot make %s: %w", m.dir, disk.Bare(err))
	}
	return nil
}

// write writes the files.
func (m *module) write(dir, parent string) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(m.goMod(parent)), 0o666); err != nil {
		return err
	}
	if m.empty {
		return nil
	}
	files, err := m.form.files()
	if err != nil {
		return err
	}
	for name, text := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(m.named(text)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// named replaces the names of the starter by those of the new module, in the text of a file.
func (m *module) named(text string) string {
	return strings.NewReplacer(starterPath, m.name, starterName, gameName(m.name)).Replace(text)
}

// goMod returns the part of the new module's go.mod that we write ourselves. With a checkout it replaces all our
// modules, since each one that is required requires others.
func (m *module) goMod(parent string) string {
	text := fmt.Sprintf("module %s\n\ngo %s\n", m.name, goVersion)
	version := m.library.version
	if version == "" {
		version = "v0.0.0" // any version will do, since it is replaced
	}
	if !m.empty || m.library.version != "" {
		text += fmt.Sprintf("\nrequire (\n\t%[1]s %[2]s\n\t%[1]s/cmd %[2]s\n\t%[1]s/online %[2]s\n", library, version)
		if m.form.window {
			text += "\t" + oto + "\n\t" + ebitengine + "\n"
		}
		text += ")\n"
	}
	if m.library.checkout == "" {
		return text
	}
	at := m.checkoutFrom(parent)
	text += "\n// A checkout of Tickback in place of a release.\nreplace (\n"
	for _, below := range modules {
		text += fmt.Sprintf("\t%s => %s\n", library+below, quoted(at+below))
	}
	return text + ")\n"
}

// checkoutFrom returns the path of the checkout from the module: a relative path if the two are in the same folder, so
// that they can be moved together.
func (m *module) checkoutFrom(parent string) string {
	checkout := m.library.checkout
	if real, err := filepath.EvalSymlinks(checkout); err == nil {
		checkout = real
	}
	if filepath.Dir(checkout) == parent {
		return "../" + filepath.Base(checkout)
	}
	return filepath.ToSlash(checkout)
}

// quoted returns a path in the form that go.mod requires.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t\"'`()[]{},;") || strings.Contains(path, "//") {
		return strconv.Quote(path)
	}
	return path
}

// tidy makes the go command complete go.mod and write go.sum.
func tidy(ctx context.Context, goCommand, dir string) error {
	cmd := exec.CommandContext(ctx, goCommand, "mod", "tidy")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "PWD="+dir)
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return console.ErrInterrupted
	case err != nil:
		return fmt.Errorf("go mod tidy: %w: %s", err, lastLines(string(out)))
	}
	return nil
}

// lastLines returns the end of a program's output, in one line.
func lastLines(out string) string {
	const most = 3
	lines := strings.Split(strings.TrimSpace(out), "\n")
	lines = lines[max(len(lines)-most, 0):]
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "; ")
}
