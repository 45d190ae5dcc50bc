package rebuild

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Rule: the other level of amd64 is one target, and another architecture that the machine runs, or an emulator does, is the other.
func TestOtherTargets(t *testing.T) {
	nothing := func(string, string) (string, bool) { return "", false }
	emulated := func(system, arch string) (string, bool) { return "qemu-" + arch, system == "linux" }
	v1, v3, arm := Target{arch: "amd64", level: "v1"}, Target{arch: "amd64", level: "v3"}, Target{arch: "arm64"}
	for _, c := range []struct {
		host, here string
		self       Target
		runs       func(system, arch string) (string, bool)
		want       string
	}{
		{"linux/amd64", "linux/amd64", v1, nothing, "[amd64 v3]"},
		{"linux/amd64", "linux/amd64", v3, nothing, "[amd64 v1]"},
		{"linux/amd64", "linux/amd64", v1, emulated, "[amd64 v3 arm64 by qemu-arm64]"},
		{"linux/amd64", "linux/arm64", arm, nothing, "[amd64 v1]"}, // which is emulated itself
		{"linux/arm64", "linux/arm64", arm, emulated, "[amd64 v1 by qemu-amd64]"},
		{"linux/arm64", "linux/arm64", arm, nothing, "[]"},
		{"linux/amd64", "linux/riscv64", Target{arch: "riscv64"}, nothing, "[amd64 v1]"},
		{"windows/amd64", "windows/amd64", v1, emulated, "[amd64 v3]"},
	} {
		var got []string
		for _, g := range others(c.host, c.here, c.self, c.runs) {
			if text := g.String(); g.emulator == "" {
				got = append(got, text)
			} else {
				got = append(got, text+" by "+g.emulator)
			}
		}
		if text := fmt.Sprint(got); text != c.want {
			t.Errorf("%s on %s, a test for %v: %s, want %s", c.here, c.host, c.self, text, c.want)
		}
	}
}

