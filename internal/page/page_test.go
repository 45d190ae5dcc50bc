package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// listener hears what a test would report. Fatalf ends like that of a test.
type listener struct{ heard []string }

func (l *listener) Helper() {}

func (l *listener) Errorf(format string, args ...any) {
	l.heard = append(l.heard, fmt.Sprintf(format, args...))
}

func (l *listener) Fatalf(format string, args ...any) {
	l.Errorf(format, args...)
	panic(l)
}

// hears returns what is reported while a page is read.
func hears(content string, read func(p *Page)) []string {
	l := &listener{}
	func() {
		defer func() {
			if r := recover(); r != nil && r != any(l) {
				panic(r)
			}
		}()
		read(parse(l, "a page", content))
	}()
	return l.heard
}

const sample = "# Page of v1\n\nAbove.\n\n## Sizes\n\nA header has\n15 bytes, [and](more4.md) 3 fields.\n\n" +
	"| name | size |\n|---|---|\n| `magic` | 4 |\n| `a` or `b` | |\n| | 5 |\n\n| other | 9 |\n|---|---|\n| x | 7 |\n\n" +
	"```go\n## not a heading 8\n```\n\n```hex\n06\n```\n\n### Below\n\n1. player 2\n"

// What is taken out of a page is what stands there, and nothing more.
func TestWhatIsTakenIsWhatStandsThere(t *testing.T) {
	heard := hears(sample, func(p *Page) {
		if got := fmt.Sprint(p.Table("Sizes", "name", "size")); got != "[[magic 4] [`a` or `b` ] [ 5]]" {
			t.Error(got)
		}
		if got := p.Code("Sizes", "go"); got != "## not a heading 8\n" {
			t.Errorf("%q", got)
		}
		p.Says("Sizes", "A header has %d bytes,", 15)
		if got := p.Titles(); !slices.Equal(got, []string{"", "Sizes", "Below"}) {
			t.Errorf("%q", got)
		}
	})
	if heard != nil {
		t.Error(heard)
	}
}

// What is not there is reported.
func TestWhatIsNotThereIsReported(t *testing.T) {
	for want, read := range map[string]func(p *Page){
		`a page has no section "Colours"`:                  func(p *Page) { p.Says("Colours", "red") },
		`a page, "Sizes": there is no table of ["size"]`:   func(p *Page) { p.Table("Sizes", "size") },
		`a page, "Below": there is no block of go`:         func(p *Page) { p.Code("Below", "go") },
		`a page, "Sizes" does not say: A header has 16 by`: func(p *Page) { p.Says("Sizes", "A header has %d by", 16) },
	} {
		if heard := hears(sample, read); len(heard) != 1 || heard[0] != want {
			t.Errorf("%q, want %q", heard, want)
		}
	}
	short := strings.Replace(sample, "| `magic` | 4 |", "| `magic` |", 1)
	if heard := hears(short, func(p *Page) { p.Table("Sizes", "name", "size") }); len(heard) != 1 {
		t.Errorf("a row without its second cell: %q", heard)
	}
}

// A figure that nobody has taken is found, in prose, in tables and in blocks; names and the
// targets of links are none.
func TestLooseFiguresAreFound(t *testing.T) {
	all := []string{"15", "3", "4", "5", "9", "7", "8", "06", "v1", "player 2"}
	for _, c := range []struct {
		read  func(p *Page)
		loose []string
	}{
		{func(p *Page) { p.Loose(nil) }, all},
		{func(p *Page) { p.Loose([]string{"player 2"}, "Below") }, nil},
		{func(p *Page) { p.Loose(nil, "Below") }, []string{"player 2"}},
		{func(p *Page) {
			p.Table("Sizes", "name", "size")
			p.Code("Sizes", "hex")
			p.Says("Sizes", "15 bytes")
			p.Loose(nil, "Sizes")
		}, []string{"3", "9", "7", "8"}},
	} {
		heard := hears(sample, c.read)
		for _, figure := range c.loose {
			if !slices.ContainsFunc(heard, func(h string) bool { return strings.Contains(h, figure) }) {
				t.Errorf("%s is loose, and was not found: %q", figure, heard)
			}
		}
		if len(heard) > len(c.loose) || len(c.loose) == 0 && heard != nil {
			t.Errorf("%q is found, of %q", heard, c.loose)
		}
	}
}

// The constants of a package are read from its source, with those that they are made of.
func TestConstantsAreReadFromTheSource(t *testing.T) {
	classic := Constants(t, "../../classic", map[string]int64{"rbn1.MaxInputs": 32})
	for name, want := range map[string]Constant{
		"hello": {`"HELLO"`, "handshake.go"}, "forget": {"2000000000", "handshake.go"}, "MaxDelay": {"31", "config.go"},
	} {
		if classic[name] != want {
			t.Errorf("%s is %v, want %v", name, classic[name], want)
		}
	}
	if c, is := Constants(t, "../../classic", nil)["MaxDelay"]; is {
		t.Errorf("without what it is made of, MaxDelay is %v", c)
	}
}
