package detlint_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint/internal/rules"
)

// attempts is how often a wrong program is run before two equal results count as a failure to show it: they may be
// equal by chance.
const attempts = 40

// build builds a program below testdata.
func build(t *testing.T, path string, env ...string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-o", program, "./testdata/"+path)
	cmd.Env = append(os.Environ(), append(env, "CGO_ENABLED=0")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// comes runs a program and returns its output.
func comes(t *testing.T, env []string, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Rule: where the page says that runs show a rule, the WRONG code gives different results, and the RIGHT code does not.
func TestWrongCodeDiverges(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program and runs it often")
	}
	program := build(t, "diverge")
	for _, rule := range shown(t, false) {
		run := func(kind string, n int) string {
			env := []string{fmt.Sprintf("HARD=%d", n), fmt.Sprintf("GOMAXPROCS=%d", 1+n)}
			return comes(t, env, program, rule, kind, fmt.Sprint(n))
		}
		if a, b := run("right", 0), run("right", 1); a != b {
			t.Errorf("%s: what is right comes to %s and %s", rule, a, b)
		}
		a, diverges := "", false
		for i := 0; i < attempts && !diverges; i++ {
			a = run("wrong", 0)
			diverges = a != run("wrong", 1)
		}
		if !diverges {
			t.Errorf("%s: what is wrong always comes to %s", rule, a)
		}
	}
}

// shown lists the rules that, as the page says, are shown by builds, or by this process and another one.
func shown(t *testing.T, byBuilds bool) (list []string) {
	t.Helper()
	for _, r := range rules.All() {
		by := regexp.MustCompile(`\n\*\*Shown\*\* by ([^.]*)\.`).FindStringSubmatch(r.Section())
		if by != nil && strings.HasPrefix(by[1], "builds") == byBuilds {
			list = append(list, r.Name)
		}
	}
	if len(list) < 4 {
		t.Fatalf("only %v are shown", list)
	}
	return list
}

// foreign is another way to build and run a program.
type foreign struct {
	name     string
	env      []string
	emulator string // "" is this machine
}

// builds are those that show a rule, besides the usual build.
var builds = map[string][]foreign{
	"fusedfloat": {{"GOAMD64=v3", []string{"GOAMD64=v3"}, ""}, {"arm64", []string{"GOARCH=arm64"}, "qemu-aarch64-static"}},
	"mathfunc":   {{"arm64", []string{"GOARCH=arm64"}, "qemu-aarch64-static"}},
	"floatint":   {{"arm64", []string{"GOARCH=arm64"}, "qemu-aarch64-static"}},
	"intwidth":   {{"386", []string{"GOARCH=386"}, ""}},
	"intfloat":   {{"386", []string{"GOARCH=386"}, ""}},
	"nanbits":    {{"arm64", []string{"GOARCH=arm64"}, "qemu-aarch64-static"}},
}

// Rule: where the page says that builds show a rule, the WRONG code gives different results on another architecture,
// and the RIGHT code does not.
func TestWrongCodeDivergesBetweenArchitectures(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("it builds for other architectures, on amd64")
	}
	usual := build(t, "diverge/numbers", "GOAMD64=v1")
	for _, rule := range shown(t, true) {
		for _, b := range builds[rule] {
			t.Run(rule+" "+b.name, func(t *testing.T) { differs(t, usual, rule, b) })
		}
		if len(builds[rule]) == 0 {
			t.Errorf("no build shows %s", rule)
		}
	}
}

// differs compares the usual build with another one.
func differs(t *testing.T, usual, rule string, b foreign) {
	if b.emulator != "" {
		if _, err := exec.LookPath(b.emulator); err != nil {
			t.Skip("there is no " + b.emulator)
		}
	} else if info, err := os.ReadFile("/proc/cpuinfo"); err != nil || !strings.Contains(string(info), " avx2 ") {
		t.Skip("this processor is not of that level")
	}
	program := build(t, "diverge/numbers", b.env...)
	run := func(kind string) string {
		if b.emulator != "" {
			return comes(t, nil, b.emulator, program, rule, kind)
		}
		return comes(t, nil, program, rule, kind)
	}
	if here, there := comes(t, nil, usual, rule, "right"), run("right"); here != there {
		t.Errorf("what is right comes to %s and %s", here, there)
	}
	if here, there := comes(t, nil, usual, rule, "wrong"), run("wrong"); here == there {
		t.Errorf("what is wrong comes to %s on both", here)
	}
}
