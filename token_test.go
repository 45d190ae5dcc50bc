package tickback_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tickback/tickback"
)

// A token survives being printed, and no two are the same.
func TestTokensAreText(t *testing.T) {
	a, b := tickback.NewToken(), tickback.NewToken()
	if bytes.Equal(a, b) {
		t.Errorf("twice the token %v", a)
	}
	back, err := tickback.ParseToken(a.String())
	if err != nil || !bytes.Equal(back, a) || len(a.String()) != 32 {
		t.Errorf("%v came back as %v, %v", a, back, err)
	}
	for _, ok := range []string{strings.Repeat("0A", 16), strings.Repeat("ff", 64)} {
		if _, err := tickback.ParseToken(ok); err != nil {
			t.Errorf("%q: %v", ok, err)
		}
	}
}

// What is no token is refused, and the refusal does not repeat what may be a secret.
func TestTextThatIsNoToken(t *testing.T) {
	for _, text := range []string{"", "secret", strings.Repeat("0", 31), strings.Repeat("0", 33), strings.Repeat("00", 15), strings.Repeat("00", 65), strings.Repeat("xy", 16)} {
		_, err := tickback.ParseToken(text)
		if err == nil || text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
