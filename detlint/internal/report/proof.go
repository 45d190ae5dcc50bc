package report

import (
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/rules"
)

// Trusted is a finding that a comment in the source suppresses.
type Trusted struct {
	Finding
	Reason string
}

// The verdicts on a function of a game.
const (
	Proved    = "proved"         // everything that it reaches was examined, and nothing was found
	ProvedBut = "proved but for" // nothing was found, but something could not be followed
	Refuted   = "findings"
)

// Proof is the result for a function of a game.
type Proof struct {
	Verdict    string
	Role, Game string
	Func       string
	Position   token.Position   // where it is passed to the game
	Roots      int              // more than one if it is for a whole package
	Findings   int              // the number of findings that it reaches
	Open       []token.Position // calls that it reaches and that could not be followed
	Strict     bool             // it is only true in a strict build: docs/floats.md
	Given      int              // for a package that is examined as a whole: calls of functions that only its users provide
	Trusted    int              // findings that it reaches and comments in the source suppress
}

// Note reports whether the finding only says that something could not be followed.
func (f Finding) Note() bool { return f.Rule == rules.Unproved }

// Notes separates findings about what was not followed from the others.
func Notes(list []Finding) (findings, notes []Finding) {
	for _, f := range list {
		if f.Note() {
			notes = append(notes, f)
		} else {
			findings = append(findings, f)
		}
	}
	return findings, notes
}

// Proofs returns the verdicts on claims, given the findings and the trusted ones.
func Proofs(claims []reach.Claim, found []Finding, trusted []Trusted) []Proof {
	list := make([]Proof, 0, len(claims))
	for _, c := range claims {
		list = append(list, Proof{Verdict: Proved, Role: c.Role, Game: c.Game, Func: c.Func, Position: c.Call.At, Roots: c.Roots, Strict: c.Strict, Given: c.Given})
	}
	for _, f := range found {
		for _, i := range f.claims {
			if p := &list[i]; f.Note() {
				p.Open = append(p.Open, f.Position)
			} else {
				p.Findings++
			}
		}
	}
	for _, t := range trusted {
		for _, i := range t.claims {
			list[i].Trusted++
		}
	}
	for i := range list {
		switch p := &list[i]; {
		case p.Findings > 0:
			p.Verdict = Refuted
		case len(p.Open) > 0 || p.Given > 0:
			p.Verdict = ProvedBut
		}
	}
	return list
}

// TextTrusted writes what could not be followed and is trusted, with the reasons.
func TextTrusted(w io.Writer, dir string, list []Trusted) error {
	for _, t := range list {
		if !t.Note() {
			continue
		}
		at := t.Position
		if _, err := fmt.Fprintf(w, "%s:%d:%d: trusted: %s\n\treason: %s\n", Relative(dir, at.Filename), at.Line, at.Column, t.Message, t.Reason); err != nil {
			return err
		}
	}
	return nil
}

// TextProofs writes verdicts. Equal verdicts on the same game share a line.
func TextProofs(w io.Writer, dir string, list []Proof) error {
	type line struct{ verdict, game, file string }
	var order []line
	roles := map[line][]Proof{}
	for _, p := range list {
		l := line{p.verdict(dir), p.Game, p.Position.Filename}
		if roles[l] == nil {
			order = append(order, l)
		}
		roles[l] = append(roles[l], p)
	}
	for _, l := range order {
		first := roles[l][0]
		what := l.game
		if first.Role != "Mark" && first.Role != "-root" && first.Role != "Package" {
			var names []string
			for _, p := range roles[l] {
				if !slices.Contains(names, p.Role) {
					names = append(names, p.Role)
				}
			}
			what = strings.Join(names, ", ") + " of " + what
		}
		where := fmt.Sprintf("%s:%d", Relative(dir, l.file), first.Position.Line)
		if first.Role == "Package" {
			where = fmt.Sprintf("%d functions and variables", first.Roots)
		}
		if _, err := fmt.Fprintf(w, "%s: %s (%s)\n", l.verdict, what, where); err != nil {
			return err
		}
	}
	return nil
}

// verdict describes the result in words.
func (p Proof) verdict(dir string) string {
	text := p.Verdict
	if p.Findings > 0 {
		text = counted(p.Findings, "finding")
	}
	if len(p.Open) > 0 {
		if p.Findings > 0 {
			text += ", and not followed at"
		}
		var places []string
		for _, at := range p.Open {
			if place := fmt.Sprintf("%s:%d", filepath.Base(Relative(dir, at.Filename)), at.Line); !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
		const most = 8
		if n := len(places); n > most {
			places = append(places[:most:most], fmt.Sprintf("%d more", n-most))
		}
		text += " " + strings.Join(places, ", ")
	}
	if p.Given > 0 {
		if len(p.Open) > 0 {
			text += " and"
		} else if p.Findings > 0 {
			text += ", and but for"
		}
		text += fmt.Sprintf(" what others give it (%s)", counted(p.Given, "call"))
	}
	if p.Trusted > 0 {
		text += fmt.Sprintf(", with %d trusted", p.Trusted)
	}
	if p.Strict {
		text += ", in a strict build"
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}
