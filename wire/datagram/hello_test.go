package datagram

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// A Hello has the configured length, and by default that of the longest answer.
func TestHelloIsPadded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := Hello{rapid.Bool().Draw(t, "watch"), rapid.Byte().Draw(t, "version"), rapid.Uint64().Draw(t, "nonce"), rapid.Byte().Draw(t, "attempt")}
		size := rapid.IntRange(MinSize, MaxSize).Draw(t, "size")
		if b := h.Append(nil); len(b) != MaxSize {
			t.Fatalf("%d bytes", len(b))
		}
		b := h.AppendPadded([]byte("before"), size)[6:]
		if len(b) != size || !bytes.Equal(b[14:], make([]byte, size-14)) {
			t.Fatalf("%d bytes, % x", len(b), b)
		}
		if got, err := ConsumeHello(b); got != h || err != nil {
			t.Fatalf("%+v comes back as %+v, %v", h, got, err)
		}
	})
}

// A Hello that is too short or too long is refused, however it begins: the answer to a short one would be longer than
// it.
func TestHelloOfAnotherLengthIsRefused(t *testing.T) {
	b := append(Hello{Version: Version}.Append(nil), 0)
	for n := range len(b) + 1 {
		if _, err := ConsumeHello(b[:n]); (err == nil) != (n >= MinSize && n <= HelloSize) || err != nil && !errors.Is(err, ErrShort) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestHelloWithAnotherBeginningIsRefused(t *testing.T) {
	for i, want := range []error{ErrKind, ErrMagic, ErrMagic, ErrMagic} {
		b := Hello{Version: Version}.Append(nil)
		b[i] ^= 1
		if _, err := ConsumeHello(b); !errors.Is(err, want) {
			t.Errorf("byte %d: %v, not %v", i, err, want)
		}
	}
}

func TestFrozenHello(t *testing.T) {
	h := Hello{Version: 1, Nonce: 0x0102030405060708, Attempt: 9}
	want := []byte{1, 'T', 'K', 'B', 1, 8, 7, 6, 5, 4, 3, 2, 1, 9, 0, 0}
	if b := h.Append(nil); !bytes.Equal(b[:16], want) {
		t.Errorf("% x, not % x", b[:16], want)
	}
}

// A challenge and its answer differ only in the kind.
func TestChallengesComeBack(t *testing.T) {
	for _, kind := range []byte{KindChallenge, KindAnswer} {
		c := Challenge{kind, 0x1122334455667788}
		b := c.Append(nil)
		if want := []byte{kind, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11}; !bytes.Equal(b, want) {
			t.Errorf("% x, not % x", b, want)
		}
		if got, err := ConsumeChallenge(b); got != c || err != nil {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestNoOtherChallenges(t *testing.T) {
	b := append(Challenge{KindAnswer, 1}.Append(nil), 0)
	for n := range len(b) + 1 {
		if _, err := ConsumeChallenge(b[:n]); (err == nil) != (n == PathSize-TagSize) || err != nil && !errors.Is(err, ErrShort) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for kind := range 256 {
		b[0] = byte(kind)
		_, err := ConsumeChallenge(b[:PathSize-TagSize])
		if known := kind == KindChallenge || kind == KindAnswer; known != (err == nil) || !known && !errors.Is(err, ErrKind) {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
}
