package duel_test

import (
	"testing"

	"github.com/tickback/tickback/games/duel"
)

// run plays frames of the script from state 0 of the seed.
func run(t testing.TB, seed uint32, script duel.Script, frames uint32) duel.State {
	t.Helper()
	s, err := duel.New(seed)
	if err != nil {
		t.Fatal(err)
	}
	for f := range frames {
		duel.Step(&s, script(f))
	}
	return s
}

// The checksums that every implementation of the rules must reproduce.
func TestFrozenKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		script string
		want   uint32
	}{
		{"golden", 0x41B73DB7},
		{"documented", 0xD72EE391},
	} {
		script, err := duel.Scripted(c.script, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := run(t, 1, script, 1000)
		if got := duel.Checksum(&s); got != c.want {
			t.Errorf("%s: checksum 0x%08X, want 0x%08X", c.script, got, c.want)
		}
	}
}

// A seed always gives the same random script.
func TestFrozenRandomScript(t *testing.T) {
	script, err := duel.Scripted("random", 7)
	if err != nil {
		t.Fatal(err)
	}
	s := run(t, 7, script, 5000)
	if got := duel.Checksum(&s); got != 0xE13982CF {
		t.Errorf("checksum 0x%08X", got)
	}
}

// State 0 of seed 3, according to an independent implementation.
func TestFrozenInitialState(t *testing.T) {
	s := run(t, 3, nil, 0)
	if got := duel.Checksum(&s); got != 0xA34E9FF4 {
		t.Errorf("checksum 0x%08X", got)
	}
}
