package online

import "strings"

// maxMessage is how much of a text is searched for a link.
const maxMessage = 64 << 10

// LinkIn returns the first link to a room in a text, such as a chat message, or "" if there is none. Surrounding
// characters, such as brackets or a full stop, are not part of the link.
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

// endsLink reports whether a character cannot be part of a link: links are ASCII.
func endsLink(r rune) bool {
	return r <= ' ' || r >= 0x7F || strings.ContainsRune("<>\"`{}|\\^", r)
}

// trim removes the punctuation after a link, which belongs to the sentence around it. Names of rooms contain none.
func trim(link string) string {
	return strings.TrimRight(link, ".,;:!?)]}*'~/")
}
