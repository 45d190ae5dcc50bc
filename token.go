package tickback

import (
	"crypto/rand"

	"github.com/tickback/tickback/session/admission"
)

// Token is a secret of a match: 16 to 64 random bytes. Who knows it may join ([Options.Token]), play
// at a server ([ServerOptions.Token]) or watch ([Spectators]); with package online/dtls it encrypts, too.
// A match never sends it: who comes proves that it knows it. There is one form for all of these, so
// that one token may do for everything.
type Token []byte

// Errors of [ParseToken].
var (
	// ErrTokenForm is text that is no token: a password is none either, since it could be guessed.
	ErrTokenForm = admission.ErrTokenForm
	// ErrTokenTypo is a token with a digit that is wrong, missing or in another place.
	ErrTokenTypo = admission.ErrTokenTypo
)

// NewToken makes a random token.
func NewToken() Token {
	t := make(Token, admission.MinToken)
	rand.Read(t) // never fails
	return t
}

// ParseToken reads a token as [Token.String] writes it. Case, dashes and white space do not matter, and
// o, i and l are read as 0, 1 and 1. The error is [ErrTokenForm] or [ErrTokenTypo], with what is wrong;
// it does not repeat the text.
func ParseToken(text string) (Token, error) {
	t, err := admission.ParseToken(text)
	return t, err
}

// String returns the token as text, to send to those who are invited over a channel that others cannot
// read: eight groups of four letters and digits, with a checksum. It is a secret: keep it out of logs.
func (t Token) String() string { return admission.TokenText(t) }
