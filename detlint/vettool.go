package detlint

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/unit"
)

// asked reports whether the arguments are those with which go vet -vettool runs a tool.
func asked(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// vettool answers go vet: its version, its flags, and what it finds in one package.
func vettool(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("detlint", flag.ContinueOnError)
	flags.SetOutput(errs)
	tests := flags.Bool("tests", false, "examine games in tests, too")
	floats := flags.String("floats", "some", floatsUsage)
	strict := flags.Bool("strict", false, "the same as -floats strict")
	unproved := flags.Bool("unproved", false, "what could not be followed is a finding, too")
	_ = flags.Bool("json", false, "JSON, from which go vet makes text")
	var err error
	switch {
	case args[0] == "-V=full":
		err = version(out)
	case args[0] == "-flags":
		err = describe(out, flags)
	default:
		if flags.Parse(args) != nil {
			return 2
		}
		err = vet(flags.Arg(0), unit.Asked{Tests: *tests, Unproved: *unproved, Strict: *strict || *floats == "strict", Options: rules.Options{NoFloats: *floats == "none"}})
	}
	if err != nil {
		fmt.Fprintln(errs, "detlint:", err)
		return 1
	}
	return 0
}

// version prints a hash of this program: go vet caches the findings of each version.
func version(out io.Writer) error {
	name, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "detlint version devel buildID=%x\n", h.Sum(nil))
	return err
}

// describe lists the flags.
func describe(out io.Writer, flags *flag.FlagSet) error {
	type known struct {
		Name  string
		Bool  bool
		Usage string
	}
	var list []known
	flags.VisitAll(func(f *flag.Flag) {
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		list = append(list, known{f.Name, ok && b.IsBoolFlag(), f.Usage})
	})
	return json.NewEncoder(out).Encode(list)
}

// vet examines a package, and writes the findings where go vet expects them.
func vet(config string, asked unit.Asked) error {
	c, err := unit.ReadConfig(config)
	if err != nil {
		return err
	}
	found, err := c.Examine(asked)
	if err != nil || c.VetxOnly || len(found) == 0 {
		return err
	}
	list := make([]diagnostic, 0, len(found))
	for _, f := range found {
		list = append(list, diagnose(f))
	}
	b, err := json.Marshal(map[string]map[string][]diagnostic{c.ID: {"detlint": list}})
	if err != nil || c.Stdout == "" {
		return err
	}
	return os.WriteFile(c.Stdout, b, 0o666)
}

// diagnostic is a finding in the form that go vet reads.
type diagnostic struct {
	Category       string         `json:"category,omitempty"`
	Posn           string         `json:"posn"`
	End            string         `json:"end"`
	Message        string         `json:"message"`
	SuggestedFixes []suggestedFix `json:"suggested_fixes,omitempty"`
	Related        []related      `json:"related,omitempty"`
}

type suggestedFix struct {
	Message string     `json:"message"`
	Edits   []textEdit `json:"edits"`
}

type textEdit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

type related struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

func diagnose(f report.Finding) diagnostic {
	at := f.Position.String()
	d := diagnostic{Category: f.Rule, Posn: at, End: at, Message: f.Text()}
	for i := range f.Chain {
		at := f.Chain[i].Position.String()
		d.Related = append(d.Related, related{at, at, f.Call(i)})
	}
	if len(f.Edits) > 0 {
		fix := suggestedFix{Message: f.Fix}
		for _, e := range f.Edits {
			fix.Edits = append(fix.Edits, textEdit{e.File, e.Start, e.End, e.Text})
		}
		d.SuggestedFixes = []suggestedFix{fix}
	}
	return d
}
