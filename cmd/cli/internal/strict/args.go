package strict

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// An arguments is what the go command is given after its own command, and GOFLAGS, with the flags that we have to add to.
type arguments struct {
	chdir    string   // of -C, which has to be the first flag
	compiler []string // values of -gcflags, in the order in which the go command looks at them
	linker   []string // of -ldflags
	overlay  string   // of -overlay; empty: none
	strict   bool     // --strict was given, which is ours
	rest     []string // all others, as they are
}

// switches are flags of the go command that take no value of their own.
var switches = []string{
	"a", "n", "x", "v", "work", "race", "msan", "asan", "cover", "linkshared", "modcacherw", "trimpath", "buildvcs", "json", "i", "c", "short", "failfast",
	"benchmem", "fullpath", "artifacts", "h", "help", "strict",
}

// valued are those that take one, whatever it looks like.
var valued = []string{
	"C", "p", "covermode", "coverpkg", "asmflags", "buildmode", "compiler", "gccgoflags", "gcflags", "installsuffix", "ldflags", "mod", "modfile", "overlay", "pgo",
	"pkgdir", "tags", "toolexec", "o", "exec", "vet", "bench", "benchtime", "blockprofile", "blockprofilerate", "count", "coverprofile", "cpu", "cpuprofile", "fuzz",
	"fuzzminimizetime", "fuzztime", "list", "memprofile", "memprofilerate", "mutexprofile", "mutexprofilefraction", "outputdir", "parallel", "run", "shuffle", "skip",
	"timeout", "trace",
}

// takesValue reports whether a flag without an equals sign has the next word for its value. Flags of a test's own may have one or
// not: as the go command has it, what looks like another flag is none.
func takesValue(name string, next []string) bool {
	name = strings.TrimPrefix(name, "test.")
	return slices.Contains(valued, name) || !slices.Contains(switches, name) && len(next) > 0 && !isFlag(next[0])
}

// read takes GOFLAGS, and the arguments of go build, test or run. With all, flags may stand behind packages, as go test has it.
// The error is the first one; what can be read is read in spite of it.
func read(goflags, args []string, all bool) (*arguments, error) {
	a := new(arguments)
	var failed error
	for _, f := range goflags {
		name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		_, err := a.take(name, value)
		failed = cmp.Or(failed, err)
	}
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch {
		case word == "--" || word == "-args" || word == "--args" || !isFlag(word) && !all:
			a.rest = append(a.rest, args[i:]...)
			return a, failed
		case !isFlag(word):
			a.rest = append(a.rest, word)
			continue
		}
		name, value, has := strings.Cut(strings.TrimLeft(word, "-"), "=")
		words := args[i : i+1]
		if !has && takesValue(name, args[i+1:]) {
			if i++; i == len(args) {
				return a, cmp.Or(failed, fmt.Errorf("flag needs an argument: -%s", name))
			}
			value, words = args[i], args[i-1:i+1]
		}
		taken, err := a.take(name, value)
		failed = cmp.Or(failed, err)
		if !taken {
			a.rest = append(a.rest, words...)
		}
	}
	return a, failed
}

// modules are the flags that choose modules.
func (a *arguments) modules() []string { return a.flags("mod", "modfile") }

// chosen are the flags that choose modules and files.
func (a *arguments) chosen() []string {
	list := a.flags("mod", "modfile", "tags")
	if a.overlay != "" {
		list = append(list, "-overlay="+a.overlay)
	}
	return list
}

// files are the files of a program that are named in the place of a package.
func (a *arguments) files() (list []string) {
	for _, w := range a.rest {
		switch {
		case strings.HasSuffix(w, ".go") && !isFlag(w):
			list = append(list, w)
		case len(list) > 0:
			return list
		}
	}
	return list
}

// flags are those of these names, each in one word.
func (a *arguments) flags(names ...string) (list []string) {
	for i := 0; i < len(a.rest); i++ {
		word := a.rest[i]
		if word == "--" || word == "-args" || word == "--args" {
			break
		}
		if !isFlag(word) {
			continue
		}
		name, _, has := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !has && takesValue(name, a.rest[i+1:]) && i+1 < len(a.rest) {
			i++
			word += "=" + a.rest[i]
		}
		if slices.Contains(names, name) {
			list = append(list, word)
		}
	}
	return list
}

