package tbr_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
)

// partGone is the flag of a block in which a player leaves or comes back.
const partGone tbr.Flags = 0x40

// Rule: a block lists changes of the absent players: at frames of the block, each later than
// the one before, for players of the match, and each entry changes something. Anything else
// is noticed when it is read.
func TestAbsencesThatNoWriterWritesAreRefused(t *testing.T) {
	file, _ := small(t) // three players; the first block has four frames, and nobody is gone before it
	c := first(t, file, tbr.KindFrames)
	inputs, err := open(t, file).Payload(c)
	if err != nil || c.Flags&^(tbr.Required|tbr.Body) != 0 {
		t.Fatalf("the first block says more than inputs: flags %#x, %v", byte(c.Flags), err)
	}
	read := func(changes ...byte) error {
		cursor, err := open(t, tbr.Replace(file[:len(file)-1], c, c.Flags|partGone, slices.Concat(changes, inputs))).Frames(60)
		if err == nil {
			_, err = cursor.Next()
		}
		return err
	}
	for name, changes := range map[string][]byte{
		"none":                            {0},
		"that nobody is gone":             {1, 0, 0},
		"of a fourth player":              {1, 0, 8},
		"of a frame behind the block":     {1, 4, 1},
		"of one frame twice":              {2, 1, 1, 0, 3},
		"that change nothing":             {2, 0, 1, 1, 1},
		"that change nothing in the end":  {3, 0, 1, 1, 3, 1, 3},
		"more than there are frames":      {5, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1},
		"of a frame that no number tells": {2, 3, 1, 2, 0},
	} {
		if err := read(changes...); err == nil {
			t.Errorf("absences %s are taken", name)
		} else {
			typed(t, err)
		}
	}
	for _, changes := range [][]byte{{1, 0, 1}, {1, 3, 7}, {2, 0, 1, 3, 0}, {4, 0, 1, 1, 0, 1, 1, 1, 0}} {
		if err := read(changes...); err != nil {
			t.Errorf("absences as they should be, %v: %v", changes, err)
		}
	}
}

// Rule: hashes must have the length that their block implies, and longer ones are not read:
// the error gives the actual length, and the right one.
func TestHashesOfAnotherLengthAreRefused(t *testing.T) {
	file, _ := small(t)
	c := first(t, file, tbr.KindHashes)
	payload, err := open(t, file).Payload(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{len(payload) - 4, len(payload) + 4, len(payload) + 1000} {
		other := append(slices.Clone(payload), make([]byte, 1000)...)[:n]
		var got error
		for _, err := range open(t, tbr.Replace(file[:len(file)-1], c, c.Flags, other)).Hashes(0) {
			got = err
			break
		}
		if !errors.Is(got, tbr.ErrRange) || n > len(payload) && !strings.Contains(got.Error(), "more than") {
			t.Errorf("%d bytes instead of %d: %v", n, len(payload), got)
		}
	}
}
