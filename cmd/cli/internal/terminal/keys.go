package terminal

import (
	"sync"
	"time"
)

// holdFor is how long a key counts as held after its last report: terminals report presses and their repetitions, 25
// or more a second, but no releases.
const holdFor = 150 * time.Millisecond

// Keys are the keys of a terminal.
type Keys struct {
	mu    sync.Mutex
	until map[string]time.Time
	now   func() time.Time
}

func newKeys() *Keys { return &Keys{until: map[string]time.Time{}, now: time.Now} }

// Held reports whether a key counts as held.
func (k *Keys) Held(key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.now().Before(k.until[key])
}

// press handles bytes from a terminal. It reports whether they contained Ctrl-C.
func (k *Keys) press(sent []byte) (interrupted bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	until := k.now().Add(holdFor)
	for len(sent) > 0 {
		key, n := nextKey(sent)
		sent = sent[n:]
		switch key {
		case "":
		case "ctrl-c":
			interrupted = true
		default:
			k.until[key] = until
		}
	}
	return interrupted
}

// nextKey parses one key, and returns its length in bytes. The name is empty for a key that games cannot use: see
// Screen.
func nextKey(b []byte) (key string, n int) {
	if len(b) >= 3 && b[0] == 0x1b && (b[1] == '[' || b[1] == 'O') {
		switch b[2] {
		case 'A':
			return "up", 3
		case 'B':
			return "down", 3
		case 'C':
			return "right", 3
		case 'D':
			return "left", 3
		}
		return "", 3
	}
	switch c := b[0]; {
	case c == 3:
		return "ctrl-c", 1
	case c == ' ':
		return "space", 1
	case c == '\r' || c == '\n':
		return "enter", 1
	case c >= 'A' && c <= 'Z':
		return string(rune(c - 'A' + 'a')), 1
	case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
		return string(rune(c)), 1
	}
	return "", 1
}
