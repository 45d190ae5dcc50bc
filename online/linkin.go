package online

import "strings"

// maxMessage bounds the text in which a link is looked for.
const maxMessage = 64 << 10

// LinkIn returns the first link to a room in a text, such as a message that somebody was sent; "" if there is
// none. What stands around it, such as brackets or a full stop, is no part of it.
func LinkIn(text string) string {
	text = text[:min(len(text), maxMessage)]
	for text != "" {
		i := strings.Index(text, "://")
		if i < 0 {
			return ""
		}
		from := i
		for from > 0 && isLetter(text[from-1]) {
			from--
		}
		end := i + strings.IndexFunc(text[i:]+" ", endsLink)
		if link := trim(text[from:end]); RoomOf(link) != "" {
			return link
		}
		text = text[i+len("://"):]
	}
	return ""
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// endsLink reports whether no link has such a character: those that it has are ASCII.
func endsLink(r rune) bool {
	return r <= ' ' || r >= 0x7F || strings.ContainsRune("<>\"`{}|\\^", r)
}

// trim takes off the signs after a link: a sentence goes on, or ends. Names of rooms have none of them.
func trim(link string) string {
	return strings.TrimRight(link, ".,;:!?)]}*'~/")
}
