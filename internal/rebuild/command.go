// Package rebuild builds a running test again for other targets, and runs the result. The command line passes how it
// had the test built in an environment variable; the test tells it to do the same for another target.
package rebuild

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Variable is an environment variable of tests, with a [Command].
const Variable = "TICKBACK_TEST_BUILT_BY"

// Command describes how a test was built.
type Command struct {
	Program string   // the command line, by its absolute path
	Host    string   // its GOOS/GOARCH, which is what this machine runs
	Dir     string   // where it was run
	Strict  bool     // floats are the same on every machine
	Flags   []string `json:",omitempty"` // of the build
}

// ErrUnknown is returned by [FromEnvironment] in a test that was not built by such a command.
var ErrUnknown = errors.New("the command that has built this test is not known")

// Here returns the command for this program, which was run in a folder to test with these build flags.
func Here(dir string, strict bool, flags []string) (c Command, err error) {
	c = Command{Host: host(), Strict: strict, Flags: flags}
	if c.Program, err = os.Executable(); err != nil {
		return c, err
	}
	c.Dir, err = filepath.Abs(dir)
	return c, err
}

func host() string { return runtime.GOOS + "/" + runtime.GOARCH }

// Setting returns the command as a variable in the form of a process's environment.
func (c Command) Setting() (string, error) {
	b, err := json.Marshal(c)
	return Variable + "=" + string(b), err
}

// FromEnvironment returns the command that built this test.
func FromEnvironment() (c Command, err error) {
	text := os.Getenv(Variable)
	if text == "" {
		return c, ErrUnknown
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return c, fmt.Errorf("%s: %w", Variable, err)
	}
	if !filepath.IsAbs(c.Program) || !filepath.IsAbs(c.Dir) {
		return c, fmt.Errorf("%s: no absolute paths in %q and %q", Variable, c.Program, c.Dir)
	}
	return c, nil
}
