package strict_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// build builds a program with these arguments of the command line, and returns its path.
func build(t *testing.T, words ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program")
	words = append(append([]string{"build"}, words...), "-o", out, "./testdata/floats")
	if stdout, stderr, code := clitest.Run(t, nil, words...); code != 0 || stdout != "" {
		t.Fatalf("%v: exit code %d\n%s%s", words, code, stdout, stderr)
	}
	return out
}

// said returns the output of a program.
func said(t *testing.T, command ...string) (proof, hash, rest string) {
	t.Helper()
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	m := regexp.MustCompile(`^proof (.*)\nhash (.{16})\n(.*)\n$`).FindStringSubmatch(string(out))
	if err != nil || m == nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return m[1], m[2], m[3]
}

// Rule: programs that are built for strict floats give the same results, and the same proof, on every target that this
// machine can run; without that, they have no proof, and give other results where products are fused.
func TestStrictProgramsComeToTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the standard library for several targets")
	}
	proof, hash, _ := said(t, build(t, "--strict"))
	if !regexp.MustCompile(`^go\S+/3/[0-9a-f]{16} false$`).MatchString(proof) {
		t.Errorf("the proof is %q", proof)
	}
	if proof, other, _ := said(t, build(t)); !strings.HasSuffix(proof, " true") || other == hash {
		t.Errorf("without, the proof is %q, and the hash %s, with %s", proof, other, hash)
	}
	for _, target := range targets(t) {
		t.Run(target.name, func(t *testing.T) {
			target.needed(t)
			p, h, _ := said(t, target.command(build(t, "--strict"))...)
			if p != proof || h != hash {
				t.Errorf("strict: proof %q, hash %s; here %q, %s", p, h, proof, hash)
			}
		})
	}
}

// target is another platform whose programs this machine may be able to run.
type target struct {
	name string
	env  []string
	run  []string // in front of the program
	has  func() bool
}

func targets(t *testing.T) []target {
	list := []target{
		{name: "386", env: []string{"GOARCH=386"}, has: func() bool { return runtime.GOOS == "linux" && runtime.GOARCH == "amd64" }},
		{name: "amd64 v3", env: []string{"GOARCH=amd64", "GOAMD64=v3"}, has: func() bool { return runtime.GOARCH == "amd64" && fused(t) }},
		{name: "wasm", env: []string{"GOOS=js", "GOARCH=wasm"}, run: []string{filepath.Join(goroot(t), "lib", "wasm", "go_js_wasm_exec")}, has: has("node")},
	}
	emulated := map[string]string{"arm64": "aarch64", "s390x": "s390x"}
	if os.Getenv("TICKBACK_TARGETS") == "all" {
		maps.Copy(emulated, map[string]string{"riscv64": "riscv64", "ppc64le": "ppc64le", "arm": "arm", "mips": "mips", "loong64": "loongarch64"})
	}
	for arch, name := range emulated {
		qemu := "qemu-" + name + "-static"
		list = append(list, target{name: arch, env: []string{"GOARCH=" + arch}, run: []string{qemu}, has: has(qemu)})
	}
	return list
}

// needed skips a test if this machine cannot run programs for the target, and otherwise sets the environment to build for
// it.
func (g target) needed(t *testing.T) {
	t.Helper()
	if !g.has() {
		t.Skip("this machine cannot run it")
	}
	for _, v := range append(g.env, "CGO_ENABLED=0") {
		key, value, _ := strings.Cut(v, "=")
		t.Setenv(key, value)
	}
}

// command returns a command that runs a program of the target.
func (g target) command(program string) []string {
	return append(g.run[:len(g.run):len(g.run)], program)
}

// goroot returns where Go is installed. A program that was built with -trimpath does not know that.
func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func has(program string) func() bool {
	return func() bool { _, err := exec.LookPath(program); return err == nil }
}

// fused reports whether this processor runs programs for GOAMD64=v3.
func fused(t *testing.T) bool {
	b, err := os.ReadFile("/proc/cpuinfo")
	return err == nil && strings.Contains(string(b), " fma ") && strings.Contains(string(b), " avx2 ")
}

