package tickback

import (
	"crypto/rand"

	"github.com/tickback/tickback/session/admission"
)

// Token is a secret of a match: 16 to 64 random bytes. Anyone who knows it may join ([Options.Token]), play at a server
// ([ServerOptions.Token]) or watch ([Spectators]); with package online/dtls it also encrypts. A match never sends it: a
// machine that connects proves that it knows the token. All of these take tokens of the same form, so one token can
// serve for everything.
type Token []byte

// Errors of [ParseToken].
var (
	// ErrTokenForm means that a text is not a token. Passwords are not tokens either, since they could be guessed.
	ErrTokenForm = admission.ErrTokenForm
	// ErrTokenTypo means that a digit of a token is wrong, missing or misplaced.
	ErrTokenTypo = admission.ErrTokenTypo
)

// NewToken makes a random token.
func NewToken() Token {
	t := make(Token, admission.MinToken)
	rand.Read(t) // there is no error: this never fails
	return t
}

// ParseToken reads a token in the form that [Token.String] writes. Case, dashes and white space do not matter, and o,
// i and l are read as 0, 1 and 1. The error wraps [ErrTokenForm] or [ErrTokenTypo] and says what is wrong; it does not
// repeat the text.
func ParseToken(text string) (Token, error) {
	t, err := admission.ParseToken(text)
	return t, err
}

// String returns the token as text: eight groups of four letters and digits, with a checksum. Send it to the people you
// invite, over a channel that others cannot read. It is a secret: keep it out of logs.
func (t Token) String() string { return admission.TokenText(t) }
