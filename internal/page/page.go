// Package page reads pages of the documentation for tests that compare them with the code. A test takes tables,
// blocks and sentences from a page, and compares them; [Page.Loose] then finds the figures that no test has taken,
// which could become wrong without anybody noticing.
package page

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Reporter is the part of a test that this package needs.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Page is a page in Markdown. It records which parts of it have been taken.
type Page struct {
	t        Reporter
	name     string
	sections []*section
}

// section is the text below a heading, up to the next one of any level.
type section struct {
	title string
	lines []string
	held  []string // sentences that have been taken
	taken []bool   // by line: whether it has been taken
}

// Open reads the page of this name. The text above the first heading of the second level is the section "".
func Open(t Reporter, name string) *Page {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return parse(t, name, string(content))
}

func parse(t Reporter, name, content string) *Page {
	p := &Page{t: t, name: name, sections: []*section{{}}}
	block := false
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\n")
		block = block != strings.HasPrefix(line, "```")
		if level := strings.TrimLeft(line, "#"); !block && strings.HasPrefix(line, "##") {
			p.sections = append(p.sections, &section{title: strings.TrimSpace(level)})
			continue
		}
		s := p.sections[len(p.sections)-1]
		s.lines, s.taken = append(s.lines, line), append(s.taken, false)
	}
	return p
}

func (p *Page) section(title string) *section {
	p.t.Helper()
	i := slices.IndexFunc(p.sections, func(s *section) bool { return s.title == title })
	if i < 0 {
		p.t.Fatalf("%s has no section %q", p.name, title)
	}
	return p.sections[i]
}

// Table takes the table with exactly these column heads from a section, and returns its rows, without the backticks
// around cells.
func (p *Page) Table(title string, heads ...string) (rows [][]string) {
	p.t.Helper()
	s := p.section(title)
	inside := false
	for i, line := range s.lines {
		switch row := cells(line); {
		case row == nil:
			inside = false
		case slices.Equal(row, heads):
			inside = true
		case inside && strings.Trim(line, "|- ") == "":
		case inside && len(row) != len(heads):
			p.t.Fatalf("%s, %q: a row of %d cells, not %d: %s", p.name, title, len(row), len(heads), line)
		case inside:
			rows = append(rows, row)
		}
		s.taken[i] = s.taken[i] || inside
	}
	if len(rows) == 0 {
		p.t.Fatalf("%s, %q: there is no table of %q", p.name, title, heads)
	}
	return rows
}

// cells splits a row of a table; it returns nil for a line that is not a row.
func cells(line string) []string {
	if !strings.HasPrefix(line, "|") || line == "|" {
		return nil
	}
	line = strings.TrimSuffix(strings.TrimSpace(line), "|")
	row := strings.Split(line[1:], "|")
	for i, cell := range row {
		cell = strings.TrimSpace(cell)
		if len(cell) > 1 && strings.Count(cell, "`") == 2 {
			cell = strings.TrimSuffix(strings.TrimPrefix(cell, "`"), "`")
		}
		row[i] = cell
	}
	return row
}

// Code takes all blocks in a language from a section, and returns them as one.
func (p *Page) Code(title, language string) string {
	p.t.Helper()
	s := p.section(title)
	var b strings.Builder
	inside := false
	for i, line := range s.lines {
		switch {
		case line == "```"+language:
			inside = true
		case line == "```":
			inside = false
		case inside:
			s.taken[i] = true
			fmt.Fprintln(&b, line)
		}
	}
	if b.Len() == 0 {
		p.t.Fatalf("%s, %q: there is no block of %s", p.name, title, language)
	}
	return b.String()
}

// Says fails the test unless the section has this sentence, wherever its lines are broken.
func (p *Page) Says(title, format string, args ...any) {
	p.t.Helper()
	s, sentence := p.section(title), fmt.Sprintf(format, args...)
	if !strings.Contains(s.prose(), sentence) {
		p.t.Errorf("%s, %q does not say: %s", p.name, title, sentence)
	}
	s.held = append(s.held, sentence)
}

// prose returns the text that has not been taken, in one line, without the numbers of lists.
func (s *section) prose() string {
	var words []string
	for i, line := range s.lines {
		if !s.taken[i] {
			words = append(words, strings.Fields(item.ReplaceAllString(line, ""))...)
		}
	}
	return strings.Join(words, " ")
}

var (
	item   = regexp.MustCompile(`^[0-9]+\. `) // the number of an item in a list
	target = regexp.MustCompile(`\]\([^)]*\)`)
	figure = regexp.MustCompile(`(\S+ )?\S*[0-9]\S*`)
)

// Loose fails the test for each loose figure: one that is in no table, block or sentence that was taken. It looks in
// these sections, or in all of them if none is named. Names that contain a figure do not count.
func (p *Page) Loose(names []string, titles ...string) {
	p.t.Helper()
	for _, s := range p.sections {
		if len(titles) > 0 && !slices.Contains(titles, s.title) {
			continue
		}
		left := target.ReplaceAllString(s.prose(), "]")
		for _, known := range append(slices.Clone(s.held), names...) {
			left = strings.ReplaceAll(left, known, "")
		}
		for _, found := range figure.FindAllString(left, -1) {
			p.t.Errorf("%s, %q: no test holds %q", p.name, s.title, found)
		}
	}
}

// Titles returns the titles of all sections.
func (p *Page) Titles() (titles []string) {
	for _, s := range p.sections {
		titles = append(titles, s.title)
	}
	return titles
}