// ofBuilds are flags that decide what is built, and that hold for any target.
var ofBuilds = []string{"tags", "mod", "modfile", "modcacherw", "trimpath", "buildvcs", "pgo", "p", "asmflags", "compiler"}

// builds are the flags that were given for what is built: not those for how a test is run, nor for its race detector, and such.
func (a *arguments) builds() []string {
	list := a.flags(ofBuilds...)
	for _, v := range a.compiler {
		list = append(list, "-gcflags="+v)
	}
	for _, v := range a.linker {
		list = append(list, "-ldflags="+v)
	}
	if a.overlay != "" {
		list = append(list, "-overlay="+a.overlay)
	}
	return list
}

// modfiles are the files that such flags name.
func modfiles(flags []string) (list []string) {
	for _, f := range flags {
		if _, file, ok := strings.Cut(f, "modfile="); ok {
			list = append(list, file)
		}
	}
	return list
}

// meant returns an error about a flag that the go command does not know, and that was meant to be --strict, which is ours:
// the go command says of it only that it is not its own.
func meant(command string, args []string) error {
	for _, word := range args {
		name := strings.TrimLeft(word, "-")
		switch {
		case word == "--" || word == "-args" || word == "--args":
			return nil
		case isFlag(word) && name != "strict" && console.Nearest(name, []string{"strict"}) != "":
			return console.Usagef("%s has no flag %s; did you mean --strict?", command, word)
		}
	}
	return nil
}

func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

// take keeps the value of a flag to which we have to add, or which we have to know, and reports whether it is one.
func (a *arguments) take(name, value string) (taken bool, err error) {
	switch name {
	case "strict":
		a.strict = true
	case "C":
		a.chdir = value
	case "gcflags":
		if strings.Contains(value, "fmahash") {
			return false, errors.New("-gcflags has a fmahash of its own, which --strict gives")
		}
		if strings.Contains(value, "softfloat") {
			return false, errors.New("-gcflags has softfloat: strict builds need a processor with floats, since software rounds sums of the least ones wrongly")
		}
		a.compiler = another(a.compiler, value)
	case "ldflags":
		a.linker = another(a.linker, value)
	case "overlay":
		a.overlay = value
	case "toolexec":
		return false, errors.New("-toolexec: the go command takes one, and --strict gives it")
	case "compiler":
		if value != "gc" {
			return false, fmt.Errorf("-compiler=%s: only the compiler of the Go project can build floats that are the same everywhere", value)
		}
		return false, nil
	default:
		return false, nil
	}
	return true, nil
}

// another adds a value; an empty one takes back those before.
func another(list []string, value string) []string {
	if strings.TrimSpace(value) == "" {
		return nil
	}
	return append(list, value)
}

// with returns all arguments of the go command, which adds these flags of the compiler and of the linker to those that were
// given, and has this overlay, if there is one, and this program between it and its tools. What was given keeps its patterns: where several match a package, the last one counts, and
// all of them have ours.
func (a *arguments) with(compiler, linker, overlay, between string) []string {
	var out []string
	if a.chdir != "" {
		out = append(out, "-C="+a.chdir)
	}
	if overlay != "" {
		out = append(out, "-overlay="+overlay)
	}
	out = append(out, "-toolexec="+between)
	if compiler != "" {
		out = append(out, "-gcflags=all="+compiler)
	}
	for _, v := range a.compiler {
		out = append(out, "-gcflags="+strings.TrimSpace(v+" "+compiler))
	}
	out = append(out, "-ldflags="+linker)
	for _, v := range a.linker {
		out = append(out, "-ldflags="+v+" "+linker)
	}
	return append(out, a.rest...)
}

// split splits a value of GOFLAGS as the go command does: at spaces, and a word may stand in quotes of either kind.
func split(text string) (words []string, err error) {
	for {
		text = strings.TrimLeft(text, " \t\n\r")
		if text == "" {
			return words, nil
		}
		if q := text[0]; q == '"' || q == '\'' {
			end := strings.IndexByte(text[1:], q)
			if end < 0 {
				return nil, fmt.Errorf("%s: a quote that does not end", text)
			}
			words, text = append(words, text[1:1+end]), text[2+end:]
			continue
		}
		end := strings.IndexAny(text, " \t\n\r")
		if end < 0 {
			end = len(text)
		}
		words, text = append(words, text[:end]), text[end:]
	}
}
