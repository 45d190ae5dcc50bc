package online

import (
	"strings"
	"testing"
)

// Rule: a link is found in any text that contains one, and nothing that is not a link to a room is taken for
// one.
func TestALinkIsFoundInAMessage(t *testing.T) {
	const link = "https://play.example.org/#room=abc-_1"
	for text, want := range map[string]string{
		link:                link,
		" \n" + link + "\n": link,
		"Play Tickback with me: " + link + " - it takes a minute": link,
		"Spiel mit mir (" + link + ").":                           link,
		"<" + link + ">, please":                                  link,
		"„" + link + "“":                                          link,
		"*" + link + "*":                                          link,
		"[here](" + link + ")":                                    link,
		"see https://example.org/ and " + link + "!":              link,
		"العب معي " + link + " الآن":                              link,
		"link:" + link:                                            link,
		link + " or " + link + "2":                                link,
		link + "&place=s-_2.":                                     link + "&place=s-_2",
		"HTTPS://h/#room=r":                                       "HTTPS://h/#room=r",
		"https://h/?x=1#lang=de&room=r.":                          "https://h/?x=1#lang=de&room=r",
		"wss://h/#room=r":                                         "wss://h/#room=r",
		"":                                                        "",
		"://":                                                     "",
		"no link":                                                 "",
		"https://example.org/#about":                              "",
		"javascript://h/#room=r":                                  "",
		"/#room=abc":                                              "",
		strings.Repeat("x", maxMessage) + " " + link:              "",
		strings.Repeat("://", 9000):                               "",
	} {
		if got := LinkIn(text); got != want {
			t.Errorf("%.80q: %q, want %q", text, got, want)
		}
	}
}

// FuzzLinkIn: the result leads to a room, and is a part of the text.
func FuzzLinkIn(f *testing.F) {
	f.Add("see https://example.org/ and (https://play.example.org/#room=abc-_1).")
	f.Fuzz(func(t *testing.T, text string) {
		if link := LinkIn(text); link != "" && (RoomOf(link) == "" || !strings.Contains(text, link)) {
			t.Fatalf("%q in %q", link, text)
		}
	})
}
