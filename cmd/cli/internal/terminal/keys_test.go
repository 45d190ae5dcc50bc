package terminal

import (
	"testing"
	"time"
)

// A terminal only reports presses: a key counts as held for a while after the last one.
func TestKeysAreHeldForAWhile(t *testing.T) {
	now := time.Unix(0, 0)
	k := newKeys()
	k.now = func() time.Time { return now }
	if k.press([]byte("aW \x1b[A\x1bOD\x1b[5~\xff\r7")) {
		t.Error("no Ctrl-C was pressed")
	}
	for key, want := range map[string]bool{"a": true, "w": true, "space": true, "up": true, "left": true, "enter": true, "7": true, "right": false, "d": false, "ctrl-c": false} {
		if k.Held(key) != want {
			t.Errorf("%s: held is %v", key, !want)
		}
	}
	now = now.Add(holdFor / 2)
	k.press([]byte("a"))
	now = now.Add(holdFor / 2)
	if !k.Held("a") || k.Held("w") {
		t.Error("a was repeated and is held, w was not")
	}
	now = now.Add(holdFor)
	if k.Held("a") {
		t.Error("a is held for ever")
	}
	if !k.press([]byte("x\x03")) {
		t.Error("Ctrl-C is a key")
	}
}

// Whatever bytes a terminal sends, all of them are read.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("\x1b[A\x1b[1;5C\x1b"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		for len(sent) > 0 {
			_, n := nextKey(sent)
			if n < 1 || n > len(sent) {
				t.Fatalf("%d of %d bytes", n, len(sent))
			}
			sent = sent[n:]
		}
	})
}
