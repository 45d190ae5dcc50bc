package strict

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/strict/foreign"
	"github.com/tickback/tickback/cmd/cli/internal/strict/rewrite"
	"github.com/tickback/tickback/internal/rebuild"
	"github.com/tickback/tickback/portable/strict"
)

// Commands returns build, test and run, and a hidden command that the go command runs.
func Commands(a *console.App) []*cobra.Command {
	return []*cobra.Command{
		command(a, "build", "[packages]", "Build programs, with --strict for floats that are the same everywhere"),
		command(a, "test", "[packages]", "Test packages, with --strict for floats that are the same everywhere"),
		command(a, "run", "package [arguments]", "Build a program and run it, with --strict for floats that are the same everywhere"),
		{
			Use: rewrite.Name + " tool [arguments]", Short: "Runs a tool of Go's, for the go command", Hidden: true,
			DisableFlagParsing: true,
			RunE: func(_ *cobra.Command, args []string) error {
				if code := rewrite.Tool(args); code != 0 {
					return console.ErrReported
				}
				return nil
			},
		},
	}
}

func command(a *console.App, verb, operands, short string) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " [--strict] [flags] " + operands,
		Short: short,
		Long: "Is the command \"go " + verb + "\", with all its flags and packages, in the module of the working directory.\n\n" +
			"With --strict, among the flags, floats have the same bits on every machine, in everything that is linked:\n" +
			"no product is fused with a sum, and the functions of package math are rounded correctly, as those of\n" +
			"github.com/tickback/tickback/portable. A game with Floats: tickback.Strict plays in such a program only, and\n" +
			"with all of the same kind, whatever their processors and systems. It works for other systems (GOOS,\n" +
			"GOARCH, wasm too), vendored modules, workspaces, and with -gcflags, -ldflags and -overlay of your own.\n" +
			"C and assembly are not covered: a step that reaches them is refused. docs/floats.md says more.",
		Example:            "  " + a.Name + " " + verb + " --strict ./...\n  GOOS=js GOARCH=wasm " + a.Name + " build --strict -o web/game.wasm .",
		DisableFlagParsing: true, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			given, err := read(nil, args, verb == "test")
			t := tool{ctx: cmd.Context(), a: a, verb: verb, dir: given.chdir}
			if verb == "test" {
				t.told = given
			}
			if mistyped := meant(cmd.CommandPath(), args); mistyped != nil && !given.strict {
				return mistyped
			}
			switch {
			case !given.strict:
				return t.run(args) // the go command reports errors in the arguments
			case err != nil:
				return console.Usagef("%v", err)
			}
			return t.strict(args, given.modules())
		},
	}
}

// tool runs one command of the go command.
type tool struct {
	ctx  context.Context
	a    *console.App
	verb string
	dir  string     // the directory from -C; empty for the current one
	told *arguments // for go test: the arguments passed on to tests, so that they can build themselves for other targets
}

// strict runs the command for strict floats. modules are the flags that select the module.
func (t *tool) strict(given, modules []string) error {
	m, err := t.prepared(modules)
	if err != nil {
		return err
	}
	if s := m.Env.software(); s != "" {
		return console.Usagef("%s computes floats in software, which rounds sums of the least ones wrongly: strict builds need a processor with floats (such as GOARM=7, or GOMIPS=hardfloat)", s)
	}
	goflags, err := split(m.Env.GOFLAGS)
	if err != nil {
		return console.Failed(fmt.Errorf("GOFLAGS: %w", err))
	}
	args, err := read(goflags, given, t.verb == "test")
	if err != nil {
		return console.Usagef("%v", err)
	}
	file := m.Overlay
	var inner []string // options for our own tool
	switch {
	case m.Env.downloaded():
		inner = append(inner, rewrite.Math+"="+file)
		file = args.overlay
	case args.overlay != "":
		both, err := os.CreateTemp("", "tickback-overlay-*.json")
		if err != nil {
			return console.Failed(err)
		}
		defer os.Remove(both.Name())
		other := args.overlay
		if !filepath.IsAbs(other) {
			other = filepath.Join(t.dir, other)
		}
		if err := errors.Join(both.Close(), joined(both.Name(), file, other)); err != nil {
			return console.Failed(err)
		}
		file = both.Name()
	}
	flags, text := strict.CompilerFlags, strict.Text(m.Env.GOVERSION, m.Sum)
	if m.Sources {
		fmt.Fprintf(t.a.Stderr, "%s: the compiler cannot be told to fuse nothing, so that products are rounded in the sources of all packages\n", m.Env.GOVERSION)
		flags, text = "", strict.TextOfSources(m.Env.GOVERSION, m.Sum)
		inner = append(inner, rewrite.Products)
	}
	between, err := toolexec(m.Relay, inner)
	if err != nil {
		return console.Failed(err)
	}
	dir, err := filepath.Abs(t.dir)
	if err != nil {
		return console.Failed(err)
	}
	words := args.with(flags, "-X="+strict.Variable+"="+text, file, between)
	return t.run(words, foreign.Build{Dir: dir, Flags: args.chosen(), Files: args.files()}.Environment())
}

