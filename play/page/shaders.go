package page

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Ebitengine compiles its shaders when it starts, with the parser of Go, templates and regular expressions:
// a tenth of the program. The page uses no other shaders, so that they are compiled when it is built. For
// that, a copy of Ebitengine writes them into a file of its own, and loses the compiler.
const engine = "github.com/hajimehoshi/ebiten/v2"

//go:embed ebitengine
var replacements embed.FS

// replaced are files of Ebitengine, by what replaces them.
var replaced = map[string]string{
	"program.go.txt":       "internal/shaderir/program.go",
	"glsl.go.txt":          "internal/shaderir/glsl/glsl.go",
	"builtinshader.go.txt": "internal/builtinshader/shader.go",
	"caller.go.txt":        "internal/debug/caller.go",
}

// compilers are what nothing needs once the shaders are compiled.
var compilers = []string{"internal/shader", "internal/shaderir/check.go", "internal/shaderir/glsl/type.go", "internal/builtinshader/defs.go"}

// cuts are ends of files of Ebitengine, by where they begin, and the imports that go with them: helpers of the
// compiler, and a dump of all images for its authors.
var cuts = []struct {
	file, from, end string
	imports         []string
}{
	{"internal/shaderir/type.go", "func descendantLocalVars(", "", nil},
	{
		"internal/graphicscommand/image_js.go", "func DumpImages(",
		"func DumpImages([]*Image, graphicsdriver.Graphics, string) (string, error) { return \"\", nil }\n",
		[]string{"archive/zip"},
	},
}

// precompiled writes into dir a copy of Ebitengine with compiled shaders, and a workspace of the checkout that
// uses it, whose name it returns.
func precompiled(ctx context.Context, dir, root string) (workspace string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the shaders cannot be compiled: %w", err)
		}
	}()
	root, err = filepath.Abs(root)
	if err != nil {
		return "", err
	}
	source, err := output(ctx, root, "list", "-m", "-f", "{{.Dir}}", engine)
	if err != nil {
		return "", err
	}
	if source == "" { // it was not downloaded yet
		if _, err := output(ctx, root, "mod", "download", engine); err != nil {
			return "", err
		}
		if source, err = output(ctx, root, "list", "-m", "-f", "{{.Dir}}", engine); err != nil {
			return "", err
		}
	}
	to := filepath.Join(dir, "ebitengine")
	if err := copied(to, source); err != nil {
		return "", err
	}
	if workspace, err = workspaceWith(dir, root, to); err != nil {
		return "", err
	}
	if err := generate(ctx, to, workspace); err != nil {
		return "", err
	}
	return workspace, withoutCompiler(to)
}

// copied copies what the page may need of Ebitengine: its sources without tests, examples and commands.
func copied(to, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch path {
			case "cmd", "examples", ".github":
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, path), 0o755)
		}
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), data, 0o600)
	})
}

// workspaceWith writes a workspace of the checkout's modules that the page consists of, with another Ebitengine.
func workspaceWith(dir, root, engineDir string) (string, error) {
	var b strings.Builder
	b.WriteString("go 1.26.0\n")
	for _, module := range []string{".", "online", "play"} {
		fmt.Fprintf(&b, "use %q\n", filepath.Join(root, module))
	}
	fmt.Fprintf(&b, "replace %s => %q\n", engine, engineDir)
	sums, err := os.ReadFile(filepath.Join(root, "go.work.sum"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	name := filepath.Join(dir, "go.work")
	return name, errors.Join(os.WriteFile(name, []byte(b.String()), 0o600), os.WriteFile(name+".sum", sums, 0o600))
}

// generate lets a copy of Ebitengine compile its shaders.
func generate(ctx context.Context, engineDir, workspace string) error {
	program, err := replacements.ReadFile("ebitengine/generate.go.txt")
	if err != nil {
		return err
	}
	command := filepath.Join(engineDir, "internal", "precompile")
	if err := os.Mkdir(command, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(command, "main.go"), program, 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "run", engine+"/internal/precompile")
	cmd.Dir, cmd.Stderr = filepath.Dir(workspace), os.Stderr
	cmd.Env = append(os.Environ(), "GOWORK="+workspace, "CGO_ENABLED=0")
	shaders, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go run: %w", err)
	}
	return os.WriteFile(filepath.Join(engineDir, "internal", "graphics", "shader.go"), shaders, 0o600)
}

// withoutCompiler takes the compiler out of a copy of Ebitengine.
func withoutCompiler(engineDir string) error {
	for from, name := range replaced {
		data, err := replacements.ReadFile("ebitengine/" + from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(engineDir, filepath.FromSlash(name)), data, 0o600); err != nil {
			return err
		}
	}
	for _, name := range compilers {
		if err := os.RemoveAll(filepath.Join(engineDir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for _, c := range cuts {
		name := filepath.Join(engineDir, filepath.FromSlash(c.file))
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		before, _, found := bytes.Cut(data, []byte(c.from))
		if !found {
			return fmt.Errorf("this version of Ebitengine has no %q in %s", c.from, c.file)
		}
		for _, path := range c.imports {
			before = bytes.Replace(before, []byte("\t\""+path+"\"\n"), nil, 1)
		}
		if err := os.WriteFile(name, append(before, c.end...), 0o600); err != nil {
			return err
		}
	}
	return nil
}
