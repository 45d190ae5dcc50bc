package admission

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
)

// Tokens as text: the bytes and a checksum in base 32, in groups of four letters and digits, for people who read
// them out and type them.

const (
	// tokenCheck is the size of the checksum against typing errors in bytes: one error in four billion is not
	// detected.
	tokenCheck = 4
	// tokenGroup is the number of digits between two separators.
	tokenGroup = 4
	// tokenDigits is the length of the text of a token of MinToken bytes, without separators.
	tokenDigits = (MinToken + tokenCheck) * 8 / 5
	// maxTokenText limits the text to be parsed: every digit of the longest token may be followed by a separator.
	maxTokenText = 2 * ((MaxToken+tokenCheck)*8 + 4) / 5
)

// tokenAlphabet is Crockford's base 32: no i, l, o and u.
const tokenAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// makeOne is advice for people who have made up a token themselves.
const makeOne = "make one with the command \"token\", or in Go with NewToken: a password of your own could be guessed"

// Errors of [ParseToken].
var (
	// ErrTokenForm means that the text is not a token. Passwords are not tokens either, since they could be
	// guessed.
	ErrTokenForm = errors.New("this is no token")
	// ErrTokenTypo means that a digit of the token is wrong, missing or in the wrong place.
	ErrTokenTypo = errors.New("the token has a typing error")
)

func checkOf(token []byte) [tokenCheck]byte {
	sum := sha256.Sum256(append([]byte("tickback secure token v1"), token...))
	return [tokenCheck]byte(sum[:])
}

// TokenText returns a token as text: eight groups of four letters and digits for 16 bytes.
func TokenText(token []byte) string {
	check := checkOf(token)
	var text strings.Builder
	var bits, have uint
	digit := func(v uint) {
		if text.Len()%(tokenGroup+1) == tokenGroup {
			text.WriteByte('-')
		}
		text.WriteByte(tokenAlphabet[v&31])
	}
	for _, b := range append(append([]byte(nil), token...), check[:]...) {
		bits, have = bits<<8|uint(b), have+8
		for ; have >= 5; have -= 5 {
			digit(bits >> (have - 5))
		}
	}
	if have > 0 {
		digit(bits << (5 - have))
	}
	return text.String()
}

// ParseToken parses a token as written by [TokenText]. Case, dashes and white space do not matter, and o, i and l
// are read as 0, 1 and 1. The error wraps [ErrTokenForm] or [ErrTokenTypo] and says what is wrong; it does not
// repeat the text.
func ParseToken(text string) ([]byte, error) {
	digits, err := tokenValues(text)
	if err != nil {
		return nil, err
	}
	size := len(digits)*5/8 - tokenCheck
	if size < MinToken || size > MaxToken || len(digits) != ((size+tokenCheck)*8+4)/5 {
		return nil, fmt.Errorf("%w: %s, a token has %d (%s)", ErrTokenForm, counted(len(digits)), tokenDigits, makeOne)
	}
	all := make([]byte, 0, size+tokenCheck)
	var bits, have uint
	zero := true
	for _, v := range digits {
		bits, have = bits<<5|uint(v), have+5
		if have >= 8 {
			have -= 8
			all = append(all, byte(bits>>have))
			zero = zero && (byte(bits>>have) == 0 || len(all) > size)
		}
	}
	token := all[:size:size]
	switch check := checkOf(token); {
	case subtle.ConstantTimeCompare(check[:], all[size:]) != 1 || bits&(1<<have-1) != 0:
		return nil, fmt.Errorf("%w: its checksum does not fit; compare it with the original", ErrTokenTypo)
	case zero:
		return nil, fmt.Errorf("%w: it is all zeros", ErrTokenForm)
	}
	return token, nil
}

// counted describes the length of a text.
func counted(digits int) string {
	switch digits {
	case 0:
		return "it is empty"
	case 1:
		return "it has one letter or digit"
	}
	return fmt.Sprintf("it has %d letters and digits", digits)
}

// tokenValues returns the values of the digits of a token, without separators.
func tokenValues(text string) ([]byte, error) {
	if len(text) > maxTokenText {
		return nil, fmt.Errorf("%w: it has %d characters, a token has %d letters and digits (%s)", ErrTokenForm, len(text), tokenDigits, makeOne)
	}
	var values []byte
	for _, r := range strings.ToLower(text) {
		switch r {
		case '-', ' ', '\t', '\r', '\n':
			continue
		case 'o':
			r = '0'
		case 'i', 'l':
			r = '1'
		}
		v := strings.IndexRune(tokenAlphabet, r)
		if v < 0 {
			return nil, fmt.Errorf("%w: it contains a character that no token has (%s)", ErrTokenForm, makeOne)
		}
		values = append(values, byte(v))
	}
	return values, nil
}
