// Package house has the laws of this repository, as tests: which room may import which, how large a type may be, and
// that what the pages say is so. They read the sources, and run in the root.
package house

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