// prepared makes the sources of package math in the cache, for the module in which we work, with these flags about
// modules.
func (t *tool) prepared(modules []string) (m memo, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return m, console.Failed(fmt.Errorf("no place for the sources of package math: %w: set XDG_CACHE_HOME to a folder", err))
	}
	cache = filepath.Join(cache, "tickback", "strict")
	file, err := memoOf(cache, t.dir, modules)
	if err != nil {
		return m, console.Failed(err)
	}
	if m, ok := recalled(file); ok {
		return m, nil
	}
	if m.Env, err = t.environment(); err != nil {
		return m, err
	}
	parts, err := t.parts(modules)
	if err != nil {
		return m, err
	}
	if m.Sources, err = t.sources(); err != nil {
		return m, err
	}
	if m.Overlay, m.Sum, err = made(cache, m.Env.GOROOT, parts); err != nil {
		return m, console.Failed(fmt.Errorf("the sources of package math, in %s: %w", cache, err))
	}
	m.Relay = t.relay(cache, &m.Env)
	// The modules in use depend on the whole workspace.
	mods, err := t.output(slices.Concat([]string{"list", "-m", "-f", "{{.GoMod}}"}, modules)...)
	if err != nil {
		return m, err
	}
	m.watch(t.dir, parts, append(strings.Fields(string(mods)), modfiles(modules)...))
	m.remember(t.ctx, file)
	return m, nil
}

// toolexec returns the value of -toolexec, with which the go command runs its tools: this program, with its hidden
// command and these options, and before it the relay, if there is one.
func toolexec(relay string, options []string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	words := slices.Concat([]string{self, rewrite.Name}, options)
	if relay != "" {
		words = slices.Concat([]string{relay, rewrite.VersionWith(options)}, words)
	}
	for i, w := range words {
		switch {
		case !strings.ContainsAny(w, " \t\n\r'\""):
		case !strings.Contains(w, "'"):
			words[i] = "'" + w + "'"
		case !strings.Contains(w, `"`):
			words[i] = `"` + w + `"`
		default:
			return "", fmt.Errorf("the go command cannot be told to run %s: it has quotes of both kinds in its name", w)
		}
	}
	return strings.Join(words, " "), nil
}

// BySources is an environment variable that makes strict builds round products in the sources, as for a compiler
// without a flag for it.
const BySources = "TICKBACK_STRICT_SOURCES"

// sources reports whether the compiler has no flag to turn off fusing.
func (t *tool) sources() (bool, error) {
	if os.Getenv(BySources) != "" {
		return true, nil
	}
	dir, err := os.MkdirTemp("", "tickback-strict-*")
	if err != nil {
		return false, console.Failed(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "probe.go")
	if err := os.WriteFile(file, []byte("package probe\n"), 0o600); err != nil {
		return false, console.Failed(err)
	}
	cmd := exec.CommandContext(t.ctx, "go", "tool", "compile", "-p=probe", strict.CompilerFlags, "-o="+filepath.Join(dir, "probe.o"), file)
	cmd.Dir = t.dir
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return false, nil
	case bytes.Contains(out, []byte("unknown debug key")):
		return true, nil
	}
	return false, console.Failed(fmt.Errorf("go tool compile: %w: %s", err, inOneLine(string(out))))
}

// environment is part of the output of go env.
type environment struct {
	GOROOT, GOVERSION, GOFLAGS, GOENV, GOWORK, GOMODCACHE string
	GOARCH, GO386, GOARM, GOMIPS, GOMIPS64                string
}

