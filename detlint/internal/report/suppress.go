package report

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/tickback/tickback/detlint/internal/rules"
)

// Prefix begins a comment that suppresses findings: //detlint:ignore RULE[,RULE] reason. It is
// about its own line, or the next one if it stands alone: about findings there, and about those
// in what is called there. Above the declaration of a function it is about the function, and
// above the package clause about the file.
const Prefix = "//detlint:ignore"

// suppression is such a comment.
type suppression struct {
	at    token.Position
	line  int // that it is about
	last  int // the last one, if it is about more
	rules []string
	used  bool
}

// Suppress takes away what comments suppress. Comments without a reason, of rules that are not
// there, and in files of own those that suppress nothing, are findings of the rule "ignore".
func Suppress(fset *token.FileSet, files []*ast.File, own map[string]bool, list []Finding) []Finding {
	byFile := map[string][]*suppression{}
	var kept []Finding
	for _, f := range files {
		name := fset.Position(f.Pos()).Filename
		found, wrong := comments(fset, f)
		byFile[name] = found
		if own[name] {
			kept = append(kept, wrong...)
		}
	}
	for _, f := range list {
		if !suppressed(byFile, f) {
			kept = append(kept, f)
		}
	}
	for name, all := range byFile {
		for _, s := range all {
			if !s.used && own[name] {
				kept = append(kept, complaint(s.at, "it suppresses nothing: there is no finding of %s", strings.Join(s.rules, ", ")))
			}
		}
	}
	order(kept)
	return kept
}

// suppressed reports whether a comment is about a finding, or about a call on the way to it.
func suppressed(byFile map[string][]*suppression, f Finding) bool {
	is := false
	at := func(p token.Position) {
		for _, s := range byFile[p.Filename] {
			if s.line <= p.Line && p.Line <= max(s.line, s.last) && s.about(f.Rule) {
				s.used, is = true, true
			}
		}
	}
	at(f.Position)
	for i, step := range f.Chain {
		if i > 0 || f.Rule == "copies" {
			at(step.Position)
		}
	}
	return is
}

func (s *suppression) about(rule string) bool {
	for _, r := range s.rules {
		if r == rule {
			return true
		}
	}
	return false
}

// comments reads the suppressions of a file.
func comments(fset *token.FileSet, f *ast.File) (list []*suppression, wrong []Finding) {
	code, whole := lines(fset, f), extents(fset, f)
	for _, g := range f.Comments {
		for _, c := range g.List {
			rest, ok := strings.CutPrefix(c.Text, Prefix)
			if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
				continue
			}
			at := fset.Position(c.Pos())
			names, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
			s := &suppression{at: at, line: at.Line, rules: strings.Split(names, ",")}
			if !code[at.Line] {
				s.line = following(fset, g, c)
				s.last = whole[s.line]
				if s.line == fset.Position(f.Package).Line {
					s.line = 1
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

// following is the line behind a comment that stands alone, or behind its group.
func following(fset *token.FileSet, g *ast.CommentGroup, c *ast.Comment) int {
	if c == g.List[len(g.List)-1] {
		return fset.Position(c.End()).Line + 1
	}
	return fset.Position(g.End()).Line + 1
}

// extents are the last lines of what begins on a line: of functions, and of the file where its
// package clause stands.
func extents(fset *token.FileSet, f *ast.File) map[int]int {
	last := map[int]int{fset.Position(f.Package).Line: fset.Position(f.FileEnd).Line}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			last[fset.Position(fn.Pos()).Line] = fset.Position(fn.End()).Line
		}
	}
	return last
}

// lines are those on which code begins or ends.
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

// check says what is wrong with a comment.
func (s *suppression) check(reason string) *Finding {
	if len(s.rules) == 0 || s.rules[0] == "" {
		f := complaint(s.at, "it names no rule: write %s RULE reason", Prefix)
		return &f
	}
	for _, r := range s.rules {
		if rules.Get(r) == nil || r == "ignore" {
			f := complaint(s.at, "there is no rule %q", r)
			return &f
		}
	}
	if strings.TrimSpace(reason) == "" {
		f := complaint(s.at, "it has no reason: write %s %s reason", Prefix, strings.Join(s.rules, ","))
		return &f
	}
	return nil
}

func complaint(at token.Position, format string, args ...any) Finding {
	return Finding{Rule: "ignore", Message: fmt.Sprintf(format, args...), Fix: rules.Get("ignore").Fix, Position: at}
}
