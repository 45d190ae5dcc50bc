package membership

import (
	"bytes"
	"errors"
	"testing"
)

func someEntries() []Entry {
	return []Entry{
		{},
		{Kind: Leave, Players: 0b110, Frame: 120},
		{Kind: Drop, Players: 0b10010, Cuts: [maxPlayers]Frame{1: 7, 4: 1 << 30}},
		{Kind: Kick, Players: 0b1, Cuts: [maxPlayers]Frame{5}},
		{Kind: Join, Players: 0b11000000, Frame: 900, ID: 1 << 63},
		{Kind: Pause, Players: 0b1, Frame: 1},
		{Kind: Resume, Players: 0b1},
	}
}

// An entry is decoded as it was encoded, and the bytes after it are left. Cut at any
// length it is refused.
func TestEntriesAreWholeOrNone(t *testing.T) {
	for _, want := range someEntries() {
		b := want.append(nil, ofAll)
		got, rest, err := consumeEntry(append(bytes.Clone(b), 1, 2))
		if err != nil || got != want || !bytes.Equal(rest, []byte{1, 2}) {
			t.Errorf("%v is read as %v, with % x left: %v", want, got, rest, err)
		}
		for i := range b {
			if _, _, err := consumeEntry(b[:i]); !errors.Is(err, errMalformed) {
				t.Errorf("%d bytes of %v: %v", i, want, err)
			}
		}
	}
}

func TestEntriesSayWhatTheyAre(t *testing.T) {
	want := []string{
		"none", "leave players 1 and 2 at 120", "drop players 1 and 4 at 7, 1073741824", "kick player 0 at 5",
		"join players 6 and 7 at 900, 8000000000000000", "pause player 0 at 1", "resume player 0 at 0",
	}
	for i, e := range someEntries() {
		if got := e.String(); got != want[i] {
			t.Errorf("%q, want %q", got, want[i])
		}
	}
}

// A decoded entry is encoded again in the same way.
func FuzzConsumeEntry(f *testing.F) {
	for _, e := range someEntries() {
		f.Add(e.append(nil, ofAll))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e, rest, err := consumeEntry(b)
		if err != nil {
			if !errors.Is(err, errMalformed) {
				t.Fatal(err)
			}
			return
		}
		if again := append(e.append(nil, ofAll), rest...); !bytes.Equal(again, b) {
			t.Fatalf("% x, not % x", again, b)
		}
	})
}

// consumeEntry reads an entry from the front of b, and returns what follows it. The
// error is [errMalformed].
func consumeEntry(b []byte) (Entry, []byte, error) {
	r := reader{b: b, sets: ofAll}
	e := r.entry()
	if r.bad {
		return Entry{}, b, errMalformed
	}
	return e, r.b, nil
}
