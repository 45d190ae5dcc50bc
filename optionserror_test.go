package tickback

import (
	"regexp"
	"testing"
)

// The fields in a text are those that a regular expression would find.
func TestFieldsInErrorsAreRenamed(t *testing.T) {
	field := regexp.MustCompile(`\b[A-Z]\w*(\.[A-Z]\w*)*`)
	for _, text := range []string{
		"", "ID", "ID.", "ID.x", "ID.ID", "xID", "x.ID", "x ID y", "_ID", "0ID", "ID0", "ID_", "éID", "IDé",
		"Join.Hosts", "Join.MaxState: 3", "Join. MaxState", "MaxState.Join", "DropAfter, WarnAfter.", "Hooks.Sample.",
		"HashEvery 1..2 Random", ".Random", "Random.9 Linger..", "Hooks..Sample", "\xffID\xff",
	} {
		want := field.ReplaceAllStringFunc(text, func(name string) string {
			if ours, ok := optionNames[name]; ok {
				return ours
			}
			return name
		})
		if got := renamed(text); got != want {
			t.Errorf("%q: %q instead of %q", text, got, want)
		}
	}
}
