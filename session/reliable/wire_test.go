package reliable

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"
)

const tick = time.Second / 60

// twoEnds returns two ends with default settings and no link between them.
func twoEnds(t testing.TB) (a, b *Channel) {
	t.Helper()
	a, errA := New(Config{})
	b, errB := New(Config{})
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	return a, b
}

func mustSend(t testing.TB, c *Channel, messages ...string) {
	t.Helper()
	for _, m := range messages {
		if err := c.Send([]byte(m)); err != nil {
			t.Fatal(err)
		}
	}
}

func mustConsume(t testing.TB, c *Channel, sections ...[]byte) {
	t.Helper()
	for _, s := range sections {
		if n, err := c.Consume(s, 0); err != nil || n != len(s) {
			t.Fatalf("Consume(%x): %d, %v", s, n, err)
		}
	}
}

// all takes all messages.
func all(c *Channel) (messages []string) {
	for {
		m, ok := c.Next()
		if !ok {
			return messages
		}
		messages = append(messages, string(m))
	}
}

// These bytes are the format. They change with the protocol version, never alone.
func TestFrozenSections(t *testing.T) {
	a, b := twoEnds(t)
	frozen := func(c *Channel, room int, now time.Duration, want string) []byte {
		t.Helper()
		got := c.Append(nil, room, now)
		if hex.EncodeToString(got) != strings.ReplaceAll(want, " ", "") {
			t.Errorf("section is\n%x, want\n%s", got, want)
		}
		return got
	}
	frozen(a, 1000, 0, "")
	mustSend(t, a, "twelve bytes")
	one := frozen(a, 1000, 0, "01 00 30 7477656c7665206279746573")
	mustConsume(t, b, one)
	mustSend(t, b, "yes", "no")
	mustConsume(t, a, frozen(b, 1000, 0, "42 01 00 0c 796573 08 6e6f"))
	bare := frozen(a, 1000, 0, "40 02")
	mustConsume(t, b, bare)

	// A message in two fragments, 1 and 2; then 3, 4 and 5. Only 2 and 4 arrive.
	mustSend(t, a, strings.Repeat("z", 70))
	frozen(a, 68, 1, "01 01 8202"+strings.Repeat("7a", 64)) // as few as are cut off
	mustConsume(t, b, frozen(a, 1000, 2, "01 02 18 7a7a7a7a7a7a"))
	mustSend(t, a, "x")
	frozen(a, 1000, 3, "01 03 04 78")
	mustSend(t, a, "y")
	mustConsume(t, b, frozen(a, 1000, 4, "01 04 04 79"))
	mustSend(t, a, "w")
	frozen(a, 1000, 5, "01 05 04 77")
	mustConsume(t, a, frozen(b, 1000, 6, "c0 01 01 05"))
	// 1, 3 and 5 come again after the time-out, with gaps of one between them.
	mustConsume(t, b, frozen(a, 1000, InitialTimeout+5, "03 01 8202"+strings.Repeat("7a", 64)+"05 01 78 05 01 77"))
	if got := all(b); len(got) != 5 || got[1] != strings.Repeat("z", 70) || got[4] != "w" {
		t.Errorf("messages are %q", got)
	}
	mustConsume(t, a, frozen(b, 1000, 7, "40 06"))
	if a.Pending() != 0 || b.Pending() != 0 {
		t.Errorf("pending are %d and %d", a.Pending(), b.Pending())
	}
}

// A section is consumed exactly, whatever follows; cut anywhere, it is an error.
func TestTruncationAtEveryLength(t *testing.T) {
	a, b := twoEnds(t)
	mustSend(t, b, "from b")
	first := b.Append(nil, 1000, 0)
	sections := [][]byte{first}
	mustConsume(t, a, first)
	mustSend(t, a, strings.Repeat("long ", 20), "1", "2", "3")
	sections = append(sections, a.Append(nil, 1000, 0))
	holes, _ := hex.DecodeString("c0000105")
	sections = append(sections, holes)
	for _, section := range sections {
		for length := range section {
			fresh, _ := twoEnds(t)
			mustSend(t, fresh, "x", "y", "z", "w")
			fresh.Append(nil, 1000, 0)
			n, err := fresh.Consume(section[:length:length], 0)
			if length == 0 && (n != 0 || err != nil) {
				t.Errorf("nothing: %d, %v", n, err)
			}
			if length > 0 && (n != 0 || !errors.Is(err, ErrMalformed)) {
				t.Errorf("%x cut to %d bytes: %d, %v", section, length, n, err)
			}
		}
		fresh, _ := twoEnds(t)
		mustSend(t, fresh, "x", "y", "z", "w")
		fresh.Append(nil, 1000, 0)
		if n, err := fresh.Consume(append(section, section...), 0); n != len(section) || err != nil {
			t.Errorf("%x twice: %d of %d, %v", section, n, len(section), err)
		}
	}
}

