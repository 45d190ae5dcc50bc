package desync

import (
	"testing"
	"unicode/utf8"
)

// Text of a peer keeps what can be read, and loses what a terminal would obey.
func TestTextOfAPeerIsHarmless(t *testing.T) {
	for r := rune(0); r < 0x250; r++ {
		control := r < 0x20 || r >= 0x7f && r < 0xa0
		want := string(r)
		if control {
			want = string(utf8.RuneError)
		}
		if got := harmless(string(r)); got != want {
			t.Errorf("%U becomes %q", r, got)
		}
	}
}

// As many hashes are held as four intervals of comparisons have, 1024 at least and 131072 at
// most, in a power of two.
func TestHowManyHashesAreHeld(t *testing.T) {
	for every, want := range map[uint32]int{1: 1 << 10, 256: 1 << 10, 257: 1 << 11, 1000: 1 << 12, 1 << 15: 1 << 17, 1 << 30: 1 << 17} {
		var e Evidence
		if e.Init(Config{HashEvery: 1, Every: every, Budget: 1}, &noInputs{}); len(e.hashes) != want {
			t.Errorf("%d states in an interval: %d, and not %d", every, len(e.hashes), want)
		}
	}
}

// Hashes are held of states that are multiples of HashEvery, that have come, and of which
// no newer ones have taken the place; never of state 0.
func TestWhichHashesAreHeld(t *testing.T) {
	const every = 4
	k := newKeeper(t, Config{HashEvery: every, Every: 60, Budget: 1 << 20}, 10, 20)
	k.run(101)
	for state := uint32(0); state < 120; state++ {
		h, ok := k.e.HashOf(state)
		want := state > 0 && state <= 100 && state%every == 0
		if ok != want || ok && h != uint64(state)*3 {
			t.Errorf("state %d: %d, held %v", state, h, ok)
		}
	}
	var off Evidence
	if _, ok := off.HashOf(every); ok {
		t.Error("one that is off holds a hash")
	}
}
