// Package rebuild builds a running test again for other targets, and runs the result. The command line describes in an
// environment variable how it built the test, so that the test can build itself in the same way for another target.
package rebuild

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Variable is the name of the environment variable that passes a [Command] to a test.
const Variable = "TICKBACK_TEST_BUILT_BY"

// Command describes how a test was built.
type Command struct {
	Program string   // the absolute path of the command line
	Host    string   // the GOOS/GOARCH of the command line, which this machine runs
	Dir     string   // the folder in which it was run
	Strict  bool     // whether floats are the same on every machine
	Flags   []string `json:",omitempty"` // the flags of the build
}

// ErrUnknown is returned by [FromEnvironment] in a test that was not built by such a command.
var ErrUnknown = errors.New("the command that has built this test is not known")

// Here returns the command for a test that this program builds: dir is the folder of the test, and flags are the build
// flags.
func Here(dir string, strict bool, flags []string) (c Command, err error) {
	c = Command{Host: host(), Strict: strict, Flags: flags}
	if c.Program, err = os.Executable(); err != nil {
		return c, err
	}
	c.Dir, err = filepath.Abs(dir)
	return c, err
}

func host() string { return runtime.GOOS + "/" + runtime.GOARCH }

// Setting returns the command as an environment variable, in the form NAME=VALUE.
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
