package words

import (
	"fmt"
	"io"
	"strings"
)

// T returns a text in the current language. The text is a constant, or one that [K] has marked.
func T(english string) string {
	for _, table := range languages[Current()].texts {
		if text, ok := table[english]; ok {
			return text
		}
	}
	return english
}

// K marks a text that is shown later, by [T], and returns it unchanged.
func K(english string) string { return english }

// F formats like [fmt.Sprintf], with a format in the current language. Fractions get its decimal sign.
func F(english string, args ...any) string { return format(T(english), args) }

// N formats according to the number n: with one for 1, otherwise with many. Both have %d for n as their first verb,
// and the other verbs are for rest; texts that do not say the number begin with %[2]s, the first of rest.
func N(n int, one, many string, rest ...any) string {
	forms := [2]string{one, many}
	for _, table := range languages[Current()].plurals {
		if own, ok := table[many]; ok {
			forms = own
		}
	}
	form := forms[1]
	if n == 1 {
		form = forms[0]
	}
	return format(form, append([]any{n}, rest...))
}

func format(text string, args []any) string {
	if languages[Current()].comma != "." {
		own := make([]any, len(args))
		for i, a := range args {
			switch v := a.(type) {
			case float64:
				a = number(v)
			case float32:
				a = number(v)
			}
			own[i] = a
		}
		args = own
	}
	return fmt.Sprintf(text, args...)
}

// number is a number that is formatted with the language's decimal sign.
type number float64

// Format implements [fmt.Formatter].
func (n number) Format(s fmt.State, verb rune) {
	text := fmt.Sprintf(fmt.FormatString(s, verb), float64(n))
	_, _ = io.WriteString(s, strings.Replace(text, ".", languages[Current()].comma, 1)) // a formatter's writer never fails
}

// Each returns the texts of a list marked by [K], in the current language.
func Each(list []string) []string {
	own := make([]string, len(list))
	for i, english := range list {
		own[i] = T(english)
	}
	return own
}
