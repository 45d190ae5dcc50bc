package dtls

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A token is read as it is written, also by people who type it: in capitals, without
// dashes, with O for 0 and I or L for 1.
func TestTokensAsText(t *testing.T) {
	for range 100 {
		token := NewToken()
		text := token.String()
		if len(text) != 39 || strings.Count(text, "-") != 7 || token.IsZero() {
			t.Fatalf("%q", text)
		}
		typed := strings.ToUpper(strings.ReplaceAll(text, "-", " "))
		typed = strings.NewReplacer("0", "O", "1", "l").Replace(typed)
		for _, s := range []string{text, typed, "  " + text + "\r\n", strings.ReplaceAll(text, "-", "")} {
			if got, err := ParseToken(s); err != nil || !got.Equal(token) {
				t.Fatalf("%q: %v", s, err)
			}
		}
		if token.Equal(NewToken()) {
			t.Error("two tokens are the same")
		}
	}
}

// Each error in typing is found: any digit changed, any two that are neighbours swapped,
// one missing, one too many.
func TestTypingErrors(t *testing.T) {
	digits := strings.ReplaceAll(NewToken().String(), "-", "")
	for i := range digits {
		for _, d := range tokenAlphabet {
			if byte(d) == digits[i] {
				continue
			}
			if _, err := ParseToken(digits[:i] + string(d) + digits[i+1:]); !errors.Is(err, ErrTokenTypo) {
				t.Fatalf("digit %d changed: %v", i, err)
			}
		}
		if i > 0 && digits[i] != digits[i-1] {
			swapped := digits[:i-1] + digits[i:i+1] + digits[i-1:i] + digits[i+1:]
			if _, err := ParseToken(swapped); !errors.Is(err, ErrTokenTypo) {
				t.Fatalf("digits %d and %d swapped: %v", i-1, i, err)
			}
		}
		for _, s := range []string{digits[:i] + digits[i+1:], digits[:i] + "7" + digits[i:]} {
			if _, err := ParseToken(s); !errors.Is(err, ErrTokenForm) || !strings.Contains(fmt.Sprint(err), "a token has 32") {
				t.Fatalf("%q: %v", s, err)
			}
		}
	}
}

// What people make up is no token, however long it is, and no error repeats it.
func TestPasswordsAreNoTokens(t *testing.T) {
	for _, s := range []string{
		"", "secret", "correct horse battery staple", strings.Repeat("a", 32), strings.Repeat("0", 32),
		strings.Repeat("hunter2-", 1000), "0123-4567-89ab-cdef-0123-4567-89ab-cdef", "…",
	} {
		_, err := ParseToken(s)
		if !errors.Is(err, ErrTokenForm) && !errors.Is(err, ErrTokenTypo) {
			t.Errorf("%q: %v", s, err)
		}
		if len(s) > 5 && strings.Contains(fmt.Sprint(err), s) {
			t.Errorf("the error tells it: %v", err)
		}
	}
	// The zero token with a right checksum.
	if _, err := ParseToken(Token{}.String()); !errors.Is(err, ErrTokenForm) {
		t.Error(err)
	}
}

// The format is frozen: tokens of today are read tomorrow, and make the same keys.
func TestFrozenTokens(t *testing.T) {
	token, err := ParseToken(frozenToken)
	if err != nil || token.String() != frozenToken {
		t.Fatal(err, token)
	}
	_, pair := fromToken(token)
	if got := fmt.Sprintf("%x %v", pair.id, pair.remote); got != frozenKey {
		t.Errorf("the keys are %s", got)
	}
}

const (
	frozenToken = "0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v"
	frozenKey   = "58112fcb2c084857 a2af574583a2ced87ca3965250c50c2746efdee848f698757a3814ad67db8aef"
)

func FuzzParseToken(f *testing.F) {
	f.Add(NewToken().String())
	f.Add("secret")
	f.Add("O0iIlL-------")
	f.Fuzz(func(t *testing.T, s string) {
		token, err := ParseToken(s)
		if err != nil {
			return
		}
		if again, err := ParseToken(token.String()); err != nil || again != token {
			t.Errorf("%q is read as %v, and that as %v, %v", s, token, again, err)
		}
	})
}