// downloaded reports whether Go itself was downloaded as a module, because of a go.mod or GOTOOLCHAIN: the go command
// does not accept an overlay for files there.
func (e *environment) downloaded() bool {
	in, err := filepath.Rel(e.GOMODCACHE, e.GOROOT)
	return e.GOMODCACHE != "" && err == nil && filepath.IsLocal(in)
}

// software returns the setting with which floats are computed without the processor's floating-point unit, or "". Go's
// software floating point computes some sums of tiny numbers incorrectly: for two numbers below 2^-1020 that nearly
// cancel out, it returns half of the sum.
func (e *environment) software() string {
	setting := map[string][2]string{
		"386": {"GO386", e.GO386}, "arm": {"GOARM", e.GOARM}, "mips": {"GOMIPS", e.GOMIPS}, "mipsle": {"GOMIPS", e.GOMIPS}, "mips64": {"GOMIPS64", e.GOMIPS64},
		"mips64le": {"GOMIPS64", e.GOMIPS64},
	}[e.GOARCH]
	if strings.Contains(setting[1], "softfloat") || setting[0] == "GOARM" && setting[1] == "5" {
		return setting[0] + "=" + setting[1]
	}
	return ""
}

func (t *tool) environment() (e environment, err error) {
	out, err := t.output("env", "-json", "GOROOT", "GOVERSION", "GOFLAGS", "GOENV", "GOWORK", "GOMODCACHE", "GOARCH", "GO386", "GOARM", "GOMIPS", "GOMIPS64")
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(out, &e); err != nil {
		return e, console.Failed(fmt.Errorf("what go env says: %w", err))
	}
	return e, nil
}

// library is the package whose functions replace those of package math, and inner the packages that it is built on.
const (
	library = "github.com/tickback/tickback/portable"
	inner   = library + "/internal/wide"
)

// parts finds the sources of package portable, in the version that the current module uses.
func (t *tool) parts(modules []string) ([]part, error) {
	out, err := t.output(slices.Concat([]string{"list", "-find", "-f", "{{.ImportPath}}={{.Dir}}"}, modules, []string{inner, library})...)
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "go.mod file not found"):
		return nil, console.Failed(errors.New("there is no module here, nor above: a strict build needs that of the game, since package math becomes what the module's Tickback has"))
	case strings.Contains(err.Error(), "no required module provides") || strings.Contains(err.Error(), "cannot find module providing"):
		return nil, console.Failed(fmt.Errorf("the module here does not have %s, which is what package math becomes: import a package of Tickback, and run go mod tidy: %w", library, err))
	default:
		return nil, err
	}
	dirs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "=")
		dirs[path] = dir
	}
	if dirs[inner] == "" || dirs[library] == "" {
		return nil, console.Failed(fmt.Errorf("the module here has no %s", library))
	}
	return []part{{inner, "wide", dirs[inner]}, {library, "portable", dirs[library]}}, nil
}

// output runs the go command and returns its output.
func (t *tool) output(words ...string) ([]byte, error) {
	cmd := exec.CommandContext(t.ctx, "go", words...)
	cmd.Dir = t.dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, console.Failed(fmt.Errorf("go %s: %w: %s", words[0], err, inOneLine(errs.String())))
	}
	return out, nil
}

// inOneLine returns the output of the go command as it is printed in errors.
func inOneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, " ")
}

// run runs the go command with our streams and these additional environment variables; it prints its own errors.
func (t *tool) run(args []string, environment ...string) error {
	cmd := exec.CommandContext(t.ctx, "go", append([]string{t.verb}, args...)...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.a.Stdin, t.a.Output, t.a.Stderr
	if t.told != nil {
		by, err := rebuild.Here(t.dir, t.told.strict, t.told.builds())
		if err != nil {
			return console.Failed(err)
		}
		setting, err := by.Setting()
		if err != nil {
			return console.Failed(err)
		}
		cmd.Env = append(cmd.Env, setting)
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // lets it end in order
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &exit):
		return console.Failed(err)
	case t.ctx.Err() != nil:
		return t.ctx.Err()
	case exit.ExitCode() == 2:
		return console.ErrMisused
	}
	return console.ErrReported
}
