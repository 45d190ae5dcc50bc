package strict

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// An arguments has the arguments of the go command after its own command, and those of GOFLAGS. Flags that we have to
// extend are kept separately.
type arguments struct {
	chdir    string   // the value of -C, which must be the first flag
	compiler []string // values of -gcflags, in the order in which the go command evaluates them
	linker   []string // values of -ldflags
	overlay  string   // the value of -overlay; empty if there is none
	strict   bool     // whether our own flag --strict was given
	rest     []string // all other arguments, unchanged
}

// switches are flags of the go command without a value.
var switches = []string{
	"a", "n", "x", "v", "work", "race", "msan", "asan", "cover", "linkshared", "modcacherw", "trimpath", "buildvcs", "json", "i", "c", "short", "failfast",
	"benchmem", "fullpath", "artifacts", "h", "help", "strict",
}

// valued are flags of the go command that always have a value, whatever the value looks like.
var valued = []string{
	"C", "p", "covermode", "coverpkg", "asmflags", "buildmode", "compiler", "gccgoflags", "gcflags", "installsuffix", "ldflags", "mod", "modfile", "overlay", "pgo",
	"pkgdir", "tags", "toolexec", "o", "exec", "vet", "bench", "benchtime", "blockprofile", "blockprofilerate", "count", "coverprofile", "cpu", "cpuprofile", "fuzz",
	"fuzzminimizetime", "fuzztime", "list", "memprofile", "memprofilerate", "mutexprofile", "mutexprofilefraction", "outputdir", "parallel", "run", "shuffle", "skip",
	"timeout", "trace",
}

// takesValue reports whether a flag without an equals sign takes the next word as its value. A test's own flags may
// or may not have a value: as in the go command, a word that looks like another flag is not one.
func takesValue(name string, next []string) bool {
	name = strings.TrimPrefix(name, "test.")
	return slices.Contains(valued, name) || !slices.Contains(switches, name) && len(next) > 0 && !isFlag(next[0])
}

// read parses GOFLAGS, and the arguments of go build, test or run. With all, flags may come after packages, as in go
// test. The error is the first one; parsing continues after it.
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

// modules returns the flags that select modules.
func (a *arguments) modules() []string { return a.flags("mod", "modfile") }

// chosen returns the flags that select modules and files.
func (a *arguments) chosen() []string {
	list := a.flags("mod", "modfile", "tags")
	if a.overlay != "" {
		list = append(list, "-overlay="+a.overlay)
	}
	return list
}

// files returns the files of a program that are given instead of a package.
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

// flags returns the flags with these names, each in one word.
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

// ofBuilds are flags that determine what is built, and that apply to any target.
var ofBuilds = []string{"tags", "mod", "modfile", "modcacherw", "trimpath", "buildvcs", "pgo", "p", "asmflags", "compiler"}

// builds returns those flags that determine what is built, without those for running tests, for the race detector, and
// so on.
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

// modfiles returns the files that the -modfile flags in a list name.
func modfiles(flags []string) (list []string) {
	for _, f := range flags {
		if _, file, ok := strings.Cut(f, "modfile="); ok {
			list = append(list, file)
		}
	}
	return list
}

// meant returns an error for an unknown flag that was probably meant to be our --strict: the go command would only say
// that it does not know it.
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

// take stores the value of a flag that we have to extend or to know, and reports whether it is such a flag.
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

// another adds a value to a list; an empty value removes those before it.
func another(list []string, value string) []string {
	if strings.TrimSpace(value) == "" {
		return nil
	}
	return append(list, value)
}

// with returns all arguments for the go command. To those that were given, it adds flags for the compiler and the
// linker, an overlay if there is one, and in between the program that runs the tools of the go command. The given
// flags keep their patterns: if several match a package, the last one counts, and all of them have our flags.
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

// split splits a value of GOFLAGS like the go command: at spaces, and a word may be in quotes of either kind.
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