// Rule: a command comes through the environment as it was; what is none is refused.
func TestCommandsComeThroughTheEnvironment(t *testing.T) {
	c, err := Here(t.TempDir(), true, []string{"-tags=a b", `-ldflags=-X "x=y"`})
	if err != nil {
		t.Fatal(err)
	}
	setting, err := c.Setting()
	if err != nil {
		t.Fatal(err)
	}
	name, value, _ := strings.Cut(setting, "=")
	t.Setenv(name, value)
	if got, err := FromEnvironment(); err != nil || got.Program != c.Program || got.Dir != c.Dir || !got.Strict || !slices.Equal(got.Flags, c.Flags) || got.Host != host() {
		t.Errorf("%+v, %v; want %+v", got, err, c)
	}
	for _, bad := range []string{"{", "[]", "{}", `{"Program":"tickback","Dir":"/"}`} {
		t.Setenv(Variable, bad)
		if _, err := FromEnvironment(); err == nil || errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	t.Setenv(Variable, "")
	if _, err := FromEnvironment(); !errors.Is(err, ErrUnknown) {
		t.Errorf("without: %v", err)
	}
}

// Rule: what a command says is kept to its end, within a bound, and without what a terminal would obey.
func TestTheEndOfWhatIsSaidIsKept(t *testing.T) {
	var out tail
	for _, text := range []string{strings.Repeat("a", 3*mostSaid), "b\x1b[31m", strings.Repeat("c", mostSaid-2)} {
		if n, err := out.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := Printable(string(out.bytes)); got != "1m"+strings.Repeat("c", mostSaid-2) {
		t.Errorf("%d bytes, %.10q", len(got), got)
	}
	if got := Printable("x\x1b[0m\xff\tü\n\u202e\x00"); got != "x[0m?\tü\n" {
		t.Errorf("%q", got)
	}
}

// Rule: a program that is not for this machine is told from one that fails.
func TestAProgramThatCannotRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte("\x7fELF of something else"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Self().Run(t.Context(), file, t.TempDir(), nil, nil); !errors.Is(err, ErrCannotRun) {
		t.Errorf("no program: %v", err)
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	refused := "echo This program can only be run on AMD64 processors with v3 microarchitecture support. >&2; exit 1"
	if err := Self().Run(t.Context(), shell, t.TempDir(), []string{"-c", refused}, nil); !errors.Is(err, ErrCannotRun) || !strings.Contains(err.Error(), "v3") {
		t.Errorf("another level: %v", err)
	}
	err = Self().Run(t.Context(), shell, t.TempDir(), []string{"-c", "echo $SETTING; exit 3"}, []string{"SETTING=said so"})
	if err == nil || errors.Is(err, ErrCannotRun) || !strings.Contains(err.Error(), "exit status 3:\nsaid so") {
		t.Errorf("one that fails: %v", err)
	}
}

// list is what go list would say.
const list = `
{"ImportPath":"math","Standard":true,"SFiles":["exp_amd64.s"]}
{"ImportPath":"fast","Imports":["math","c"],"GoFiles":["a.go"%s],"SFiles":[%s]}
{"ImportPath":"c","GoFiles":["c.go"],"CgoFiles":[%s]}
{"ImportPath":"hash","SFiles":["hash.s"]}
{"ImportPath":"github.com/tickback/tickback/rollback","Imports":["hash"]}
{"ImportPath":"go1","GoFiles":["a.go"]}
{"ImportPath":"game","Imports":["go1","github.com/tickback/tickback/rollback"]}
{"ImportPath":"game [game.test]","ForTest":"game","Imports":["go1"]}
{"ImportPath":"game_test [game.test]","ForTest":"game","Imports":["game [game.test]","fast"]}
{"ImportPath":"game.test","Imports":["game_test [game.test]"]}
`

// Rule: packages that the game imports, and are not only Go, or have other files for another target, are suspects; the standard library, and what
// the engine itself imports, are not.
func TestSuspects(t *testing.T) {
	v1, arm := Target{arch: "amd64", level: "v1"}, Target{arch: "arm64"}
	for _, c := range []struct{ a, b, want string }{
		{fmt.Sprintf(list, "", "", ""), fmt.Sprintf(list, "", "", ""), "[]"},
		{fmt.Sprintf(list, `,"x_amd64.go"`, `"x_amd64.s"`, ""), fmt.Sprintf(list, "", "", ""), "[fast has assembly (x_amd64.s) for amd64 v1 only]"},
		{fmt.Sprintf(list, "", "", ""), fmt.Sprintf(list, "", `"x_arm64.s"`, ""), "[fast has assembly (x_arm64.s) for arm64 only]"},
		{fmt.Sprintf(list, "", `"x.s"`, ""), fmt.Sprintf(list, "", `"y.s"`, ""), "[fast has assembly (x.s) for amd64 v1, and assembly (y.s) for arm64]"},
		{fmt.Sprintf(list, "", "", `"c.go"`), fmt.Sprintf(list, "", "", `"c.go"`), "[c has C (c.go)]"},
		{fmt.Sprintf(list, `,"x.go"`, "", ""), fmt.Sprintf(list, `,"y.go"`, "", ""), "[fast has other files for amd64 v1 (x.go) than for arm64 (y.go)]"},
		{fmt.Sprintf(list, "", "", ""), strings.Replace(fmt.Sprintf(list, "", "", ""), `"go1","github`, `"github`, 1), "[]"},
		{strings.ReplaceAll(fmt.Sprintf(list, "", "", ""), `"go1"`, `"fast"`), fmt.Sprintf(list, "", "", ""), "[go1 is imported for arm64 only]"},
	} {
		of, err := reached([]byte(c.a), "game")
		if err != nil {
			t.Fatal(err)
		}
		other, err := reached([]byte(c.b), "game")
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(suspects(of, other, v1, arm)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if _, err := reached([]byte(`{"ImportPath":`), "game"); err == nil {
		t.Error("half a list is taken")
	}
}

// Rule: a package is known only where its sources are.
func TestAPackageIsWhereItsSourcesAre(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil || runtime.GOOS == "js" {
		t.Skip("no go command")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	c := Command{Dir: here}
	const self = "github.com/tickback/tickback/internal/rebuild"
	if err := c.Holds(t.Context(), self, here); err != nil {
		t.Error(err)
	}
	for _, wrong := range []struct{ pkg, dir string }{{self, t.TempDir()}, {"command-line-arguments", here}, {"example.com/nowhere", here}} {
		if err := c.Holds(t.Context(), wrong.pkg, wrong.dir); err == nil {
			t.Errorf("%s in %s", wrong.pkg, wrong.dir)
		}
	}
}
