package detlint

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/tickback/tickback/detlint/internal/facts"
	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/unit"
)

// Analyzer examines one package for a driver of analyzers, such as an editor. A problem in an imported package is
// reported at the call in the package's own files that leads there. It does not read the source of generic functions
// of other packages; go vet -vettool does.
var Analyzer = &analysis.Analyzer{
	Name:      "detlint",
	Doc:       "finds what can make the machines of a match diverge\n\nIt examines everything that the functions reach that are given to a game of Tickback, and those with the comment //tickback:deterministic.",
	URL:       "https://pkg.go.dev/github.com/tickback/tickback/detlint",
	FactTypes: []analysis.Fact{(*known)(nil)},

	RunDespiteErrors: true, // packages that import this one are examined without it
}

var (
	noFloats = Analyzer.Flags.Bool("nofloats", false, "any float in a step is a finding")
	strict   = Analyzer.Flags.Bool("strict", false, "floats are judged as in a strict build")
	unproved = Analyzer.Flags.Bool("unproved", false, "what could not be followed is a finding, too")
)

func init() { Analyzer.Run = analyze } // in init, because analyze reads the flag, which belongs to the analyzer

// known is the fact that is stored about a package, and those that it imports.
type known struct{ Facts []byte }

// AFact marks known as a fact.
func (*known) AFact() {}

// String returns the size of the facts, for tools that print what is stored about a package.
func (k *known) String() string { return fmt.Sprintf("%d bytes", len(k.Facts)) }

func analyze(pass *analysis.Pass) (any, error) {
	if std.Known(pass.Pkg.Path()) {
		return nil, nil
	}
	set := &facts.Set{}
	for _, i := range pass.Pkg.Imports() {
		var k known
		if pass.ImportPackageFact(i, &k) {
			if err := set.Merge(k.Facts); err != nil {
				return nil, fmt.Errorf("the facts of %s: %w", i.Path(), err)
			}
		}
	}
	if usesC(pass.Files) || len(pass.TypeErrors) > 0 { // gopls passes files with C unchanged, which cannot be compiled
		pass.ExportPackageFact(&known{set.Append(nil)})
		return nil, nil
	}
	u := &unit.Unit{
		Fset: pass.Fset, Files: pass.Files, Ignored: pass.IgnoredFiles, Pkg: pass.Pkg, Info: pass.TypesInfo, Imports: set,
		Options: rules.Options{NoFloats: *noFloats}, Strict: *strict, Unproved: *unproved,
	}
	if pass.Module != nil {
		u.Module = pass.Module.Path
	}
	found, err := u.Examine()
	if err != nil {
		return nil, err
	}
	pass.ExportPackageFact(&known{set.Append(nil)})
	r := reporter{pass, map[string]*token.File{}}
	for _, f := range pass.Files {
		t := pass.Fset.File(f.FileStart)
		r.files[pass.Fset.Position(f.FileStart).Filename] = t
	}
	for _, f := range found {
		r.report(f)
	}
	return nil, nil
}

// usesC reports whether a file imports C. The output of cgo does not.
func usesC(files []*ast.File) bool {
	return slices.ContainsFunc(files, func(f *ast.File) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
	})
}

// reporter turns findings into diagnostics.
type reporter struct {
	pass  *analysis.Pass
	files map[string]*token.File // the files of the package, by name
}

// pos returns the position of a place, if it is in the files of the package.
func (r reporter) pos(at token.Position) token.Pos {
	if t := r.files[at.Filename]; t != nil && at.Offset <= t.Size() {
		return t.Pos(at.Offset)
	}
	return token.NoPos
}

func (r reporter) report(f report.Finding) {
	d := analysis.Diagnostic{Category: f.Rule, Pos: r.pos(f.Position), Message: f.Text()}
	for i := range f.Chain {
		at := r.pos(f.Chain[i].Position)
		if !at.IsValid() {
			continue
		}
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: at, Message: f.Call(i)})
		if !r.pos(f.Position).IsValid() {
			d.Pos = at
			d.Message = fmt.Sprintf("this leads to %s:%d: %s", f.Position.Filename, f.Position.Line, f.Text())
		}
	}
	if !d.Pos.IsValid() { // for a root in another package: this one only completes the program
		d.Pos = r.pass.Files[0].Package
		d.Message = fmt.Sprintf("in this program: %s:%d: %s", f.Position.Filename, f.Position.Line, f.Text())
	}
	if fix, ok := r.fix(f); ok {
		d.SuggestedFixes = []analysis.SuggestedFix{fix}
	}
	r.pass.Report(d)
}

// fix returns the edits of a finding, if all of them are in the package.
func (r reporter) fix(f report.Finding) (analysis.SuggestedFix, bool) {
	fix := analysis.SuggestedFix{Message: f.Fix}
	for _, e := range f.Edits {
		t := r.files[e.File]
		if t == nil || e.Start > e.End || e.End > t.Size() {
			return fix, false
		}
		fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{Pos: t.Pos(e.Start), End: t.Pos(e.End), NewText: []byte(e.Text)})
	}
	return fix, len(f.Edits) > 0
}
