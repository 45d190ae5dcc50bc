package mirror

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// describe describes a screen with these items, after a while.
func describe(m *Mirror, seconds float32, items ...Item) {
	if m.Begin(seconds) == nil {
		return
	}
	for _, i := range items {
		if i.text() {
			m.Text(i.Label, 20)
		} else {
			m.Add(i)
		}
	}
	m.End("en")
}

// Rule: there is a new description when something differs, and none otherwise. If only texts differ, there is one per
// second.
func TestOnlyWhatDiffersIsTold(t *testing.T) {
	button, text, other := Item{Kind: Button, Key: "a", Label: "A"}, Item{Kind: Text, Label: "1 s"}, Item{Kind: Text, Label: "2 s"}
	var m Mirror
	told := func() bool { _, ok := m.Next(); return ok }
	steps := []struct {
		name  string
		after float32
		items []Item
		want  bool
	}{
		{"at first", 0.1, []Item{button, text}, true},
		{"the same", 5, []Item{button, text}, false},
		{"a text", 0.2, []Item{button, other}, true}, // the last news are long ago
		{"another text, soon", 0.2, []Item{button, text}, false},
		{"another text, later", 1, []Item{button, text}, true},
		{"the focus", 0.1, []Item{{Kind: Button, Key: "a", Label: "A", Focused: true}, text}, true},
		{"a widget less", 0.1, []Item{text}, true},
		{"a widget between two pictures", 0.01, []Item{button, text}, false},
		{"a widget", 0.1, []Item{button, text}, true},
		{"its place", 0.1, []Item{{Kind: Button, Key: "a", Label: "A", Box: [4]int{1, 2, 3, 4}}, text}, true},
		{"a choice", 0.1, []Item{{Kind: Choice, Key: "c", Of: []string{"x", "y"}}}, true},
		{"its texts", 0.1, []Item{{Kind: Choice, Key: "c", Of: []string{"x", "z"}}}, true},
	}
	for _, s := range steps {
		if describe(&m, s.after, s.items...); told() != s.want {
			t.Errorf("%s: told is %v", s.name, !s.want)
		}
	}
	m.Begin(1)
	if m.End("de"); !told() {
		t.Error("another language is not told")
	}
}

// Rule: an action is applied once, and its result is described at once.
func TestWhatIsDoneIsDescribedAtOnce(t *testing.T) {
	var m Mirror
	describe(&m, 1, Item{Kind: Button, Key: "a"})
	m.Next()
	for range 2 * maxActs {
		m.Act(Act{Key: "a", Do: Press, Text: strings.Repeat("x", 2*maxText)})
	}
	acts := m.Take()
	if len(acts) != maxActs || len(acts[0].Text) != maxText || m.Take() != nil {
		t.Errorf("%d acts", len(acts))
	}
	describe(&m, 0, Item{Kind: Button, Key: "a"})
	if d, ok := m.Next(); !ok || d.Acts != maxActs {
		t.Errorf("%+v, %v", d, ok)
	}
}

// Rule: something that is going on is announced once, for as long as it lasts.
func TestWhatGoesOnIsAnnouncedOnce(t *testing.T) {
	var m Mirror
	var said []string
	for _, now := range [][]string{{"round 1"}, {"round 1"}, {"round 1", "fight"}, {}, {"fight", "fight."}, {"fight", ""}} {
		m.Begin(1)
		for _, text := range now {
			m.Live(text)
		}
		m.End("en")
		d, _ := m.Next()
		said = append(said, d.Said...)
	}
	if want := []string{"round 1", "fight", "fight"}; !slices.Equal(said, want) {
		t.Errorf("said: %q, want %q", said, want)
	}
}

// Texts of other players are limited, and a text that is drawn twice is described once. A nil mirror does nothing.
func TestTextsAreBounded(t *testing.T) {
	var m Mirror
	m.Begin(1)
	m.Text("below a menu", 20)
	m.Cover()
	m.Text(strings.Repeat("ß", maxText), 44)
	m.Text(strings.Repeat("ß", maxText), 44) // its shadow
	m.Text("Waiting...", 20)
	m.Text("...", 20)
	for range 2 * maxItems {
		m.Add(Item{Kind: Button})
		m.Live(strings.Repeat("x", maxText))
	}
	m.End("en")
	d, _ := m.Next()
	if len(d.Items) != maxItems || len(d.Items[0].Label) > maxText || !utf8.ValidString(d.Items[0].Label) || d.Items[0].Kind != Heading {
		t.Errorf("%d items, the first is %+v", len(d.Items), d.Items[0])
	}
	if d.Items[1].Label != "Waiting" || d.Items[2].Kind != Button {
		t.Errorf("%+v", d.Items[1:3])
	}
	var none *Mirror
	none.Text("a", 1)
	none.Live("a")
	none.Add(Item{})
	if none.End("en"); none.Begin(1) != nil || none.Take() != nil {
		t.Error("a nil mirror hears something")
	}
}

// As long as nothing changes, a description allocates nothing.
func TestACalmScreenAllocatesNothing(t *testing.T) {
	var m Mirror
	items := []Item{{Kind: Button, Key: "a", Label: "A"}, {Kind: Text, Label: "text"}}
	describe(&m, 1, items...)
	describe(&m, 1, items...)
	m.Next()
	if n := testing.AllocsPerRun(100, func() { describe(&m, 1, items...) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
