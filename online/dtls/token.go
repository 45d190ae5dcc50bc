package dtls

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
)

const (
	// tokenSecret is how many bytes of a token are secret: 128 bits cannot be guessed,
	// not even offline with recorded traffic.
	tokenSecret = 16
	// tokenCheck is how many bytes find typing errors: one in four billion stays unseen.
	tokenCheck = 4
	// tokenDigits is the length of a token as text, without separators: 5 bits a digit.
	tokenDigits = (tokenSecret + tokenCheck) * 8 / 5
	// tokenGroup is how many digits stand between two separators.
	tokenGroup = 4
	// maxTokenText bounds what is looked at: every digit may be followed by a separator.
	maxTokenText = 2 * tokenDigits
)

// tokenAlphabet is Crockford's base 32: no i, l, o and u.
const tokenAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// makeOne is advice for people who have thought of something themselves.
const makeOne = "make one: a password of your own could be guessed"

// Errors of ParseToken.
var (
	// ErrTokenForm is text that is no token: a password is none either, since it could be
	// guessed.
	ErrTokenForm = errors.New("this is no token")
	// ErrTokenTypo is a token with a digit that is wrong, missing or in another place.
	ErrTokenTypo = errors.New("the token has a typing error")
)

// Token is the secret that the players of a match share: 128 random bits. Make it with
// [NewToken]. The zero Token is none.
type Token struct{ secret [tokenSecret]byte }

// NewToken makes a random token.
func NewToken() (t Token) {
	rand.Read(t.secret[:]) // never fails
	return t
}

// IsZero reports whether this is no token.
func (t Token) IsZero() bool { return t == Token{} }

// Equal reports whether two tokens are the same, in a time that does not depend on it.
func (t Token) Equal(o Token) bool { return subtle.ConstantTimeCompare(t.secret[:], o.secret[:]) == 1 }

func (t Token) check() [tokenCheck]byte {
	sum := sha256.Sum256(append([]byte("tickback secure token v1"), t.secret[:]...))
	return [tokenCheck]byte(sum[:])
}

// String returns the token as text, to give to the players over a channel that others
// cannot read: eight groups of four digits and letters. Keep it out of logs.
func (t Token) String() string {
	check := t.check()
	var text strings.Builder
	var bits, have uint
	for _, b := range append(t.secret[:], check[:]...) {
		bits, have = bits<<8|uint(b), have+8
		for ; have >= 5; have -= 5 {
			if n := text.Len(); n%(tokenGroup+1) == tokenGroup {
				text.WriteByte('-')
			}
			text.WriteByte(tokenAlphabet[bits>>(have-5)&31])
		}
	}
	return text.String()
}

// ParseToken reads a token as [Token.String] writes it. Case, dashes and white space do
// not matter, and o, i and l are read as 0, 1 and 1. The error is [ErrTokenForm] or
// [ErrTokenTypo], with what is wrong; it does not repeat the text.
func ParseToken(text string) (Token, error) {
	digits, err := tokenValues(text)
	if err != nil {
		return Token{}, err
	}
	if len(digits) != tokenDigits {
		return Token{}, fmt.Errorf("%w: it has %d letters and digits, a token has %d (%s)", ErrTokenForm, len(digits), tokenDigits, makeOne)
	}
	var all [tokenSecret + tokenCheck]byte
	var bits, have uint
	n := 0
	for _, v := range digits {
		bits, have = bits<<5|uint(v), have+5
		if have >= 8 {
			have -= 8
			all[n] = byte(bits >> have)
			n++
		}
	}
	t := Token{[tokenSecret]byte(all[:tokenSecret])}
	switch check := t.check(); {
	case subtle.ConstantTimeCompare(check[:], all[tokenSecret:]) != 1:
		return Token{}, fmt.Errorf("%w: its checksum does not fit; compare it with the original", ErrTokenTypo)
	case t.IsZero():
		return Token{}, fmt.Errorf("%w: it is all zeros", ErrTokenForm)
	}
	return t, nil
}

// tokenValues reads the digits of a token, without separators.
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
