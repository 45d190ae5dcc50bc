package programs_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint/internal/programs"
)

var runs = flag.Int("runs", 12, "how many programs are run of each kind")

// played plays a game with changing inputs, with or without a sync test, and says how that ends: with the state and its hash,
// or with what went wrong.
const played = `package played

import (
	"fmt"
	"reflect"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

func Run[S any, I comparable](game rollback.Definition[S, I], test int) (outcome string) {
	defer func() {
		if r := recover(); r != nil {
			outcome = fmt.Sprint("panic: ", r)
		}
	}()
	e, err := rollback.New(game, rollback.Config{Players: 2, Local: rollback.SetOf(0, 1), SyncTest: test, MaxOrders: 64})
	if err != nil {
		return err.Error()
	}
	for f := range rollback.Frame(90) {
		for p := range rollback.Player(2) {
			var in I
			if m := reflect.ValueOf(&in).Elem().FieldByName("Move"); m.IsValid() {
				m.SetInt(int64(f) / 4 % 3 * int64(p+1))
			}
			orders := fmt.Appendf(nil, "x%d a,b %d\\n", f%7, f)
			if err := e.AddLocal(p, in, orders); err != nil {
				return err.Error()
			}
		}
		if err := e.Tick(); err != nil {
			return err.Error()
		}
	}
	h, err := canon.HashAny(*e.State())
	if err != nil {
		return err.Error()
	}
	own, err := e.Hash() // the game's, if it has one
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("played %016x %016x", h, own)
}
`

// module writes a module of games and a program that plays one of their halves: the first argument names it, and the second
// says whether to run a sync test.
func module(t *testing.T, drawn map[uint64]*programs.Program) (dir string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	write := func(name, text string) {
		t.Helper()
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	modules, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, required, _ := strings.Cut(string(modules), "\ngo ")
	_, required, _ = strings.Cut(required, "\n")
	write("go.mod", "module example.com\n\ngo 1.26.0\n"+required+"\nrequire "+own+" v0.0.0\n\nreplace "+own+" => "+root+"\n")
	write("go.sum", string(sums))
	write("played/played.go", played)
	var imports, calls strings.Builder
	for s, p := range drawn {
		for _, half := range []string{"bad", "good"} {
			base := fmt.Sprintf("example.com/p%d/%s", s, half)
			for _, x := range p.Sources(base, "p", half == "bad") {
				write(strings.TrimPrefix(x.Path, "example.com/")+"/p.go", x.Source)
			}
			run := "package p\n\nimport \"example.com/played\"\n"
			for name, path := range map[string]string{"rollback": own + "/rollback", "model": base + "/model", "sys": base + "/sys", "ai": base + "/ai"} {
				if strings.Contains(p.Game, name+".") {
					run += fmt.Sprintf("import %q\n", path)
				}
			}
			write(strings.TrimPrefix(base, "example.com/")+"/run.go", run+"\nfunc Run(test int) string { return played.Run("+p.Game+", test) }\n")
			fmt.Fprintf(&imports, "\t%s%d %q\n", half, s, base)
			fmt.Fprintf(&calls, "\t\t\"%d/%s\": %s%d.Run,\n", s, half, half, s)
		}
	}
	write("main.go", "package main\n\nimport (\n\t\"os\"\n"+imports.String()+")\n\nfunc main() {\n\ttest := 0\n\tif os.Args[2] == \"sync\" {\n\t\ttest = 3\n\t}\n\tout := os.NewFile(3, \"\")\n"+
		"\t_, _ = out.WriteString(map[string]func(int) string{\n"+calls.String()+"\t}[os.Args[1]](test))\n}\n")
	return dir
}

// built builds the program of a module for an architecture.
func built(t *testing.T, dir, arch string) string {
	t.Helper()
	program := filepath.Join(dir, "program-"+arch)
	cmd := exec.Command("go", "build", "-o", program, ".")
	// The flags of this build, too: what it has compiled is not compiled again.
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"), "GOPROXY=off", "GOARCH="+arch, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("it does not build for %s: %v\n%s", arch, err, out)
	}
	return program
}

// plays plays half of a program in a process of its own, since some flaws end the process.
func plays(t *testing.T, program, half, how string) string {
	t.Helper()
	r, w, err := os.Pipe() // what the programs print is their own matter
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, half, how)
	cmd.ExtraFiles = []*os.File{w}
	if err := errors.Join(cmd.Start(), w.Close()); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err := errors.Join(err, cmd.Wait(), r.Close()); err != nil {
		return err.Error()
	}
	return string(out)
}

// Rule: runs show most of the drawn flaws that a run can show: those end a sync test, or make two processes, or a 64-bit and a 32-bit
// machine, reach different states; no twin does. So they are real flaws, and not only to the analyzer.
func TestFlawsDivergeAndTwinsDoNot(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds some dozens of programs")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("it runs programs for amd64 and for 386")
	}
	type kind struct {
		shown string
		least int // how many of a hundred must be shown: about half of what is measured
		same  func(amd64, i386, half string) bool
	}
	kinds := []kind{
		{"sync", 40, func(amd64, _, half string) bool { return strings.HasPrefix(plays(t, amd64, half, "sync"), "played") }},
		{"processes", 40, func(amd64, _, half string) bool {
			first := plays(t, amd64, half, "once")
			for range 3 {
				if plays(t, amd64, half, "once") != first {
					return false
				}
			}
			return true
		}},
		{"386", 40, func(amd64, i386, half string) bool {
			return plays(t, amd64, half, "once") == plays(t, i386, half, "once")
		}},
	}
	drawn, count := map[uint64]*programs.Program{}, map[string]int{}
	for s := *seed; len(drawn) < *runs*len(kinds); s++ {
		if p := programs.Make(s); slices.ContainsFunc(kinds, func(k kind) bool { return k.shown == p.Shown }) && count[p.Shown] < *runs {
			drawn[s] = p
			count[p.Shown]++
		}
	}
	dir := module(t, drawn)
	amd64, i386 := built(t, dir, "amd64"), built(t, dir, "386")
	for _, k := range kinds {
		shown := 0
		for s, p := range drawn {
			if p.Shown != k.shown {
				continue
			}
			if !k.same(amd64, i386, fmt.Sprintf("%d/good", s)) {
				t.Errorf("%v: its twin diverges by %s", p, k.shown)
			}
			if k.same(amd64, i386, fmt.Sprintf("%d/bad", s)) {
				t.Logf("not shown by %s: %v", k.shown, p)
				continue
			}
			shown++
		}
		t.Logf("%d of %d flaws are shown by %s", shown, count[k.shown], k.shown)
		if shown*100 < count[k.shown]*k.least {
			t.Errorf("only %d of %d flaws are shown by %s", shown, count[k.shown], k.shown)
		}
	}
}

const own = "github.com/tickback/tickback"
