package desync

import (
	"testing"
	"unicode/utf8"
)

// Text from a peer keeps what is readable, and loses the control characters that a
// terminal would obey.
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

// Hashes of four intervals of comparisons may be held: a power of two, at least 1024 and at
// most 131072. At first there is memory for 256 at least.
func TestHowManyHashesAreHeld(t *testing.T) {
	for every, want := range map[uint32][2]int{
		1: {1 << 8, 1 << 10}, 256: {1 << 10, 1 << 10}, 257: {1 << 11, 1 << 11}, 1000: {1 << 12, 1 << 12}, 1 << 15: {1 << 17, 1 << 17}, 1 << 30: {1 << 17, 1 << 17},
	} {
		var e Evidence
		if e.Init(Config{HashEvery: 1, Every: every, Budget: 1}, &noInputs{}); len(e.hashes) != want[0] || e.most != want[1] {
			t.Errorf("%d states in an interval: %d of %d, and not %v", every, len(e.hashes), e.most, want)
		}
	}
}

// A hash is held if its state is a multiple of HashEvery, has been reached, and was not
// overwritten by a newer one; never that of state 0.
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
