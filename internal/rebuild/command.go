// Package rebuild builds a test again, for other targets than the one that it runs on, and runs what comes of it. The command
// line says by a variable of the environment how it had a test built; the test asks it to do the same for a target.
package rebuild

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Variable is a variable of the environment of tests. It has a [Command].
const Variable = "TICKBACK_TEST_BUILT_BY"

// Command is how a test was built.
type Command struct {
	Program string   // the command line, by its absolute path
	Host    string   // GOOS/GOARCH of it, which is what this machine runs
	Dir     string   // where it was asked
	Strict  bool     // floats are the same on every machine
	Flags   []string `json:",omitempty"` // of the build
}

// ErrUnknown is what [FromEnvironment] returns in a test that no such command has built.
var ErrUnknown = errors.New("the command that has built this test is not known")

// Here returns the command of this program, which was asked in a folder to test with these flags of the build.
func Here(dir string, strict bool, flags []string) (c Command, err error) {
	c = Command{Host: host(), Strict: strict, Flags: flags}
	if c.Program, err = os.Executable(); err != nil {
		return c, err
	}
	c.Dir, err = filepath.Abs(dir)
	return c, err
}

func host() string { return runtime.GOOS + "/" + runtime.GOARCH }

// Setting is the variable with the command, as the environment of a process has it.
func (c Command) Setting() (string, error) {
	b, err := json.Marshal(c)
	return Variable + "=" + string(b), err
}

// FromEnvironment returns the command that has built this test.
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
