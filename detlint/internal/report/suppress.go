package report

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/rules"
)

// Prefix begins a comment that suppresses findings: //detlint:ignore RULE[,RULE] reason. It applies to its own line,
// or to the next one if it stands alone: to findings there, and to those in functions called there. Above the
// declaration of a function it applies to the function, and above the package clause to the file.
const Prefix = "//detlint:ignore"

// Ignore is a comment that suppresses findings.
type Ignore struct {
	At    token.Position
	Line  int // the line to which it applies
	Last  int // the last one, if it applies to more
	Rules []string

	Reason string
}

// Suppress removes the findings that comments suppress, and returns them separately. Some comments are findings of
// the rule "ignore": those without a reason, those with unknown rules, and in files of own those that suppress
// nothing. unreached returns the functions in these files that the roots do not reach: a comment there may be meant
// for other roots.
func Suppress(fset *token.FileSet, files []*ast.File, own map[string]bool, unreached func(files map[string]bool) []*reach.Func, list []Finding) (kept []Finding, trusted []Trusted) {
	all, wrong := Ignores(fset, files)
	kept, trusted, used := Filter(all, list)
	for _, f := range wrong {
		if own[f.Position.Filename] {
			kept = append(kept, f)
		}
	}
	var idle []Ignore
	in := map[string]bool{}
	for i, s := range all {
		if !used[i] && own[s.At.Filename] {
			idle, in[s.At.Filename] = append(idle, s), true
		}
	}
	if len(idle) > 0 {
		code := CodeOf(slices.Values(unreached(in)))
		for _, s := range idle {
			if !code.Answers(s) {
				kept = append(kept, s.Unused())
			}
		}
	}
	Order(kept)
	return kept, trusted
}

// Ignores returns the comments in files that suppress findings, and findings about invalid ones.
func Ignores(fset *token.FileSet, files []*ast.File) (list []Ignore, wrong []Finding) {
	for _, f := range files {
		found, bad := comments(fset, f)
		list, wrong = append(list, found...), append(wrong, bad...)
	}
	return list, wrong
}

// Filter removes the findings that comments suppress, and returns the indices of the comments that do so.
func Filter(comments []Ignore, list []Finding) (kept []Finding, trusted []Trusted, used map[int]bool) {
	byFile := map[string][]int{}
	for i, s := range comments {
		byFile[s.At.Filename] = append(byFile[s.At.Filename], i)
	}
	used = map[int]bool{}
	for _, f := range list {
		by := -1
		for _, at := range f.places() {
			for _, i := range byFile[at.Filename] {
				if s := comments[i]; s.Line <= at.Line && at.Line <= max(s.Line, s.Last) && slices.Contains(s.Rules, f.Rule) {
					used[i], by = true, i
				}
			}
		}
		if by < 0 {
			kept = append(kept, f)
		} else {
			trusted = append(trusted, Trusted{f, comments[by].Reason})
		}
	}
	return kept, trusted, used
}

// places returns where a comment can suppress a finding: at the finding, and at a call on the path to it.
func (f Finding) places() []token.Position {
	list := []token.Position{f.Position}
	for i, step := range f.Chain {
		if i > 0 || f.Rule == "copies" {
			list = append(list, step.Position)
		}
	}
	return list
}

// Unused returns the finding that a comment suppresses nothing.
func (s Ignore) Unused() Finding {
	return complaint(s.At, "it suppresses nothing: there is no finding of %s", strings.Join(s.Rules, ", "))
}

// comments returns the suppressions in a file.
func comments(fset *token.FileSet, f *ast.File) (list []Ignore, wrong []Finding) {
	code, whole := lines(fset, f), extents(fset, f)
	for _, g := range f.Comments {
		for _, c := range g.List {
			rest, ok := strings.CutPrefix(c.Text, Prefix)
			if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
				continue
			}
			at := fset.Position(c.Pos())
			names, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
			s := Ignore{At: at, Line: at.Line, Rules: strings.Split(names, ","), Reason: strings.TrimSpace(reason)}
			if !code[at.Line] {
				s.Line = following(fset, g, c)
				s.Last = whole[s.Line]
				if s.Line == fset.Position(f.Package).Line {
					s.Line = 1
				}
			}
			if w := s.check(reason); w != nil {
				wrong = append(wrong, *w)
			} else {
				list = append(list, s)
			}
		}
	}
	return list, wrong
}

// following returns the line after a comment on a line of its own, or after the comment's group.
func following(fset *token.FileSet, g *ast.CommentGroup, c *ast.Comment) int {
	if c == g.List[len(g.List)-1] {
		return fset.Position(c.End()).Line + 1
	}
	return fset.Position(g.End()).Line + 1
}

// extents returns the last lines of the functions that begin on a line, and of the file for the line of its package
// clause.
func extents(fset *token.FileSet, f *ast.File) map[int]int {
	last := map[int]int{fset.Position(f.Package).Line: fset.Position(f.FileEnd).Line}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			last[fset.Position(fn.Pos()).Line] = fset.Position(fn.End()).Line
		}
	}
	return last
}

// lines returns the lines on which code begins or ends.
func lines(fset *token.FileSet, f *ast.File) map[int]bool {
	code := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		code[fset.Position(n.Pos()).Line] = true
		code[fset.Position(n.End()).Line] = true
		return true
	})
	return code
}

// check returns what is wrong with a comment, or nil.
func (s Ignore) check(reason string) *Finding {
	if len(s.Rules) == 0 || s.Rules[0] == "" {
		f := complaint(s.At, "it names no rule: write %s RULE reason", Prefix)
		return &f
	}
	for _, r := range s.Rules {
		if rules.Get(r) == nil || r == "ignore" {
			f := complaint(s.At, "there is no rule %q", r)
			return &f
		}
	}
	if strings.TrimSpace(reason) == "" {
		f := complaint(s.At, "it has no reason: write %s %s reason", Prefix, strings.Join(s.Rules, ","))
		return &f
	}
	return nil
}

func complaint(at token.Position, format string, args ...any) Finding {
	return Finding{Rule: "ignore", Message: fmt.Sprintf(format, args...), Fix: rules.Get("ignore").Fix, Position: at}
}
