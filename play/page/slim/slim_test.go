//go:build !js

package slim_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/play/page/slim"
)

// whole builds a program for pages once.
var whole = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "tickback-slim")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	to := filepath.Join(dir, "program.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-dwarf=false", "-o", to, "./testdata/program")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, errors.New(err.Error() + ": " + string(out))
	}
	return os.ReadFile(to)
})

func program(t *testing.T) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds a program for pages")
	}
	wasm, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// run runs a program in node, and returns its output.
func run(t *testing.T, wasm []byte, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(file, wasm, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec"), append([]string{file}, args...)...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err = cmd.Run()
	return out.String(), complaints.String(), err
}

// Rule: a program does the same as before: it collects garbage, grows stacks, panics and recovers. Traces name
// functions, without lines; and it is smaller.
func TestAProgramDoesTheSame(t *testing.T) {
	wasm := program(t)
	small, err := slim.Program(bytes.Clone(wasm))
	if err != nil {
		t.Fatal(err)
	}
	want, said, err := run(t, wasm)
	if err != nil || strings.Count(want, "\n") != 7 || strings.Contains(said, "line 0") || !strings.Contains(want, "value method main.square.area called using nil *square pointer") {
		t.Fatalf("%v, %q, %q", err, want, said)
	}
	got, said, err := run(t, small)
	if err != nil || got != want {
		t.Errorf("%v, %q, and before %q", err, got, want)
	}
	if !strings.Contains(said, "line 0 true") {
		t.Errorf("it knows lines: %q", said)
	}
	_, before, _ := run(t, wasm, "an end")
	out, after, err := run(t, small, "an end")
	if err == nil || out != "" || !strings.HasPrefix(after, "panic: an end\n\tpanic: runtime error: index out of range [2] with length 0\n") {
		t.Errorf("%v, %q: %s", err, out, after)
	}
	for _, text := range []string{"main.main.func", "main.main("} {
		if !strings.Contains(after, text) || !strings.Contains(before, text) {
			t.Errorf("no %s in %s, or in %s", text, after, before)
		}
	}
	if !strings.Contains(before, "main.go:") || strings.Contains(after, ".go:") {
		t.Errorf("the lines are in %s, or not in %s", after, before)
	}
	if a, b := packed(t, small), packed(t, wasm); float64(a) > 0.9*float64(b) {
		t.Errorf("it takes %d bytes of %d", a, b)
	} else {
		t.Logf("%d bytes of %d; plain %d of %d", a, b, len(small), len(wasm))
	}
	again, err := slim.Program(bytes.Clone(small))
	if err != nil || !bytes.Equal(again, small) {
		t.Errorf("a second time: %v, %d bytes of %d", err, len(again), len(small))
	}
}

func packed(t *testing.T, b []byte) int {
	t.Helper()
	var to bytes.Buffer
	w, err := flate.NewWriter(&to, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return to.Len()
}

// Rule: a program with another layout is refused, and nothing panics.
func TestWhatIsLaidOutInAnotherWayIsRefused(t *testing.T) {
	wasm := program(t)
	for name, spoil := range map[string]func(b []byte) []byte{
		"nothing":         func([]byte) []byte { return nil },
		"a header":        func(b []byte) []byte { return b[:8] },
		"another program": func([]byte) []byte { return []byte("\x7fELF and so on") },
		"another table": func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte("\xf1\xff\xff\xff\x00\x00\x01\x08"), []byte("\xf2\xff\xff\xff\x00\x00\x01\x08"))
		},
		"no end": func(b []byte) []byte { return b[:len(b)-len(b)/100] },
		"a section of no end": func([]byte) []byte {
			return []byte("\x00asm\x01\x00\x00\x00\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
		},
		"counted pieces":     func([]byte) []byte { return []byte("\x00asm\x01\x00\x00\x00\x0c\x01\x00") },
		"a piece of no kind": func([]byte) []byte { return []byte("\x00asm\x01\x00\x00\x00\x0b\x02\x01\x01") },
		"far away": func([]byte) []byte {
			return []byte("\x00asm\x01\x00\x00\x00\x0b\x0a\x01\x00\x41\xff\xff\xff\xff\x00\x0b\x01\x07")
		},
		"a long piece": func([]byte) []byte { return []byte("\x00asm\x01\x00\x00\x00\x0b\x06\x01\x00\x41\x00\x0b\x70") },
		"empty data":   func([]byte) []byte { return []byte("\x00asm\x01\x00\x00\x00\x0b\x01\x00") },
	} {
		if got, err := slim.Program(spoil(bytes.Clone(wasm))); !errors.Is(err, slim.ErrLayout) || got != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	at := bytes.Index(wasm, []byte("\xf1\xff\xff\xff\x00\x00\x01\x08"))
	for i := range 80 {
		for _, v := range []byte{0x01, 0x80, 0xff} {
			b := bytes.Clone(wasm)
			b[at+i] ^= v
			_, _ = slim.Program(b) // it may be one that cannot be distinguished from a valid one
		}
	}
	binary.LittleEndian.PutUint64(wasm[at+8:], 1<<40)
	if _, err := slim.Program(wasm); !errors.Is(err, slim.ErrLayout) {
		t.Error(err)
	}
}
