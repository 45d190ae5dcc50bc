package page

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Ebitengine compiles its shaders when it starts, with the parser of Go, templates and regular expressions: a tenth
// of the program. The page uses no other shaders, so they are compiled when it is built. For that, a copy of
// Ebitengine writes them into a file, and the compiler is removed from the copy.
const engine = "github.com/hajimehoshi/ebiten/v2"

// compressor is the module that contains zstd.
const compressor = "github.com/klauspost/compress"

//go:embed ebitengine
var replacements embed.FS

// replaced are files of Ebitengine, with their replacements.
var replaced = map[string]string{
	"program.go.txt":       "internal/shaderir/program.go",
	"glsl.go.txt":          "internal/shaderir/glsl/glsl.go",
	"builtinshader.go.txt": "internal/builtinshader/shader.go",
	"caller.go.txt":        "internal/debug/caller.go",
	"dumper.go.txt":        "imagedumper.go",
}

// unneeded are files and folders that nothing needs once the shaders are compiled, as long as nobody dumps pictures.
var unneeded = []string{
	"internal/shader", "internal/shaderir/check.go", "internal/shaderir/glsl/type.go", "internal/builtinshader/defs.go", "internal/png",
}

// edit is a replacement of text in a file of a library, once or everywhere. It is an error if the text does not
// occur.
type edit struct {
	file string
	// from is the text to replace, including what follows it up to until, which may be rest.
	from, until string
	to          string
	everywhere  bool
}

// rest is the end of a file.
const rest = "the rest of the file"

// engineEdits remove helpers of the compiler from Ebitengine, and dumps of pictures for its authors with their
// encoder, and turn its table of keys into a loop: 140 calls are 70 kB of program.
var engineEdits = []edit{
	{file: "internal/shaderir/type.go", from: "func descendantLocalVars(", until: rest},
	{file: "internal/graphicscommand/image_js.go", from: "\t\"archive/zip\"\n"},
	{
		file: "internal/graphicscommand/image_js.go", from: "func DumpImages(", until: rest,
		to: "func DumpImages([]*Image, graphicsdriver.Graphics, string) (string, error) { return \"\", nil }\n",
	},
	{file: "internal/graphicscommand/image.go", from: "\t\"github.com/hajimehoshi/ebiten/v2/internal/png\"\n"},
	{file: "internal/graphicscommand/image.go", from: "png.Encode(w, ", to: "unwritten(w, "},
	{
		file: "internal/graphicscommand/image.go", from: "func LogImagesInfo(",
		to: "func unwritten(io.Writer, image.Image) error { return nil }\n\nfunc LogImagesInfo(",
	},
	{file: "internal/ui/keys_js.go", from: "= map[Key]js.Value{", to: "= valued([]string{"},
	{file: "internal/ui/keys_js.go", from: "js.ValueOf(\"", to: "\"", everywhere: true},
	{file: "internal/ui/keys_js.go", from: "\"),\n", to: "\",\n", everywhere: true},
	{file: "internal/ui/keys_js.go", from: "\n}\n", to: `
})

func valued(names []string) map[Key]js.Value {
	values := make(map[Key]js.Value, len(names))
	for key, name := range names {
		if name != "" {
			values[Key(key)] = js.ValueOf(name)
		}
	}
	return values
}
`},
}

// compressorEdits keep two of zstd's four encoders, which recordings and pieces use, and remove dictionaries from
// both.
var compressorEdits = []edit{
	{file: "zstd/encoder_options.go", from: "func (o encoderOptions) encoder() encoder {", until: "// WithEncoderCRC", to: `func (o encoderOptions) encoder() encoder {
	fast := fastEncoder{fastBase: fastBase{
		maxMatchOff: int32(o.windowSize), bufferReset: math.MaxInt32 - int32(o.windowSize*2), lowMem: o.lowMem,
	}}
	switch {
	case o.dict == nil && o.level == SpeedFastest:
		return &fast
	case o.dict == nil && o.level == SpeedDefault:
		return &doubleFastEncoder{fastEncoder: fast}
	}
	panic("the page has no such encoder")
}

`},
}