// Sections that no Append writes are refused, and the channel consumes no more.
func TestBadSectionsAreRefused(t *testing.T) {
	for _, test := range []struct {
		name, section string
		want          error
	}{
		{"no flags", "00", ErrMalformed},
		{"holes without acknowledgement", "8100 0478", ErrMalformed},
		{"no holes", "c000 00", ErrMalformed},
		{"33 bytes of holes", "c000 21" + strings.Repeat("01", 33), ErrMalformed},
		{"a hole beyond the window", "c000 20" + strings.Repeat("00", 31) + "80", ErrMalformed},
		{"holes cut off", "c000 02 05", ErrMalformed},
		{"longer form of arrived", "408000", ErrMalformed},
		{"longer form of holes", "c000 02 0500", ErrMalformed},
		{"longer form of first", "018000 0478", ErrMalformed},
		{"longer form of head", "0100 848000 78", ErrMalformed},
		{"number of 65 bits", "40 ffffffffffffffffff02", ErrMalformed},
		{"number that does not end", "40 ffffffffffffffffffff01", ErrMalformed},
		{"empty fragment", "0100 00", ErrMalformed},
		{"fragment too long", "0100 a41d" + strings.Repeat("78", 937), ErrMalformed},
		{"length of 62 bits", "0100 fcffffffffffffffff01 78", ErrMalformed},
		{"gap before the first", "0100 0501 78", ErrMalformed},
		{"gap of nothing", "0200 0478 0500 78", ErrMalformed},
		{"gap of the window", "0200 0478 058002 78", ErrMalformed},
		{"arrived what was not sent", "4004", ErrNeverSent},
		{"all has arrived", "40 ffffffffffffffffff01", ErrNeverSent},
		{"holes beyond the last number", "c0 ffffffffffffffffff01 01 01", ErrNeverSent},
		{"hole behind what was sent", "c000 01 04", ErrNeverSent},
		{"hole behind what was sent, all sent arrived", "c003 01 01", ErrNeverSent},
		{"beyond the window", "018002 0478", ErrWindow},
		{"last number", "01 ffffffffffffffffff01 0478", ErrWindow},
		{"gap beyond the window", "0201 0478 05ff01 78", ErrWindow},
	} {
		t.Run(test.name, func(t *testing.T) {
			section, err := hex.DecodeString(strings.ReplaceAll(test.section, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			c, peer := twoEnds(t)
			mustSend(t, c, "x", "y", "z")
			sent := c.Append(nil, 1000, 0)
			mustConsume(t, peer, sent)
			if n, err := c.Consume(section, 0); n != 0 || !errors.Is(err, test.want) {
				t.Errorf("Consume: %d, %v, want %v", n, err, test.want)
			}
			if _, err := c.Consume(peer.Append(nil, 1000, 0), 0); !errors.Is(err, test.want) {
				t.Errorf("the next Consume: %v, want %v", err, test.want)
			}
		})
	}
}

// The same sections with what is allowed at the border are read.
func TestBordersOfTheFormat(t *testing.T) {
	for name, section := range map[string]string{
		"all that was sent":    "4003",
		"hole at the end":      "c000 01 02",
		"last of the window":   "01ff01 0478",
		"gap to the last":      "0200 0478 05fe01 78",
		"longest fragment":     "0100 a01d" + strings.Repeat("78", 936),
		"message that goes on": "0100 0678",
	} {
		section, err := hex.DecodeString(strings.ReplaceAll(section, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		c, _ := twoEnds(t)
		mustSend(t, c, "x", "y", "z")
		c.Append(nil, 1000, 0)
		if n, err := c.Consume(section, 0); n != len(section) || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
}
