package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Name is the name of the command that is the tool, in the command line that builds.
const Name = "toolexec"

// Tool runs a tool of Go's as the go command asks for it, and returns its exit code. Args are the path of the tool and its
// arguments.
func Tool(args []string) int {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "this command is for the go command, as -toolexec: it takes a tool of Go's and its arguments")
		return 2
	}
	switch {
	case strings.TrimSuffix(filepath.Base(args[0]), ".exe") != "compile":
		return run(args)
	case len(args) == 2 && strings.HasPrefix(args[1], "-V"):
		return tellVersion(args)
	}
	c := read(args[1:])
	if c.standard || len(c.files) == 0 {
		return run(args)
	}
	files, failed := c.rewritten()
	if failed == nil {
		return run(slices.Concat(args[:1+c.at], files))
	}
	// The compiler knows better what is wrong with a package. If it finds nothing, we must not pass over it.
	if code := run(args); code != 0 {
		return code
	}
	fmt.Fprintf(os.Stderr, "%s cannot be built for strict floats: %v\n(this command was built by %s: it can read what this version of Go compiles, and \"go tool tickback\" is built by the Go of the module)\n",
		c.path, failed, runtime.Version())
	return 1
}

// run runs a tool with our streams.
func run(args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return ended(cmd.Run())
}

func ended(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// tellVersion prints the version of the compiler with ours.
func tellVersion(args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		fmt.Println(versioned(string(bytes.TrimSpace(out))))
	}
	return ended(err)
}

// versioned is a line that says a version, with ours. The go command takes the whole line of a release for the version, and the last
// word of others, a hash with slashes, whose last part counts.
func versioned(line string) string {
	if strings.Contains(line, " devel ") {
		return line + "+" + version
	}
	return line + " " + version
}

// compilation is what the compiler is asked to do.
type compilation struct {
	path     string // of the package
	lang     string // the version of Go, as "go1.26"; empty: the compiler's
	imports  string // the file that says where packages are
	out      string // the file that is written
	standard bool   // the package is one of the standard library
	files    []string
	at       int // the first file among the arguments
}

// read understands the arguments of the compiler.
func read(args []string) (c compilation) {
	c.at = len(args)
	for c.at > 0 && strings.HasSuffix(args[c.at-1], ".go") {
		c.at--
	}
	c.files = args[c.at:]
	flags := args[:c.at]
	for i, word := range flags {
		name, value, has := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !strings.HasPrefix(word, "-") {
			continue
		}
		if !has && i+1 < len(flags) {
			value = flags[i+1]
		}
		switch name {
		case "p":
			c.path = value
		case "lang":
			c.lang = value
		case "importcfg":
			c.imports = value
		case "o":
			c.out = value
		case "std":
			c.standard = true
		}
	}
	return c
}
