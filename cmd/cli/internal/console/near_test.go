package console

import "testing"

// The suggested name is the only one that is nearest, or the only one that begins with the word.
func TestTheNearestName(t *testing.T) {
	names := []string{"match", "spectate", "sim", "soak", "replay", "play", "kick-at", "token", "pong", "ping"}
	for word, want := range map[string]string{
		"match": "match", "tick-rate": "", "mathc": "match", "mtch": "match", "matchs": "match", "catch": "match",
		"spectator": "spectate", "spec": "spectate", "sp": "", "rep": "replay",
		"pla": "play", "pang": "", "zzz": "", "": "", "s": "", "simm": "sim", "tokken": "token", "replayer": "replay", "ätch": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"abc", "acb", 1}, {"abc", "bca", 2}, {"kitten", "sitting", 3}, {"größe", "grosse", 3}} {
		if got := edits([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
