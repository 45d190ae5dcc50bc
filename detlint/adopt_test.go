package detlint

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func adopted(t *testing.T, folder, step string) (*Adoption, string) {
	t.Helper()
	o := Options{Patterns: []string{folder}}
	if step != "" {
		o.Roots = []string{step}
	}
	a, err := Adopt(o)
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := a.Text(&b, here); err != nil {
		t.Fatal(err)
	}
	return a, b.String()
}

// compiled returns the error of reading packages together with the code for them, and its tests.
func compiled(folders []string, list ...*Adoption) error {
	overlay := map[string][]byte{}
	for _, a := range list {
		overlay[filepath.Join(a.Dir, "online.go")], overlay[filepath.Join(a.Dir, "online_test.go")] = a.Code, a.Test
	}
	_, err := Run(Options{Patterns: folders, Tests: true, overlay: overlay})
	return err
}

// Rule: the code compiles as it is, whatever the package calls its own things, and what a state is made of is found: the
// receiver, parameters, package variables, and fields that cannot be saved.
func TestAdoptedCodeCompiles(t *testing.T) {
	var folders []string
	var all []*Adoption
	for _, test := range []struct {
		folder, step string
		text, code   []string
		without      []string // of either
	}{
		{
			"./testdata/adopt/globals", "",
			[]string{"the package variable enemies (", "the package variable level (", "the package variable score (", "Read, and changed elsewhere", "the package variable debug (", "random         1  "},
			[]string{"enemies **enemy", "score   *map[string]int", "level   *int", "&level", "Update(1.0 / 60)", "canon.Encoded(angry{}, (*angry)(nil), calm{}, (*calm)(nil))"},
			[]string{"speeds", "&debug"},
		},
		{
			"./testdata/adopt/window", "", // the update of the game calls that of a sprite, and by an interface that of a cloud
			[]string{"window.Game.Update (", "Game (testdata/adopt/window/window.go:29), with Sprite, Cloud", "Game.save (", "a os.File", "Game.done (", "a channel, left out", "Game.raw (", "Sprite.OnHit (", "a function, restored, but not what it has captured", "maporder", "clock", "concurrency"},
			[]string{`canon.Leave("Game.save")`, `canon.Leave("Game.log")`, `canon.Leave("Game.done")`, `canon.Leave("Game.raw")`, `canon.Leave("Game.handle")`, "canon.Functions()", "New: NewGame,", "g.Update()"},
			[]string{"canon.Encoded", "Game.started", "Game.pace", `Leave("Sprite.OnHit")`},
		},
		{
			"./testdata/adopt/names", "names.Step",
			[]string{"World (", "Rules (", "the package variable record (", "the package variable online (", "the package variable keyboard ("},
			[]string{"type Input_ struct", "type state_ struct", "record *int", "MakeWorld()", "new(Rules)", "var online_ =", "func keyboard_(", "func play_(", "*new([]Input)", "*new(map[string]state)", "time.Second/60, 1.0/60"},
			nil,
		},
		{
			"./testdata/adopt/many", "many.Game.Update", // it has a value for a receiver, so it changes nothing
			[]string{"none was found"},
			[]string{"(*new(Game)).Update()"},
			nil,
		},
		{
			"../examples/port/before", "main.game.update", // a program is called main, whatever its folder
			[]string{"game (", "with ship, rock, shot", "the package variable record (", "the package variable keys (", "18 places with floats"},
			[]string{"record *int", "newGame()", "g.game.update(1.0 / 60)", "// TODO: give record the value"},
			[]string{"Init"},
		},
	} {
		t.Run(filepath.Base(test.folder), func(t *testing.T) {
			a, text := adopted(t, test.folder, test.step)
			for _, want := range test.text {
				if !strings.Contains(text, want) {
					t.Errorf("the text does not have %q:\n%s", want, text)
				}
			}
			for _, want := range test.code {
				if !strings.Contains(string(a.Code), want) {
					t.Errorf("the code does not have %q:\n%s", want, a.Code)
				}
			}
			for _, not := range test.without {
				if strings.Contains(text, not) || strings.Contains(string(a.Code), not) {
					t.Errorf("%q is there:\n%s\n%s", not, text, a.Code)
				}
			}
			folders, all = append(folders, test.folder), append(all, a)
		})
	}
	if err := compiled(folders, all...); err != nil {
		t.Error(err)
	}
}

// Rule: a step that is not named is one of that name which no other calls; of none or several the error lists them. What
// has type parameters, or does not exist, is refused.
func TestAdoptNeedsOneStep(t *testing.T) {
	_, err := Adopt(Options{Patterns: []string{"./testdata/adopt/many"}})
	step := (*StepError)(nil)
	if !errors.As(err, &step) || !slices.Equal(step.Candidates, []string{"many.Menu.Update", "many.Game.Update"}) {
		t.Errorf("two: %v", err)
	}
	_, err = Adopt(Options{Patterns: []string{"./internal/typekey"}})
	if !errors.As(err, &step) || len(step.Candidates) > 0 || !strings.Contains(err.Error(), "name the one that computes a frame") {
		t.Errorf("none: %v", err)
	}
	if a, err := Adopt(Options{Patterns: []string{"./testdata/adopt/many"}, Roots: []string{"Menu.Update"}}); err != nil || !strings.Contains(string(a.Code), "new(Menu)") {
		t.Errorf("a method without its package: %v", err)
	}
	for _, name := range []string{"many.Pool.Drain", "many.Game.Fly", "many"} {
		if _, err := Adopt(Options{Patterns: []string{"./testdata/adopt/many"}, Roots: []string{name}}); err == nil {
			t.Errorf("%s was adopted", name)
		} else if !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Adopt(Options{Patterns: []string{"./testdata/adopt/nowhere"}}); err == nil {
		t.Error("a folder that is not there was adopted")
	}
}

// Rule: a negative control of the test above: code that does not compile is told from code that does.
func TestAdoptedCodeThatDoesNotCompile(t *testing.T) {
	a, _ := adopted(t, "./testdata/adopt/globals", "")
	a.Code = []byte(strings.Replace(string(a.Code), "&level", "&levels", 1))
	if err := compiled([]string{a.Dir}, a); err == nil {
		t.Error("it compiles without the variable")
	}
}

// Rule: the end of a package's path comes before a name alone: table.Turn is a function of the package table, whatever
// types are called so, and table.Only the method of the type.
func TestShortNamesOfRoots(t *testing.T) {
	for name, step := range map[string]string{"table.Turn": "Turn(n int)", "table.Only": "(t *table) Only", "short.Tables": "Tables()"} {
		a, err := Adopt(Options{Patterns: []string{"./testdata/adopt/short/..."}, Roots: []string{name}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, err := os.ReadFile(a.game.At.Filename)
		if err != nil {
			t.Fatal(err)
		}
		if line := strings.Split(string(b), "\n")[a.game.At.Line-1]; !strings.Contains(line, step) {
			t.Errorf("%s is %q, want %s", name, line, step)
		}
	}
}
