package play

import (
	"slices"
	"testing"
)

// A browser is opened if there can be one.
func TestTheBrowserIsOpened(t *testing.T) {
	display := func(name string) string { return map[string]string{"DISPLAY": ":0"}[name] }
	none := func(string) string { return "" }
	for _, c := range []struct {
		goos   string
		getenv func(string) string
		want   []string
	}{
		{"linux", none, nil},
		{"linux", display, []string{"xdg-open", "http://x/"}},
		{"darwin", none, []string{"open", "http://x/"}},
		{"windows", none, []string{"rundll32", "url.dll,FileProtocolHandler", "http://x/"}},
	} {
		if got := browserCommand(c.goos, c.getenv, "http://x/"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", c.goos, got)
		}
	}
}

// The servers whose addresses players receive have the user's password.
func TestTURNServersHaveThePassword(t *testing.T) {
	t.Setenv(turnPasswordVariable, "p")
	ice, err := (&flags{stun: []string{"stun:s"}, turn: []string{"turn:t"}, turnUser: "u"}).ice()
	if err != nil || len(ice) != 2 || ice[1].Username != "u" || ice[1].Credential != "p" {
		t.Errorf("%v, %v", ice, err)
	}
}
