package foyer_test

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// Explanations are in the current language, including those in tables.
func TestExplanationsAreInThePresentLanguage(t *testing.T) {
	t.Cleanup(func() { words.Set(words.English) })
	for _, c := range []struct {
		err             error
		english, german string
	}{
		{rooms.ErrFull, "The room is full", "Der Raum ist voll"},
		{&tickback.ByeError{Reason: "kicked"}, "You were sent away", "Du wurdest hinausgeschickt"},
		{online.ErrNobody, "Nobody can be reached", "Niemand ist erreichbar"},
	} {
		for l, want := range map[words.Language]string{words.English: c.english, words.German: c.german} {
			words.Set(l)
			if got := foyer.Explain(c.err); got.Title != want {
				t.Errorf("%v: %q, want %q", l, got.Title, want)
			}
		}
	}
}
