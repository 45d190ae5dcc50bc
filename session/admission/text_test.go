package admission

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

// A token is parsed as it is written, even if people type it: in capitals, without
// dashes, with O for 0 and I or L for 1.
func TestTokensAsText(t *testing.T) {
	for range 100 {
		token := random(MinToken)
		text := TokenText(token)
		if len(text) != 39 || strings.Count(text, "-") != 7 {
			t.Fatalf("%q", text)
		}
		typed := strings.ToUpper(strings.ReplaceAll(text, "-", " "))
		typed = strings.NewReplacer("0", "O", "1", "l").Replace(typed)
		for _, s := range []string{text, typed, "  " + text + "\r\n", strings.ReplaceAll(text, "-", "")} {
			if got, err := ParseToken(s); err != nil || !bytes.Equal(got, token) {
				t.Fatalf("%q: %v", s, err)
			}
		}
	}
}

// Each typing error is detected: any digit changed, any two neighbours swapped, one
// missing, one too many.
func TestTypingErrors(t *testing.T) {
	digits := strings.ReplaceAll(TokenText(random(MinToken)), "-", "")
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

// A text made up by people is not a token, however long it is, and no error repeats it.
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
	if _, err := ParseToken(TokenText(make([]byte, MinToken))); !errors.Is(err, ErrTokenForm) {
		t.Error(err)
	}
}

// Tokens of every allowed size have a text, and no others do.
func TestTokensOfEverySize(t *testing.T) {
	for n := range MaxToken + 8 {
		token := random(n)
		text := TokenText(token)
		got, err := ParseToken(text)
		if fits := CheckToken(token) == nil; fits != (err == nil) || fits && !bytes.Equal(got, token) || !fits && !errors.Is(err, ErrTokenForm) {
			t.Errorf("%d bytes as %q: %x, %v", n, text, got, err)
		}
	}
	// The unused bits of the last digit must be zero; otherwise two texts would be the
	// same token.
	digits := strings.ReplaceAll(TokenText(random(MinToken+1)), "-", "")
	last := strings.IndexByte(tokenAlphabet, digits[len(digits)-1])
	if _, err := ParseToken(digits[:len(digits)-1] + string(tokenAlphabet[last|1])); !errors.Is(err, ErrTokenTypo) {
		t.Errorf("another last digit: %v", err)
	}
}

func FuzzParseToken(f *testing.F) {
	f.Add(TokenText(random(MinToken)))
	f.Add("secret")
	f.Add("O0iIlL-------")
	f.Fuzz(func(t *testing.T, s string) {
		token, err := ParseToken(s)
		if err != nil {
			return
		}
		if again, err := ParseToken(TokenText(token)); err != nil || !bytes.Equal(again, token) {
			t.Errorf("%q is read as %x, and that as %x, %v", s, token, again, err)
		}
	})
}
