package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// scratch is a folder for what the tests build, which is removed at the end.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "tickback-cabi-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

// build builds the library once, with its Makefile, and returns the folder that it is in. Tests that need it are skipped
// where it cannot be built, and ask testing.Short first: it takes some seconds.
func build(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the Makefile is for Linux: docs/c.md has the commands for other systems")
	}
	for _, tool := range []string{"gcc", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s, which the library is built with", tool)
		}
	}
	if err := built(); err != nil {
		t.Fatal(err)
	}
	return scratch
}

var built = sync.OnceValue(func() error {
	return quietly(exec.Command("make", "BUILD="+scratch, filepath.Join(scratch, "libtickback.so.1"), filepath.Join(scratch, "tickback.pc")))
})

// quietly runs a command, and returns what it has said only if it fails.
func quietly(c *exec.Cmd) error {
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, out)
	}
	return nil
}

// sanitized are the flags with which the compiler puts in checks of every access to memory.
var sanitized = []string{"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// compile compiles a program in C against the library, and returns its path.
func compile(t *testing.T, source string, flags ...string) string {
	t.Helper()
	dir := build(t)
	program := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)))
	args := slices.Concat([]string{
		"-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O2", "-Wall", "-Wextra", "-Werror", "-Iinclude", "-Iexamples/c", "-Itestdata",
	}, flags, []string{source, "-o", program, "-L" + dir, "-ltickback", "-lpthread", "-Wl,-rpath," + dir})
	if err := quietly(exec.Command("gcc", args...)); err != nil {
		t.Fatal(err)
	}
	return program
}

// run runs a program to its end, and returns what it has written to standard output.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	var failure bytes.Buffer
	c := exec.Command(program, args...)
	c.Stderr = &failure
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(program), strings.Join(args, " "), err, out, failure.String())
	}
	return string(out)
}

// together runs commands at once, and returns what each has written to standard output.
func together(t *testing.T, commands ...*exec.Cmd) []string {
	t.Helper()
	outs, errs := make([]bytes.Buffer, len(commands)), make([]bytes.Buffer, len(commands))
	for i, c := range commands {
		c.Stdout, c.Stderr = &outs[i], &errs[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
	}
	var texts []string
	for i, c := range commands {
		if err := c.Wait(); err != nil {
			t.Errorf("%s: %v\n%s%s", strings.Join(c.Args, " "), err, outs[i].String(), errs[i].String())
		}
		texts = append(texts, outs[i].String())
	}
	if t.Failed() {
		t.FailNow()
	}
	return texts
}

// ports returns addresses on this machine that nobody listens at.
func ports(t *testing.T, n int) (addresses []string) {
	t.Helper()
	for range n {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close() // after all are open, so that they differ
		addresses = append(addresses, c.LocalAddr().String())
	}
	return addresses
}
