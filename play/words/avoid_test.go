package words

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shown are the packages whose literals are texts for players, unless their place or form says otherwise.
var shown = []string{
	"app", "contest", "controls", "arenaview", "duelview", "foyer", "hall", "lab", "look", "netplay", "orders", "overlay", "recordings", "samples", "settings",
	"skirmishview", "sound", "tanksview", "theatre", "ui",
}

// kept are literals that look like texts, and are the same in every language.
var kept = map[string]string{
	"TICKBACK": "a name", "Tickback": "a name", "RPLK": "a name",
	"number of players": "an item of an error", "converted from RPLK v1": "the end of a recording", "the recording has no room: it has %d bytes": "the end of a recording",
	"%d, %d ms": "figures", "%.0f, %.0f ms": "figures", "%.0f ± %.0f ms": "figures",
	// what servers say, in foyer
	"all places are taken": "an error", "the match is over": "an error",
}

var (
	word    = regexp.MustCompile(`[A-Za-z]{2}`)
	spaced  = regexp.MustCompile(`[A-Za-z%].* .*[A-Za-z]|[A-Za-z].* .*[A-Za-z%]|^ [A-Za-z]{2}|[A-Za-z]{2} $`)
	keyName = regexp.MustCompile(`^(Key[A-Z]?|Digit(\d|%d)?|(Arrow|Numpad|Shift|Control|Meta|Bracket)\w*|Enter|Space|Esc(ape)?|Alt(Left|Right|Gr)?|Back(space|slash|quote)|CapsLock|Semicolon|Quote|Num |Tab|Period|Comma|Minus|Equal|F\d+|Home|End|Delete|Slash)$`)
	// passes are calls whose literals are not texts for players: errors, names, and marks for tests.
	passes = regexp.MustCompile(`^(words\.[TKFN]|errors\.New|fmt\.Errorf|panic|\w*\.Mark|recordings\.About|strings\.(HasPrefix|TrimPrefix|Contains))$`)
	// draws are calls that display their arguments, even a single word.
	draws = regexp.MustCompile(`\.(Text|Button|Choice|Slider|Switch|Field|TextWidth|Add|Wrap)$`)
	// names are variables that hold names of players.
	names = regexp.MustCompile(`^(\w*[nN]ames)$`)
)

// avoiding returns the literals of a file that look like texts, and are not passed through this package.
func (f *file) avoiding() (list []string) {
	var path []ast.Node
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		l, ok := n.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return true
		}
		if s, _ := constant(l); isText(s, path) && kept[s] == "" {
			list = append(list, f.place(l)+": "+l.Value)
		}
		return true
	})
	return list
}

// isText reports whether a literal looks like a text; path has the nodes around it.
func isText(s string, path []ast.Node) bool {
	plain := verb.ReplaceAllString(s, "")
	text := word.MatchString(plain) && !keyName.MatchString(s) && (spaced.MatchString(s) || plain[0] >= 'A' && plain[0] <= 'Z')
	for i := len(path) - 2; i >= 0; i-- {
		switch p := path[i].(type) {
		case *ast.ImportSpec, *ast.Field:
			return false
		case *ast.ValueSpec:
			if names.MatchString(p.Names[0].Name) {
				return false
			}
		case *ast.FuncDecl:
			if p.Name.Name == "Name" {
				return false // of a scene, for reports
			}
		case *ast.CallExpr:
			name := called(p)
			if path[i+1] == p.Fun {
				continue
			}
			if passes.MatchString(name) {
				return false
			}
			text = text || draws.MatchString(name) && word.MatchString(plain)
		}
	}
	return text
}

// All texts for players in the sources are passed through this package.
func TestNoTextAvoidsThisPackage(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sources(t) {
		dir, _, _ := strings.Cut(f.name, "/")
		if !slices.Contains(shown, dir) {
			continue
		}
		seen[dir] = true
		for _, text := range f.avoiding() {
			t.Error(text)
		}
	}
	if len(seen) != len(shown) {
		t.Errorf("%d of %d packages are there", len(seen), len(shown))
	}
}

// The search finds texts, and nothing else.
func TestTheSearchFindsTexts(t *testing.T) {
	for source, want := range map[string]int{
		`var a = "Play again"`: 1, `var a = "Again"`: 1, `var a = "%d units"`: 1, `var a = " has left"`: 1, `var a = "DRAW"`: 1,
		`func f() { c.Text(at, "on") }`: 1, `func f() { p.UI.Choice(box, words.T("Bots"), "easy", words.T("hard")) }`: 1,
		`func f() { c.Text(at, fmt.Sprintf("%d wins", n)) }`: 1,
		`var a = "duel"`: 0, `var a = "KeyA"`: 0, `var a = "%d : %d"`: 0, `var a = "0x%08X"`: 0, `var a = words.K("Again")`: 0,
		`var botNames = []string{"ADA"}`: 0, `func f() error { return errors.New("no such thing") }`: 0,
		`func (s *scene) Name() string { return "arena setup" }`: 0, "type a struct { b int `json:\"some thing\"` }": 0,
		`import "Some/Thing"`: 0,
	} {
		f := parse(t, source)
		if got := f.avoiding(); len(got) != want {
			t.Errorf("%s: %q", source, got)
		}
	}
}
