package cli_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/portable/strict"
)

// A program with a game of its own is called turnip here. No server can own the matches of the one game, as of most.
var (
	turnip       = func() *cobra.Command { return cli.Tree("turnip", toy(unserved)) }
	servedTurnip = func() *cobra.Command { return cli.Tree("turnip", toy(nil)) }
)

func unserved(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Served = nil }

// every yields a command and all below it.
func every(c *cobra.Command, yield func(*cobra.Command)) {
	yield(c)
	for _, below := range c.Commands() {
		every(below, yield)
	}
}

// namesOf returns the names of all commands that a program of any game can have, at any level.
func namesOf(root *cobra.Command) map[string]bool {
	names := map[string]bool{}
	every(root, func(c *cobra.Command) { names[c.Name()] = true })
	delete(names, root.Name())
	delete(names, "toy")
	return names
}

var (
	ofTickback = regexp.MustCompile(`(^|[^/\w.-])tickback ([a-z]+)`)
	ofTurnip   = regexp.MustCompile(`\bturnip ([a-z]+(?: [a-z]+)?)`)
	quoted     = regexp.MustCompile(`["` + "`" + `]([a-z]+(?: [a-z]+)*)(?: --[^"]*)?["` + "`" + `]|\bthe command ([a-z]+)`)
)

// wrongIn returns the commands that a text of this program names, and that it does not have. at is the command whose
// text it is: a command next to it, or below it, is named by its last word.
func wrongIn(text string, root, at *cobra.Command, names map[string]bool) (wrong []string) {
	for _, m := range ofTickback.FindAllStringSubmatch(text, -1) {
		if names[m[2]] {
			wrong = append(wrong, "tickback "+m[2])
		}
	}
	for _, m := range ofTurnip.FindAllStringSubmatch(text, -1) {
		if !has(root, m[1], names) {
			wrong = append(wrong, "turnip "+m[1])
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		words := m[1] + m[2]
		first, _, _ := strings.Cut(words, " ")
		if names[first] && !has(root, words, names) && !has(at, words, names) && (at.Parent() == nil || !has(at.Parent(), words, names)) {
			wrong = append(wrong, words)
		}
	}
	return wrong
}

// has reports whether the words begin with a command below another one. A further word that is the name of a command
// has to be one below that.
func has(c *cobra.Command, words string, names map[string]bool) bool {
	for n, word := range strings.Fields(words) {
		i := slices.IndexFunc(c.Commands(), func(below *cobra.Command) bool { return below.Name() == word })
		switch {
		case i >= 0:
			c = c.Commands()[i]
		case n == 0 || names[word] || c.HasSubCommands():
			return false
		default:
			return true // it is an argument
		}
	}
	return true
}

// Rule: help of a program with a game of its own names no command that the program does not have, nor the program
// tickback, which its user may not have.
func TestHelpNamesCommandsThatThereAre(t *testing.T) {
	names := namesOf(servedTurnip())
	for _, root := range []*cobra.Command{turnip(), servedTurnip()} {
		texts := 0
		every(root, func(c *cobra.Command) {
			all := []string{c.Short, c.Long, c.Example}
			c.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Usage) })
			for _, text := range all {
				texts++
				if inside(c, "completion") {
					continue // cobra's own
				}
				for _, wrong := range wrongIn(text, root, c, names) {
					t.Errorf("%s names %q, in\n%s", c.CommandPath(), wrong, text)
				}
			}
		})
		if texts < 300 {
			t.Errorf("only %d texts", texts)
		}
	}
}

// inside reports whether a command is one of this name, or below it.
func inside(c *cobra.Command, name string) bool {
	for ; c != nil; c = c.Parent() {
		if c.Name() == name {
			return true
		}
	}
	return false
}

// linked is a package of ours that a program with a game of its own has.
type linked struct {
	ImportPath, Dir string
	GoFiles         []string
	Module          *struct{ Path string }
}

// Rule: no message of all that is linked into such a program names the program tickback, or a command that only some
// programs have. What only games of a server have is named by their own commands alone.
func TestMessagesNameCommandsThatThereAre(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,Module", "github.com/tickback/tickback/cmd/cli")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	names, plain, served := namesOf(servedTurnip()), turnip(), servedTurnip()
	literals := 0
	for list := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p linked
		if err := list.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module == nil || !strings.HasPrefix(p.Module.Path, "github.com/tickback/tickback") {
			continue
		}
		root := plain
		if strings.HasSuffix(p.ImportPath, "/cli/internal/server") {
			root = served
		}
		for _, name := range p.GoFiles {
			texts, err := messages(filepath.Join(p.Dir, name), nil)
			if err != nil {
				t.Fatal(err)
			}
			literals += len(texts)
			for _, text := range texts {
				for _, wrong := range wrongIn(text, root, root, names) {
					t.Errorf("%s/%s names %q, in\n%s", p.ImportPath, name, wrong, text)
				}
			}
		}
	}
	if literals < 2000 {
		t.Errorf("only %d texts", literals)
	}
}

// messages returns the texts in a file of code: those that are converted to bytes are for programs, and paths of
// imports are not for people either.
func messages(path string, source any) (texts []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			_, bytes := n.Fun.(*ast.ArrayType)
			return !bytes
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && strings.Contains(text, " ") {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts, nil
}

// Rule: what the two tests above look for is found.
func TestWrongMentionsAreFound(t *testing.T) {
	names, root, served := namesOf(servedTurnip()), turnip(), servedTurnip()
	for text, want := range map[string]string{
		`build it by "tickback build --strict"`:                          "tickback build",
		`what "tickback vet" finds`:                                      "tickback vet",
		`"go run github.com/tickback/tickback/cmd/tickback vet ./rules"`: "",
		`Tickback has what tickback is, and tickback plays`:              "",
		`"turnip build --strict"`:                                        "",
		`see turnip serve --help`:                                        "turnip serve",
		`turnip toy serve --listen :7000`:                                "turnip toy serve",
		`turnip replay verfy x.tbr`:                                      "turnip replay verfy",
		`turnip replay verify x.tbr`:                                     "",
		`a server, which "serve" runs`:                                   "serve",
		`see the command serve, or "replay verify"`:                      "serve",
		`the command play serves "everything else"`:                      "",
	} {
		if got := strings.Join(wrongIn(text, root, root, names), ", "); got != want {
			t.Errorf("%s: found %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{`which "serve" runs`, "turnip serve", "turnip toy serve"} {
		if got := wrongIn(text, served, served, names); len(got) > 0 {
			t.Errorf("of a game of a server, %s: found %q", text, got)
		}
	}
	texts, err := messages("x.go", "package x\n\nimport \"a b\"\n\nvar x, y = \"tickback build it\", []byte(\"tickback token\")\n")
	if err != nil || fmt.Sprint(texts) != "[tickback build it]" {
		t.Errorf("%q, %v", texts, err)
	}
}

// Rule: once a program has a command line, errors of the library name its commands by its own name, and those that it
// does not have by what works in every module.
func TestErrorsNameThisProgram(t *testing.T) {
	if _, stderr, code := clitest.Run(t, nil, "version"); code != 0 {
		t.Fatal(stderr)
	}
	for words, want := range map[string]string{
		"build --strict": `"toybox build --strict"`,
		"bake --strict":  `"go run github.com/tickback/tickback/cmd/tickback bake --strict"`,
	} {
		if got := strict.Command(words); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
	if _, err := strict.Proof(); err == nil || !strings.Contains(err.Error(), `build --strict"`) {
		t.Errorf("a plain build: %v", err)
	}
}