// Rule: additional flags for the compiler and the linker, and an overlay, have their effect in any form, and the build is
// still strict.
func TestOwnFlagsHoldAsWell(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := t.TempDir()
	here, err := filepath.Abs("testdata/floats/overlaid.go")
	if err != nil {
		t.Fatal(err)
	}
	other, list := filepath.Join(dir, "other.go"), filepath.Join(dir, "overlay.json")
	b, _ := json.Marshal(map[string]map[string]string{"Replace": {here: other}})
	for file, text := range map[string]string{other: "package main\n\nfunc overlaid() string { return \"overlaid\" }\n", list: string(b)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	proof, hash, _ := said(t, build(t, "--strict"))
	for _, words := range [][]string{
		{"--strict", "-overlay", list, "-ldflags=-s -X main.version=7", "-gcflags=-N -l"},
		{"-ldflags", "-X=main.version=7", "-overlay=" + list, "--strict", "-gcflags=all=-N"},
	} {
		p, h, rest := said(t, build(t, words...))
		if p != proof || h != hash || rest != "version 7, overlaid" {
			t.Errorf("%v: proof %s, hash %s, %s; without %s, %s", words, p, h, rest, proof, hash)
		}
	}
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+` '-ldflags=-s -X main.version=8'`)
	if p, h, rest := said(t, build(t, "--strict")); p != proof || h != hash || rest != "version 8, as it is" {
		t.Errorf("GOFLAGS: proof %s, hash %s, %s", p, h, rest)
	}
}

// Rule: the proof is about the files in the cache: damaged or missing ones are made again. A GOEXPERIMENT does not change
// the proof.
func TestDamagedCachesAreMadeAnew(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	t.Setenv("GOCACHE", strings.TrimSpace(string(out)))
	for _, v := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(v, cache)
	}
	proof, hash, _ := said(t, build(t, "--strict"))
	files, err := filepath.Glob(filepath.Join(cache, "*", "tickback", "strict", "*", "*"))
	if more, _ := filepath.Glob(filepath.Join(cache, "tickback", "strict", "*", "*")); err != nil || len(append(files, more...)) < 20 {
		t.Fatalf("%d files, %v", len(files)+len(more), err)
	} else {
		files = append(files, more...)
	}
	damages := []func(file string) error{
		os.Remove, func(file string) error { return os.WriteFile(file, nil, 0o600) },
		func(file string) error { return os.WriteFile(file, []byte("package math\n"), 0o600) },
	}
	for i, file := range files {
		if name := filepath.Base(file); name != "overlay.json" && name != "exp.go" && name != "strict_wide_num.go" {
			continue
		}
		if err := damages[i%len(damages)](file); err != nil {
			t.Fatal(err)
		}
		if p, h, _ := said(t, build(t, "--strict")); p != proof || h != hash {
			t.Errorf("%s is damaged: proof %s, hash %s; before %s, %s", file, p, h, proof, hash)
		}
	}
	t.Setenv("GOEXPERIMENT", "jsonv2")
	if p, h, _ := said(t, build(t, "--strict")); p != proof || h != hash {
		t.Errorf("an experiment: proof %s, hash %s; without %s, %s", p, h, proof, hash)
	}
}

