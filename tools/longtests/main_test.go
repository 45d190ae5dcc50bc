package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Rule: a test is long that asks for -short, by whatever helper, method or variable; others are not, though they
// have a name in common with one.
func TestWhichTestsAreLong(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a_test.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := find(folder, checksShort)
	want := []string{"FuzzByMethod", "TestByHelper", "TestByVariable", "TestInABrowser", "TestItself"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v: %v", got, want, err)
	}
	// Rule: with goroutines it is those that start one, in whatever way.
	got, err = find(folder, startsGoroutine)
	want = []string{"TestByGroup", "TestByStatement", "TestInParallel"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v: %v", got, want, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "b.go"), []byte("no source"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := find(folder, checksShort); err == nil {
		t.Error("what is no source is read")
	}
}

const source = `package a

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m)) }

func TestItself(t *testing.T) {
	n := 100
	if testing.Short() {
		n = 1
	}
	run(t, n)
}

func TestByHelper(t *testing.T)   { t.Run("a", func(t *testing.T) { helper(t) }) }
func TestByVariable(t *testing.T) { run(t, count) }
func TestInABrowser(t *testing.T) { b := browsertest.Shared(t); b.Open(t) }
func FuzzByMethod(f *testing.F)   { f.Fuzz(func(t *testing.T, b []byte) { new(group[int]).play(t) }) }

func TestShort(t *testing.T)             { run(t, 3) }
func TestOfTheSameName(t *testing.T)     { play(t) }
func TestWithAPage(t *testing.T)         { browsertest.Now(t) }
func TestByStatement(t *testing.T)       { each(func() {}) }
func TestByGroup(t *testing.T)           { var wg sync.WaitGroup; wg.Go(func() {}) }
func TestInParallel(t *testing.T)        { t.Parallel() }
func BenchmarkLong(b *testing.B)         { helper(b) }

var count = func() int { if testing.Short() { return 1 }; return 9 }()

type group[T any] struct{}

func (g *group[T]) play(t *testing.T) { helper(t) }
func play(t *testing.T)               {}
func helper(t testing.TB) {
	if testing.Short() {
		t.Skip()
	}
}
func run(t *testing.T, n int) {}
func each(f func())           { go f() }
`
