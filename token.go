package tickback

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/tickback/tickback/session/spectate"
)

// Token is an invitation to a match: 16 to 64 random bytes. Whoever knows it may join
// while play goes on; see [Options.Token]. It does not travel: who joins proves that it
// knows it.
type Token []byte

// NewToken makes a token that nobody can guess.
func NewToken() Token {
	t := make(Token, spectate.MinToken)
	rand.Read(t) // never fails
	return t
}

// ParseToken reads a token as [Token.String] writes it: 32 to 128 hexadecimal digits.
func ParseToken(text string) (Token, error) {
	const least, most = 2 * spectate.MinToken, 2 * spectate.MaxToken
	t, err := hex.DecodeString(text)
	if n := len(text); err != nil || n < least || n > most {
		return nil, fmt.Errorf("a token is %d to %d hexadecimal digits, and this is none: %d characters", least, most, n)
	}
	return t, nil
}

// String is the token in hexadecimal digits, to be given to those who are invited. It
// is a secret: keep it out of logs.
func (t Token) String() string { return hex.EncodeToString(t) }
