// Command mathtable measures, for docs/floats.md, at how many points the functions of Go's own package math give other bits on
// other targets than on amd64, and at how many points amd64 does not give the nearest float. It builds itself for each target,
// and runs it where this machine can: with qemu-user, and node for wasm. Signs of NaNs do not count.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// points is the number of points that are examined for each function.
const points = 20_000

func main() {
	log.SetFlags(0)
	log.SetPrefix("mathtable: ")
	values := flag.Bool("values", false, "write the values of this target, as other runs of this command have it do")
	flag.Parse()
	if *values {
		if _, err := os.Stdout.Write(computed()); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := table(); err != nil {
		log.Fatal(err)
	}
}

// computed returns the results of all functions at all points.
func computed() []byte {
	b := make([]byte, 0, len(functions)*points*8)
	for _, f := range functions {
		r := rand.New(rand.NewPCG(1, 2))
		for range points {
			b = binary.LittleEndian.AppendUint64(b, bits(f.of(point(r, f.low, f.high), point(r, f.low, f.high))))
		}
	}
	return b
}

func bits(x float64) uint64 {
	if x != x {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(x)
}

// point draws a point between two bounds: half of them evenly, half of them with sizes drawn evenly.
func point(r *rand.Rand, low, high float64) float64 {
	if r.IntN(2) == 0 {
		return low + float64(r.Float64()*(high-low))
	}
	x := math.Ldexp(1+r.Float64(), r.IntN(40)-30)
	if low < 0 && r.IntN(2) == 0 {
		x = -x
	}
	return min(max(x, low), high)
}

// target is a platform that a program is built for, and the command that runs it.
type target struct {
	name string
	env  []string
	run  []string
}

func targets(goroot string) []target {
	list := []target{
		{"amd64", []string{"GOARCH=amd64", "GOAMD64=v1"}, nil}, {"amd64 v3", []string{"GOARCH=amd64", "GOAMD64=v3"}, nil}, {"386", []string{"GOARCH=386"}, nil},
	}
	for _, of := range [][2]string{{"arm64", "aarch64"}, {"riscv64", "riscv64"}, {"ppc64le", "ppc64le"}, {"s390x", "s390x"}, {"arm", "arm"}, {"mips", "mips"}} {
		list = append(list, target{of[0], []string{"GOARCH=" + of[0]}, []string{"qemu-" + of[1] + "-static"}})
	}
	return append(list, target{"wasm", []string{"GOOS=js", "GOARCH=wasm"}, []string{filepath.Join(goroot, "lib", "wasm", "go_js_wasm_exec")}})
}

// table prints a table with the results of all targets.
func table() error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mathtable-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var names []string
	var results [][]byte
	for _, t := range targets(strings.TrimSpace(string(root))) {
		if len(t.run) > 0 {
			if _, err := exec.LookPath(t.run[0]); err != nil {
				fmt.Fprintf(os.Stderr, "mathtable: %s is left out: %v\n", t.name, err)
				continue
			}
		}
		program := filepath.Join(dir, "program")
		build := exec.Command("go", "build", "-o", program, "./portable/internal/mathtable")
		build.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="), t.env...)
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", t.name, err, out)
		}
		run := exec.Command(program, "-values")
		if len(t.run) > 0 {
			run = exec.Command(t.run[0], program, "-values")
		}
		out, err := run.Output()
		if err != nil || len(out) != len(functions)*points*8 {
			return fmt.Errorf("%s: %w, %d bytes", t.name, err, len(out))
		}
		names, results = append(names, t.name), append(results, out)
	}
	fmt.Printf("%s, %d points of each function, %s.\n\n", runtime.Version(), points, strings.Join(names, ", "))
	fmt.Println("| function | not the nearest, amd64 | other than amd64: " + strings.Join(names[1:], " | ") + " |")
	fmt.Println("|---" + strings.Repeat("|---:", len(names)) + "|")
	var never []string
	for i, f := range functions {
		part := func(b []byte) []byte { return b[i*points*8 : (i+1)*points*8] }
		var row []string
		for _, r := range results[1:] {
			row = append(row, share(part(results[0]), part(r)))
		}
		if strings.Join(row, "") == "" {
			never = append(never, f.name)
			if f.nearest == nil {
				continue
			}
		}
		wrong := ""
		if f.nearest != nil {
			r := rand.New(rand.NewPCG(1, 2))
			var b []byte
			for range points {
				b = binary.LittleEndian.AppendUint64(b, bits(f.nearest(point(r, f.low, f.high), point(r, f.low, f.high))))
			}
			wrong = share(part(results[0]), b)
		}
		fmt.Printf("| %s | %s | %s |\n", f.name, wrong, strings.Join(row, " | "))
	}
	slices.Sort(never)
	fmt.Printf("\nThe same on all: %s.\n", strings.Join(never, ", "))
	return nil
}

// share returns how many of the values differ, in percent; empty for none.
func share(a, b []byte) string {
	n := 0
	for i := 0; i < len(a); i += 8 {
		if !bytes.Equal(a[i:i+8], b[i:i+8]) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", 100*float64(n)/points)
}