// precompiled writes a copy of Ebitengine with compiled shaders to dir, a copy of zstd with what the page needs from
// it, and a workspace of the checkout that uses both, whose name it returns.
func precompiled(ctx context.Context, dir, root string) (workspace string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the page's libraries cannot be made small: %w", err)
		}
	}()
	root, err = filepath.Abs(root)
	if err != nil {
		return "", err
	}
	copies := []library{
		{engine, filepath.Join(dir, "ebitengine"), func(path string) bool { return path != "cmd" && path != "examples" && path != ".github" }},
		{compressor, filepath.Join(dir, "zstd"), func(path string) bool {
			top, _, _ := strings.Cut(filepath.ToSlash(path), "/")
			return slices.Contains([]string{".", "zstd", "fse", "huff0", "internal"}, top)
		}},
	}
	for _, l := range copies {
		if err := l.copied(ctx, root); err != nil {
			return "", err
		}
	}
	if err := edited(copies[1].dir, compressorEdits); err != nil {
		return "", err
	}
	if workspace, err = workspaceWith(dir, root, copies); err != nil {
		return "", err
	}
	if err := generate(ctx, copies[0].dir, workspace); err != nil {
		return "", err
	}
	return workspace, withoutCompiler(copies[0].dir)
}

// library is a module that is copied to be edited.
type library struct {
	module, dir string
	// has reports whether the page may need this folder, relative to the root of the module.
	has func(path string) bool
}

// copied copies what the page may need from the library: sources without tests.
func (l library) copied(ctx context.Context, root string) error {
	from, err := output(ctx, root, "list", "-m", "-f", "{{.Dir}}", l.module)
	if err != nil {
		return err
	}
	if from == "" { // it is not downloaded yet
		if _, err := output(ctx, root, "mod", "download", l.module); err != nil {
			return err
		}
		if from, err = output(ctx, root, "list", "-m", "-f", "{{.Dir}}", l.module); err != nil {
			return err
		}
	}
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if !l.has(path) || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(l.dir, path), 0o755)
		}
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(l.dir, path), data, 0o600)
	})
}

// workspaceWith writes a workspace of the checkout's modules that the page consists of, with other versions of
// libraries.
func workspaceWith(dir, root string, copies []library) (string, error) {
	var b strings.Builder
	b.WriteString("go 1.26.0\n")
	for _, module := range []string{".", "online", "play"} {
		fmt.Fprintf(&b, "use %q\n", filepath.Join(root, module))
	}
	for _, l := range copies {
		fmt.Fprintf(&b, "replace %s => %q\n", l.module, l.dir)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.work.sum"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	name := filepath.Join(dir, "go.work")
	return name, errors.Join(os.WriteFile(name, []byte(b.String()), 0o600), os.WriteFile(name+".sum", sums, 0o600))
}

// generate makes a copy of Ebitengine compile its shaders.
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

// withoutCompiler removes the compiler from a copy of Ebitengine.
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
	for _, name := range unneeded {
		if err := os.RemoveAll(filepath.Join(engineDir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return edited(engineDir, engineEdits)
}

// edited edits the files of a library in a folder.
func edited(dir string, edits []edit) error {
	for _, e := range edits {
		name := filepath.Join(dir, filepath.FromSlash(e.file))
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		before, after, found := strings.Cut(string(data), e.from)
		if found && e.until == rest {
			after = ""
		} else if found && e.until != "" {
			_, after, found = strings.Cut(after, e.until)
			after = e.until + after
		}
		if !found {
			return fmt.Errorf("this version of the library has no %q in %s", e.from, e.file)
		}
		if e.everywhere {
			after = strings.ReplaceAll(after, e.from, e.to)
		}
		if err := os.WriteFile(name, []byte(before+e.to+after), 0o600); err != nil {
			return err
		}
	}
	return nil
}
