package tickback_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback"
)

// A token can be printed and parsed again, and no two are the same.
func TestTokensAreText(t *testing.T) {
	a, b := tickback.NewToken(), tickback.NewToken()
	if bytes.Equal(a, b) {
		t.Errorf("twice the token %v", a)
	}
	back, err := tickback.ParseToken(a.String())
	if err != nil || !bytes.Equal(back, a) || len(a.String()) != 39 {
		t.Errorf("%v came back as %v, %v", a, back, err)
	}
}

// A text that is not a token is refused, and the error does not repeat what may be a secret.
func TestTextThatIsNoToken(t *testing.T) {
	typo := tickback.NewToken().String()
	typo = map[bool]string{true: "1", false: "0"}[typo[0] == '0'] + typo[1:]
	for text, want := range map[string]error{
		"": tickback.ErrTokenForm, "secret": tickback.ErrTokenForm, strings.Repeat("ü", 32): tickback.ErrTokenForm,
		strings.Repeat("0", 31): tickback.ErrTokenForm, strings.Repeat("00", 65): tickback.ErrTokenForm, typo: tickback.ErrTokenTypo,
	} {
		_, err := tickback.ParseToken(text)
		if !errors.Is(err, want) || text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
