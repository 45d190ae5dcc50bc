package strict

import (
	"slices"
	"strings"
	"sync/atomic"
)

// tool runs Tickback's command line of the version that a module requires. Unlike the name of a program it is the same on
// every machine, and is in no PATH.
const tool = "go run github.com/tickback/tickback/cmd/tickback"

// program is a program that has commands of Tickback.
type program struct {
	name     string
	commands []string
}

// own is this program, if it has commands.
var own atomic.Pointer[program]

// Provide says that this program is called name and has these commands of Tickback, by their names, so that [Command]
// names it. Package cmd/cli calls it; with no commands, the program has none. It keeps a copy of the slice.
func Provide(name string, commands []string) {
	own.Store(&program{name, slices.Clone(commands)})
}

// Command returns what to type to run a command of Tickback, in quotes, for errors and help: words are the command and
// its arguments, such as build --strict. It is a command of this program, if that has it (see [Provide]), and otherwise
// one that works in every module that requires Tickback's command line.
func Command(words string) string {
	verb, _, _ := strings.Cut(words, " ")
	by := tool
	//detlint:ignore concurrency it is set when the program begins, and decides the words of errors alone
	if p := own.Load(); p != nil && slices.Contains(p.commands, verb) {
		by = p.name
	}
	return `"` + by + " " + words + `"`
}
