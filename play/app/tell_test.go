package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/mirror"
	"github.com/tickback/tickback/play/words"
)

// hear returns the texts for people who cannot see the picture: the items, and what was announced since the last call.
func (c *client) hear() (items []mirror.Item, said []string) {
	c.Helper()
	c.said.Act(mirror.Act{}) // so that there is a description at once
	c.pictures(2)
	d, ok := c.said.Next()
	if !ok {
		c.Fatal("nothing is told")
	}
	return slices.Clone(d.Items), d.Said
}

// heard returns the item with a label.
func (c *client) heard(label string) mirror.Item {
	c.Helper()
	items, _ := c.hear()
	i := slices.IndexFunc(items, func(i mirror.Item) bool { return i.Label == label })
	if i < 0 {
		c.Fatalf("there is no %q: %+v", label, items)
	}
	return items[i]
}

// do performs an action on the item with a label.
func (c *client) do(label string, a mirror.Act) *client {
	c.Helper()
	a.Key = c.heard(label).Key
	c.said.Act(a)
	return c.pictures(2)
}

// heardWhole checks that there are texts, and that each widget has a unique name.
func (c *client) heardWhole() {
	c.Helper()
	items, _ := c.hear()
	for _, fault := range unheard(items) {
		c.Errorf("%s: %+v", fault, items)
	}
}

// unheard returns what is wrong with the texts of a screen.
func unheard(items []mirror.Item) (list []string) {
	seen, widgets := map[string]bool{}, 0
	for _, i := range items {
		if i.Label == "" {
			list = append(list, fmt.Sprintf("%q has no name", i.Key))
		}
		if i.Kind == mirror.Text || i.Kind == mirror.Heading {
			continue
		}
		if widgets++; seen[i.Key] {
			list = append(list, fmt.Sprintf("two widgets are %q", i.Key))
		}
		seen[i.Key] = true
	}
	if widgets == 0 {
		list = append(list, "nothing can be operated")
	}
	return list
}

// Negative controls: the check of the texts finds faults, and finds none where there is none.
func TestTheCheckOfWhatIsHeardFinds(t *testing.T) {
	items, _ := start(t, app.Options{Mode: "settings"}).pictures(20).hear()
	whole := func(change func(items []mirror.Item) []mirror.Item) string {
		return strings.Join(unheard(change(slices.Clone(items))), "; ")
	}
	widget := slices.IndexFunc(items, func(i mirror.Item) bool { return i.Kind != mirror.Text && i.Kind != mirror.Heading })
	for want, change := range map[string]func(items []mirror.Item) []mirror.Item{
		"":                        func(items []mirror.Item) []mirror.Item { return items },
		"has no name":             func(items []mirror.Item) []mirror.Item { items[widget].Label = ""; return items },
		"two widgets are":         func(items []mirror.Item) []mirror.Item { return append(items, items[widget]) },
		"nothing can be operated": func([]mirror.Item) []mirror.Item { return nil },
	} {
		if got := whole(change); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Rule: a person who cannot see the picture can play a match against a bot, hear how it goes, pause it, and change the
// settings.
func TestAMatchIsHeardAndOperated(t *testing.T) {
	afterwards(t)
	c := start(t, app.Options{})
	if first := c.heard("Versus bot"); !first.Focused || first.Kind != mirror.Button {
		t.Errorf("the first button is %+v", first)
	}
	c.do("Versus bot", mirror.Act{Do: mirror.Press}).in("duel")
	var said []string
	listen := func(pictures int) string {
		for range pictures / 10 {
			c.pictures(10)
			_, more := c.hear()
			said = append(said, more...)
		}
		return strings.Join(said, "; ")
	}
	if got := listen(200); !strings.Contains(got, "ROUND 1") {
		t.Errorf("at the beginning it says %q", got)
	}
	c.hold("KeyD").pictures(10).hold() // the bot awakes
	if got := listen(100); !strings.Contains(got, "FIGHT!") {
		t.Errorf("after a key it says %q", got)
	}
	for range 60 {
		if strings.Contains(listen(200), "Rounds: YOU 0, BOT 1") {
			break
		}
	}
	all := strings.Join(said, "; ")
	for _, want := range []string{"YOU: 75 % health", "TIME", "Rounds: YOU 0, BOT 1"} {
		if strings.Count(all, want) != 1 {
			t.Errorf("%q is said %d times", want, strings.Count(all, want))
		}
	}
	c.do("Menu", mirror.Act{Do: mirror.Press})
	at := c.Status().Frame
	if c.heard("Paused"); c.pictures(20).Status().Frame != at {
		t.Error("the match is not stopped")
	}
	c.do("Settings", mirror.Act{Do: mirror.Press}).do("Volume", mirror.Act{Do: mirror.Set, Number: 0.25})
	c.do("Reduced motion", mirror.Act{Do: mirror.Press}).do("Language", mirror.Act{Do: mirror.Set, Number: 2})
	if s := c.Settings; s.Volume != 0.25 || !s.ReducedMotion || words.Current() != words.German {
		t.Errorf("%+v", s)
	}
	if now := c.heard("Sprache"); !now.Focused || now.Of[2] != "Deutsch" {
		t.Errorf("the language is %+v", now)
	}
	c.do("Zurück", mirror.Act{Do: mirror.Press}).do("Zum Titel", mirror.Act{Do: mirror.Press}).in("title")
}

// Rule: in the arena each fighter is described, and in a match of tanks the player's own one.
func TestTheOtherGamesAreHeard(t *testing.T) {
	c := start(t, app.Options{Mode: "arena", Auto: true}).pictures(400).in("arena")
	items, _ := c.hear()
	n := 0
	for _, i := range items {
		if strings.Contains(i.Label, "% health, rounds won: ") || strings.Contains(i.Label, "out of the round, rounds won: ") {
			n++
		}
	}
	if n != 8 {
		t.Errorf("%d of 8 fighters are heard: %+v", n, items)
	}
	tanks := tanksMatch(t, 4).pictures(200)
	if _, said := tanks.hear(); !strings.Contains(strings.Join(said, "; "), "YOU: destroyed 0, lost 0") {
		t.Errorf("of tanks it says %q", said)
	}
}
