package scaffold

import (
	"errors"
	"fmt"
	"go/build/constraint"
	"go/format"
	"io/fs"
	"path"
	"strings"
)

// form is what kind of game a new module has. The files of the starter have the parts of all forms, each of them once:
//
//   - A file of code whose first line is a build constraint on starter_server, starter_world or starter_window is only in the forms
//     that satisfy it. With these tags, the go command compiles in this repository what is in a module.
//   - The lines from //starter:server to //starter:end are only in the form with a server, and so are those from
//     //starter:!world in forms without a world, and so on. In Markdown the marks are comments: <!-- starter:server -->.
//     Without tags, the go command compiles all of these lines, so that they must not contradict each other.
//
// Marks and constraints are not in a module.
type form struct {
	server bool // a server owns the match
	world  bool // the state is a world
	window bool // there is a program with a window
}

// tag is the prefix of the build tags of forms.
const tag = "starter_"

// has returns whether a condition names a part of the form.
func (f form) has(name string) bool {
	switch name {
	case "server":
		return f.server
	case "world":
		return f.world
	case "window":
		return f.window
	}
	return false
}

// flags returns the flags that choose the form.
func (f form) flags() (list []string) {
	for _, name := range []string{"server", "world", "window"} {
		if f.has(name) {
			list = append(list, "--"+name)
		}
	}
	return list
}

// first returns the commands with which one plays a new game for the first time.
func (f form) first() string {
	if f.server {
		return "  go run . serve                  # and in other terminals:\n  go run . join 127.0.0.1:7000\n  go run . bots 127.0.0.1:7000 --count 2\n"
	}
	return "  go run ./pack\n  go run . play --web web --open\n"
}

// satisfies reports whether the form satisfies a condition, in the syntax of build constraints.
func (f form) satisfies(condition string) (bool, error) {
	expr, err := constraint.Parse("//go:build " + condition)
	if err != nil {
		return false, err
	}
	var unknown string
	is := expr.Eval(func(name string) bool {
		if name != "server" && name != "world" && name != "window" {
			unknown = name
		}
		return f.has(name)
	})
	if unknown != "" {
		return false, fmt.Errorf("no form is called %q", unknown)
	}
	return is, nil
}

// files returns the files of a module in this form, by their names in it, with the names of the starter in them.
func (f form) files() (map[string]string, error) {
	files := map[string]string{}
	return files, fs.WalkDir(starter, starterName, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := starter.ReadFile(name)
		if err != nil {
			return err
		}
		text, err := f.of(name, string(b))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if text != "" {
			files[strings.TrimSuffix(strings.TrimPrefix(name, starterName+"/"), ".txt")] = text
		}
		return nil
	})
}

// of returns the text that a file of the starter has in this form. It is empty if the form does not have the file.
func (f form) of(name, text string) (string, error) {
	code := path.Ext(strings.TrimSuffix(name, ".txt")) == ".go"
	if first, rest, _ := strings.Cut(text, "\n"); code && constraint.IsGoBuild(first) && strings.Contains(first, tag) {
		is, err := f.satisfies(strings.ReplaceAll(strings.TrimPrefix(first, "//go:build "), tag, ""))
		if err != nil || !is {
			return "", err
		}
		text = rest
	}
	text, err := f.parts(text)
	switch {
	case err != nil || strings.TrimSpace(text) == "":
		return "", err
	case !code:
		return text, nil
	}
	formatted, err := format.Source([]byte(strings.TrimLeft(text, "\n")))
	return string(formatted), err
}

// parts returns a text without the lines of other forms, and without the marks.
func (f form) parts(text string) (string, error) {
	var b strings.Builder
	in := []bool{true} // whether each of the parts that a line is in belongs to the form
	for line := range strings.Lines(text) {
		mark, is := markIn(line)
		switch {
		case is && mark == "end" && len(in) > 1:
			in = in[:len(in)-1]
		case is && mark == "end":
			return "", errors.New("a part ends that has not begun")
		case is:
			ours, err := f.satisfies(mark)
			if err != nil {
				return "", err
			}
			in = append(in, ours && in[len(in)-1])
		case in[len(in)-1]:
			b.WriteString(line)
		}
	}
	if len(in) > 1 {
		return "", errors.New("a part does not end")
	}
	return b.String(), nil
}

// markIn returns the condition in a line that is a mark.
func markIn(line string) (condition string, ok bool) {
	line = strings.TrimSpace(line)
	if mark, ok := strings.CutPrefix(line, "//starter:"); ok {
		return mark, true
	}
	if mark, ok := strings.CutPrefix(line, "<!-- starter:"); ok {
		return strings.CutSuffix(mark, " -->")
	}
	return "", false
}
