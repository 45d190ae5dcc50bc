package netem_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

const ms = time.Millisecond

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// path returns a path with these settings.
func path(t testing.TB, seed uint64, l netem.Link) *netem.Path {
	t.Helper()
	p := netem.NewPath(seed, 0, 1)
	if err := p.SetLink(l); err != nil {
		t.Fatal(err)
	}
	return p
}

// datagrams returns a network in which all links have these settings.
func datagrams(t testing.TB, nodes int, seed uint64, l netem.Link) *netem.Datagrams {
	t.Helper()
	d := must(netem.NewDatagrams(nodes, seed, 0))
	if err := d.SetAll(l); err != nil {
		t.Fatal(err)
	}
	return d
}

// within checks that a number is that of the rule, within a tolerance.
func within(t *testing.T, what string, got, want, tolerance int64) {
	t.Helper()
	if got < want-tolerance || got > want+tolerance {
		t.Errorf("%s: %d, want %d ± %d", what, got, want, tolerance)
	}
}
