package trace

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// Arg is a named value of an event; make it with [Int], [Text] or [Millis].
type Arg struct {
	key, text string
	number    int64
	kind      kind
}

type kind uint8

const (
	integer kind = iota
	text
	thousandths // of the unit in which it is written
)

// Int returns an argument that is a whole number.
func Int[N ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32](key string, n N) Arg {
	return Arg{key: key, number: int64(n)}
}

// Text returns a text argument. Only its first 256 bytes are kept.
func Text(key, s string) Arg { return Arg{key: key, text: s, kind: text} }

// Millis returns an argument that is a duration in milliseconds, with a precision of a microsecond.
func Millis(key string, d time.Duration) Arg {
	return Arg{key: key, number: int64(d / time.Microsecond), kind: thousandths}
}

// maxText is the maximum length of texts and names in bytes, so that an event fits into a buffer.
const maxText = 256

func (a *Arg) append(b []byte) []byte {
	b = append(appendText(b, a.key), ':')
	switch a.kind {
	case text:
		return appendText(b, a.text)
	case thousandths:
		return appendThousandths(b, a.number)
	}
	return strconv.AppendInt(b, a.number, 10)
}

func appendArgs(b []byte, args []Arg) []byte {
	if len(args) == 0 {
		return b
	}
	b = append(b, `,"args":{`...)
	for i := range args {
		if i > 0 {
			b = append(b, ',')
		}
		b = args[i].append(b)
	}
	return append(b, '}')
}

// appendThousandths appends n/1000 with all its digits.
func appendThousandths(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/1000, 10)
	n %= 1000
	return append(b, '.', byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
}

// appendText appends a JSON string. Invalid UTF-8 is replaced.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s) && i < maxText; {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20 || c == 0x7F:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c < utf8.RuneSelf:
			b = append(b, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += n
			continue
		}
		i++
	}
	return append(b, '"')
}

const hex = "0123456789abcdef"