// Rule: a Go version that the go command has downloaded, as the toolchain line of a go.mod requests, builds the same
// program. Its files are among the modules, where the go command accepts no overlay.
func TestADownloadedGoBuildsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the standard library")
	}
	proof, hash, _ := said(t, build(t, "--strict"))
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules, cache := strings.TrimSpace(string(out)), t.TempDir()
	links := map[string]string{filepath.Join(cache, "toolchain"): goroot(t)}
	entries, err := os.ReadDir(modules)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		links[filepath.Join(cache, e.Name())] = filepath.Join(modules, e.Name())
	}
	for link, to := range links {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOROOT", filepath.Join(cache, "toolchain"))
	program := build(t, "--strict", "-trimpath")
	if p, h, _ := said(t, program); p != proof || h != hash {
		t.Errorf("proof %s, hash %s; want %s, %s", p, h, proof, hash)
	}
	names := read(t, program)
	if !bytes.Contains(names, []byte("math/strict_portable_exp.go")) || bytes.Contains(names, []byte("go-build")) {
		t.Error("files of package math are not named as in Go's sources")
	}
	stdout, stderr, code := clitest.Run(t, nil, "test", "--strict", "-coverpkg=math", "-run=^$", "./testdata/game")
	if code != 1 || !strings.Contains(stdout+stderr, "coverage of package math cannot be measured") {
		t.Errorf("coverage of package math: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// Rule: in a module with vendored packages, the sources of package portable are present, since the engine needs them.
func TestVendoredModulesAreBuilt(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	proof, hash, _ := said(t, build(t, "--strict"))
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	const path = "github.com/tickback/tickback"
	sources, err := filepath.Glob("testdata/floats/*.go")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, required, _ := strings.Cut(string(mod), "\nrequire ")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module game\n\ngo 1.26.0\n\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + root + "\n\nrequire " + required,
		"go.sum":    string(sums),
		"engine.go": "package main\n\nimport _ \"" + path + "/rollback\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range sources {
		b, err := os.ReadFile(s)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(s)), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	if out, err := exec.Command("go", "mod", "vendor").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if stdout, stderr, code := clitest.Run(t, nil, "build", "--strict", "-mod=vendor", "-o", "program", "."); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if p, h, _ := said(t, "./program"); p != proof || h != hash {
		t.Errorf("proof %s, hash %s; want %s, %s", p, h, proof, hash)
	}
}

// Rule: a game that requires strict floats can be played under "test --strict", and is refused by name otherwise.
func TestGamesOfStrictFloatsAreTested(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a test")
	}
	stdout, stderr, code := clitest.Run(t, nil, "test", "-v", "--strict", "./testdata/game")
	if code != 0 || !strings.Contains(stdout, "--- PASS: TestGame") {
		t.Errorf("strict: exit code %d\n%s%s", code, stdout, stderr)
	}
	stdout, _, code = clitest.Run(t, nil, "test", "./testdata/game")
	if code != 1 || !strings.Contains(stdout, `test it by "go run github.com/tickback/tickback/cmd/tickback test --strict"`) {
		t.Errorf("without: exit code %d\n%s", code, stdout)
	}
}

// Rule: the arguments after a package that is run, or after -args, belong to the program, and without --strict the go
// command gets the given arguments.
func TestArgumentsOfProgramsAreTheirs(t *testing.T) {
	for _, words := range [][]string{
		{"run", "./nowhere", "--strict"}, {"run", "-n", "./nowhere", "-strict"}, {"test", "./nowhere", "-args", "--strict", "-o"},
	} {
		if _, stderr, code := clitest.Run(t, nil, words...); code == 0 || !strings.Contains(stderr, "nowhere") || strings.Contains(stderr, "flag") {
			t.Errorf("%v: exit code %d, %q", words, code, stderr)
		}
	}
	if _, stderr, code := clitest.Run(t, nil, "build", "-nonsense"); code != 2 || !strings.Contains(stderr, "-nonsense") {
		t.Errorf("a flag that there is not: exit code %d, %q", code, stderr)
	}
}

// Rule: errors are reported: flags that would undo strictness, a compiler that does not support it, a flag without its value, and a
// module without Tickback.
func TestWhatCannotBeStrictIsRefused(t *testing.T) {
	for _, c := range []struct {
		words []string
		code  int
		said  string
	}{
		{[]string{"build", "--strict", "-gcflags=-d=fmahash=y", "."}, 2, "which --strict gives"},
		{[]string{"test", "--strict", "./x", "-gcflags", "-d=fmahash=qy"}, 2, "which --strict gives"},
		{[]string{"build", "--strict", "-compiler=gccgo", "."}, 2, "only the compiler of the Go project"},
		{[]string{"build", "--strict", "-toolexec=env", "."}, 2, "-toolexec"},
		{[]string{"build", "--strict", "-gcflags=all=-d=softfloat", "."}, 2, "-gcflags has softfloat"},
		{[]string{"build", "--strict", "-o"}, 2, "flag needs an argument: -o"},
		{[]string{"build", "-gcflags=-d=fmahash=y", "--strict", "."}, 2, "which --strict gives"},
	} {
		if stdout, stderr, code := clitest.Run(t, nil, c.words...); code != c.code || stdout != "" || !strings.Contains(stderr, c.said) {
			t.Errorf("%v: exit code %d, %q, %q", c.words, code, stdout, stderr)
		}
	}
	for _, soft := range [][3]string{{"arm", "GOARM", "5"}, {"arm", "GOARM", "7,softfloat"}, {"386", "GO386", "softfloat"}, {"mipsle", "GOMIPS", "softfloat"}, {"mips64", "GOMIPS64", "softfloat"}} {
		t.Run(soft[0], func(t *testing.T) {
			t.Setenv("GOARCH", soft[0])
			t.Setenv(soft[1], soft[2])
			if _, stderr, code := clitest.Run(t, nil, "build", "--strict", "./testdata/floats"); code != 2 || !strings.Contains(stderr, soft[1]+"="+soft[2]+" computes floats in software") {
				t.Errorf("exit code %d, %q", code, stderr)
			}
		})
	}
	t.Setenv("GOWORK", "off")
	for _, c := range []struct{ name, mod, said string }{
		{"another module", "module other\n\ngo 1.26.0\n", "the module here does not have github.com/tickback/tickback/portable"},
		{"no module", "", "there is no module here"},
		{"no file of a module", "modul other\n", "go list: exit status 1: go: errors parsing go.mod"},
	} {
		dir := t.TempDir()
		if c.mod != "" {
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(c.mod), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		// The flag -C changes the directory of the go command, which requires it to be the first flag.
		for _, words := range [][]string{{"build", "--strict", "-C", dir, "."}, {"build", "-C=" + dir, "--strict", "."}} {
			if _, stderr, code := clitest.Run(t, nil, words...); code != 1 || strings.Contains(stderr, `\n`) || !strings.Contains(stderr, ": "+c.said) {
				t.Errorf("%s, %v: exit code %d, %q", c.name, words, code, stderr)
			}
		}
	}
}
