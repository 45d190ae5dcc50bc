package detlint_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/detlint"
)

// wide writes a program of many packages below a directory: each has a few types, methods, an interface, a generic
// function and closures, and imports up to three of those before it. The last one has a step that reaches all of them.
func wide(b *testing.B, packages int) (dir string, env []string) {
	b.Helper()
	dir = b.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	write("go.mod", "module wide\n\ngo 1.26.0\n")
	for i := range packages {
		var imports, calls strings.Builder
		for _, j := range []int{i - 1, i / 2, i - 7} {
			if path := fmt.Sprintf("wide/p%d", j); j >= 0 && j < i && !strings.Contains(imports.String(), path+"\"") {
				fmt.Fprintf(&imports, "\t%q\n", path)
				fmt.Fprintf(&calls, "\tn += p%d.Run(n)\n", j)
			}
		}
		text := fmt.Sprintf("package p%d\n\nimport (\n\t\"slices\"\n%s)\n", i, imports.String())
		for f := range 12 {
			text += fmt.Sprintf(`
type unit%[1]d struct{ id, hp int32; list []int32 }

func (u *unit%[1]d) move(by int32) int32 {
	for i := range u.list {
		if u.list[i] > by {
			u.hp -= u.list[i]
		}
	}
	slices.Sort(u.list)
	return u.hp
}

func each%[1]d[T any](list []T, f func(T)) {
	for _, x := range list {
		f(x)
	}
}
`, f)
		}
		text += "\ntype mover interface{ move(by int32) int32 }\n\n// Run runs.\nfunc Run(n int32) int32 {\n"
		for f := range 12 {
			text += fmt.Sprintf("\teach%[1]d([]mover{&unit%[1]d{id: n}}, func(m mover) { n += m.move(n) })\n", f)
		}
		write(fmt.Sprintf("p%d/p.go", i), text+calls.String()+"\treturn n\n}\n")
	}
	write("main.go", fmt.Sprintf("package main\n\nimport \"wide/p%d\"\n\n//tickback:deterministic\nfunc step(n *int32) { *n = p%d.Run(*n) }\n\nfunc main() { step(new(int32)) }\n", packages-1, packages-1))
	return dir, append(os.Environ(), "GOWORK=off")
}

// BenchmarkProgram examines a program of 250 packages: with the command alone, and as the tool of go vet, whose second
// run finds everything in the cache.
func BenchmarkProgram(b *testing.B) {
	size := 250
	if testing.Short() {
		size = 3 // it shows that it works
	}
	dir, env := wide(b, size)
	outer, cpu := b, time.Duration(0) // of the processes and their children
	run := func(args ...string) {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	measured := func(b *testing.B, args ...string) {
		cpu = 0
		run(args...)
		b.ReportMetric(cpu.Seconds(), "cpu-s/op")
	}
	run("build", "./...")
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			r, err := detlint.Run(detlint.Options{Dir: dir, Env: env, Patterns: []string{"./..."}})
			if err != nil || r.Packages != size+1 || r.Roots != 1 || len(r.Findings) > 0 {
				b.Fatalf("%+v, %v", r, err)
			}
		}
	})
	tool := filepath.Join(b.TempDir(), "detlint")
	if out, err := exec.Command("go", "build", "-o", tool, "./cmd/detlint").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	b.Run("vet-first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			dir, env = wide(outer, size) // nothing of it is in the cache
			run("build", "./...")
			b.StartTimer()
			measured(b, "vet", "-vettool="+tool, "./...")
		}
	})
	b.Run("vet-again", func(b *testing.B) {
		run("vet", "-vettool="+tool, "./...")
		for b.Loop() {
			measured(b, "vet", "-vettool="+tool, "./...")
		}
	})
	b.Run("list", func(b *testing.B) { // what the go command needs for itself
		for b.Loop() {
			measured(b, "list", "-deps", "-export", "./...")
		}
	})
}
