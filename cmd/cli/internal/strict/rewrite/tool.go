package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	goversion "go/version"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/strict/foreign"
	"github.com/tickback/tickback/detlint"
)

// Name is the name of the hidden command that runs tools, and Products a flag of it: products are rounded in the
// sources, too, including those of the standard library, for a compiler without a flag to turn off fusing. Math,
// followed by an equals sign and a file, is another flag: package math is compiled with the files that this overlay
// names, if Go itself was downloaded as a module, where the go command accepts no overlay. The name of the file's
// folder is a sum of all files.
const (
	Name     = "toolexec"
	Products = "-products"
	Math     = "-math"
)

// options are the options that the building command puts before the tool.
type options struct {
	products bool
	math     string // the overlay for package math; empty if the go command handles it
}

// optionsOf returns the options, and the tool with its arguments.
func optionsOf(args []string) (o options, tool []string) {
	for len(args) > 0 {
		name, value, _ := strings.Cut(args[0], "=")
		switch name {
		case Products:
			o.products = true
		case Math:
			o.math = value
		default:
			return o, args
		}
		args = args[1:]
	}
	return o, args
}

// VersionWith returns what is added to the version of the compiler and the linker with these options.
func VersionWith(args []string) string {
	o, _ := optionsOf(args)
	return o.version()
}

// version returns a text that identifies the effect of these options.
func (o options) version() string {
	v := Version
	if o.products {
		v += Products
	}
	if o.math != "" {
		v += "-" + filepath.Base(filepath.Dir(o.math))
	}
	return v
}

// Tool runs a tool of Go for the go command, and returns its exit code. args are the path of the tool and its
// arguments.
func Tool(args []string) int {
	o, args := optionsOf(args)
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "this command is for the go command, as -toolexec: it takes a tool of Go's and its arguments")
		return 2
	}
	asked := len(args) == 2 && strings.HasPrefix(args[1], "-V") // the go command asks for the version
	switch name := strings.TrimSuffix(filepath.Base(args[0]), ".exe"); {
	case name != "compile" && name != "link":
		return run(args)
	case asked:
		return tellVersion(args, o.version())
	case name == "link":
		return link(args)
	}
	c := read(args[1:])
	c.products = o.products
	if len(c.files) == 0 {
		return run(args)
	}
	failed := c.overlaid(o.math)
	if failed == nil {
		c.files, failed = c.rewritten()
	}
	if failed == nil {
		return run(slices.Concat(args[:1], c.flags(), c.files))
	}
	// The compiler has better messages for errors in a package. If it finds none, ours has to be reported.
	if code := run(args); code != 0 {
		return code
	}
	fmt.Fprintf(os.Stderr, "%s cannot be built for strict floats: %v\n", c.path, failed)
	return 1
}

// link runs the linker, and at the same time looks for C and assembly in the steps of games. A program with some
// there is refused.
func link(args []string) int {
	type looked struct {
		found []detlint.Finding
		err   error
	}
	ended := make(chan looked, 1)
	go func() {
		found, err := foreign.Reached(args[0], args[1:])
		ended <- looked{found, err}
	}()
	code := run(args)
	if code != 0 {
		return code // the go command removes the files that the other goroutine examines
	}
	l := <-ended
	if l.err != nil {
		fmt.Fprintln(os.Stderr, l.err) // the program has not been examined, so it gets no proof
		return 1
	}
	for _, f := range l.found {
		fmt.Fprintln(os.Stderr, foreign.Text(f))
	}
	if len(l.found) > 0 {
		fmt.Fprintln(os.Stderr, "Floats of C and assembly cannot be made the same everywhere: write it in Go, build without (many modules have a tag, such as\n-tags noasm, or purego), or say in a comment at the call why it is the same, //detlint:ignore foreign REASON")
		return 1
	}
	return 0
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

// tellVersion prints the version of the compiler, or the linker, with ours.
func tellVersion(args []string, ours string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		fmt.Println(versioned(string(bytes.TrimSpace(out)), ours))
	}
	return ended(err)
}

// versioned adds our version to a compiler's or linker's line about its own. Of a released version the go command uses
// the whole line. Of any other it uses only the last word, a hash in parts, of which the last one counts, so ours has
// to become part of that word.
func versioned(line, ours string) string {
	if strings.Contains(line, " devel ") {
		return line + "+" + ours
	}
	return line + " " + ours
}

// flags returns the flags for the compiler. The helpers need type parameters, which are in the language since Go 1.18
// and have changed nothing in programs without them.
func (c *compilation) flags() []string {
	const needed = "go1.18"
	if !c.helped || c.lang == "" || goversion.Compare(c.lang, needed) >= 0 {
		return c.given
	}
	return append(c.given[:len(c.given):len(c.given)], "-lang="+needed) // the last such flag counts
}

// compilation is one run of the compiler.
type compilation struct {
	path     string   // the path of the package
	lang     string   // the version of Go, as "go1.26"; empty: the compiler's
	imports  string   // the file that lists where the compiled packages are
	out      string   // the output file
	products bool     // whether products are rounded, too
	given    []string // the flags, as they were given
	files    []string

	instead map[string]string // replacements of files, by their paths
	helped  bool              // whether a file of helpers was added
}

// read parses the arguments of the compiler.
func read(args []string) (c compilation) {
	at := len(args)
	for at > 0 && strings.HasSuffix(args[at-1], ".go") {
		at--
	}
	c.given, c.files = args[:at], args[at:]
	for i, word := range c.given {
		name, value, has := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !strings.HasPrefix(word, "-") {
			continue
		}
		if !has && i+1 < at {
			value = c.given[i+1]
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
		}
	}
	return c
}
