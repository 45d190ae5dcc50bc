package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// afterwards switches back to English.
func afterwards(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { words.Set(words.English) })
}

// The language is the one given by the caller, otherwise that of the settings, otherwise that of the system.
func TestTheLanguageIsChosen(t *testing.T) {
	afterwards(t)
	german := &settings.Memory{Text: []byte(`{"language":"de"}`), Full: true}
	for name, c := range map[string]struct {
		o    app.Options
		want words.Language
	}{
		"nothing":                        {app.Options{}, words.English},
		"the system":                     {app.Options{Languages: []string{"", "fr-FR", "de_AT.UTF-8"}}, words.German},
		"a foreign system":               {app.Options{Languages: []string{"tlh"}}, words.English},
		"the settings":                   {app.Options{Store: german}, words.German},
		"the settings before the system": {app.Options{Store: german, Languages: []string{"en"}}, words.German},
		"the call before the settings":   {app.Options{Store: german, Language: "en"}, words.English},
		"an unknown call":                {app.Options{Store: german, Language: "tlh"}, words.German},
	} {
		if start(t, c.o); words.Current() != c.want {
			t.Errorf("%s: %v, want %v", name, words.Current(), c.want)
		}
	}
}

// The settings change the language at once, and store it.
func TestTheSettingsChangeTheLanguage(t *testing.T) {
	afterwards(t)
	store := &settings.Memory{}
	c := start(t, app.Options{Mode: "settings", Store: store, Languages: []string{"de"}}).pictures(2).press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
	for _, want := range []words.Language{words.English, words.German, words.German} { // English, German, and the system's language
		if c.press("ArrowRight"); words.Current() != want {
			t.Fatalf("%v, want %v", words.Current(), want)
		}
	}
	c.press("ArrowRight", "Escape").in("title")
	if !strings.Contains(string(store.Text), `"language":"en"`) {
		t.Errorf("kept: %s", store.Text)
	}
	if start(t, app.Options{Store: store, Languages: []string{"de"}}); words.Current() != words.English {
		t.Error("it is not as it was kept")
	}
}

// The names in a recording can be shown in each language.
func TestRecordingsHaveNamesForEachLanguage(t *testing.T) {
	afterwards(t)
	c := start(t, app.Options{Mode: "versus-bot", Language: "de"}).pictures(200).press("Escape", "ArrowUp", "Enter").in("title")
	if r := c.Recordings()[0]; r.Names[0] != "YOU" || r.Names[1] != "BOT" {
		t.Errorf("recorded: %q", r.Names)
	}
	c.press("ArrowUp", "ArrowUp", "Enter").in("theatre")
	for l, want := range map[words.Language]string{words.German: "DU  gegen  BOT", words.English: "YOU  vs  BOT"} {
		words.Set(l)
		c.c.Marks = new(draw.Marks)
		if c.pictures(1); !slices.ContainsFunc(c.c.Marks.List, func(m draw.Mark) bool { return m.Text == want }) {
			t.Errorf("%q is not shown", want)
		}
	}
}
