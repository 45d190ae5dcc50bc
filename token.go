package tickback

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/tickback/tickback/session/admission"
)

// Token is an invitation to a match: 16 to 64 random bytes. Players who know it may join a
// running match; see [Options.Token]. It is never sent: a newcomer proves that it knows it.
type Token []byte

// NewToken makes a random token.
func NewToken() Token {
	t := make(Token, admission.MinToken)
	rand.Read(t) // never fails
	return t
}

// ParseToken reads a token as [Token.String] writes it: 32 to 128 hexadecimal digits.
func ParseToken(text string) (Token, error) {
	const least, most = 2 * admission.MinToken, 2 * admission.MaxToken
	t, err := hex.DecodeString(text)
	if n := len(text); err != nil || n < least || n > most {
		return nil, fmt.Errorf("a token is %d to %d hexadecimal digits, and this has %d characters", least, most, n)
	}
	return t, nil
}

// String returns the token in hexadecimal digits, to send to those who are invited. It is a
// secret: keep it out of logs.
func (t Token) String() string { return hex.EncodeToString(t) }
