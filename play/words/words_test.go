package words

import "testing"

// in runs a test in a language.
func in(t *testing.T, l Language) {
	t.Helper()
	before := Current()
	Set(l)
	t.Cleanup(func() { Set(before) })
}

func TestTextsFollowTheLanguage(t *testing.T) {
	in(t, German)
	if got := T("Back"); got != "Zurück" {
		t.Errorf("%q", got)
	}
	if got := T("no such text"); got != "no such text" {
		t.Errorf("what is in no table is %q", got)
	}
	if got := K("Back"); got != "Back" {
		t.Errorf("a marked text is %q", got)
	}
	Set(English)
	if got := T("Back"); got != "Back" {
		t.Errorf("%q", got)
	}
}

func TestFractionsHaveTheSignOfTheLanguage(t *testing.T) {
	for l, want := range map[Language]string{English: "1.5 -2.25 07 3.000", German: "1,5 -2,25 07 3,000"} {
		in(t, l)
		if got := F("%.1f %g %02d %.3f", 1.5, float32(-2.25), 7, 3.0); got != want {
			t.Errorf("%v: %q, want %q", l, got, want)
		}
	}
}

func TestPluralsAreByTheNumber(t *testing.T) {
	for l, want := range map[Language][2]string{English: {"1 frame", "0 frames"}, German: {"1 Frame", "0 Frames"}} {
		in(t, l)
		if got := [2]string{N(1, "%d frame", "%d frames"), N(0, "%d frame", "%d frames")}; got != want {
			t.Errorf("%v: %q, want %q", l, got, want)
		}
	}
	for n, want := range map[int]string{1: "Ada is home", 2: "Ada, Bo are home"} {
		if got := N(n, "%[2]s is home", "%[2]s are home", "Ada, Bo"[:3+4*(n-1)]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := N(2, "%d fox at %s", "%d foxes at %s", "home"); got != "2 foxes at home" {
		t.Errorf("%q", got)
	}
}

func TestLanguagesAreChosenByTheirTags(t *testing.T) {
	for tag, want := range map[string]Language{"de": German, "DE-at": German, "de_DE.UTF-8": German, "en-GB": English} {
		if l, ok := Parse(tag); !ok || l != want {
			t.Errorf("%q is %v, %v", tag, l, ok)
		}
	}
	for _, tag := range []string{"", "C", "C.UTF-8", "deutsch", "fr", "-de", "\xff"} {
		if l, ok := Parse(tag); ok || l != English {
			t.Errorf("%q is %v, %v", tag, l, ok)
		}
	}
	if l := Choose("", "fr-CH", "de-CH", "en"); l != German {
		t.Errorf("%v", l)
	}
	for _, l := range All() {
		if again, ok := Parse(l.Tag()); !ok || again != l || l.String() == "" {
			t.Errorf("%d: %q %q", l, l.Tag(), l)
		}
	}
}
