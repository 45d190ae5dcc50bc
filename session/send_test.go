package session

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

func TestAMessageGoesToWhomItIsFor(t *testing.T) {
	for to, want := range map[PlayerSet][]int{0b010: {1}, 0b100: {2}, 0b110: {1, 2}, 0b011: {1}, 0b111: {1, 2}} {
		tr := inLobby(t, 3)
		if err := tr.peers[0].Send(to, []byte("hello")); err != nil {
			t.Fatal(err)
		}
		tr.run(100 * time.Millisecond)
		got := []int(nil)
		for i := range tr.peers {
			for _, e := range tr.seen[i] {
				if e.What == Message && e.Players == 0b001 && string(e.Data) == "hello" {
					got = append(got, i)
				}
			}
		}
		if sent := tr.stats(0).MessagesSent; len(got) != len(want) || got[0] != want[0] || got[len(got)-1] != want[len(want)-1] || sent != uint64(len(want)) {
			t.Errorf("to %v: it comes to %v, and counts %d times", to, got, sent)
		}
	}
	tr := inLobby(t, 3)
	for _, c := range []struct {
		to   PlayerSet
		size int
		want string // "" is no error
	}{
		{0b010, 1, ""},
		{0b010, MaxMessage, ""},
		{0b010, 0, "a message has 0 bytes, must be 1 to 65536"},
		{0b010, MaxMessage + 1, "a message has 65537 bytes"},
		{0b000, 1, "no other players of this match"},
		{0b001, 1, "no other players of this match"}, // who sends it
		{0b1000, 1, "no other players of this match"},
		{0b1010, 1, "no other players of this match"},
	} {
		err := tr.peers[0].Send(c.to, make([]byte, c.size))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d bytes to %b: %v, want %q", c.size, c.to, err, c.want)
		}
	}
	if n := tr.stats(0).MessagesSent; n != 2 {
		t.Errorf("%d messages were sent", n)
	}
	tr.peers[0].Leave("")
	tr.run(time.Second)
	if err := tr.peers[0].Send(0b010, []byte{1}); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	var lost *LostError
	connecting := newTrio(t, 2, nil)
	if err := connecting.peers[0].Send(0b010, []byte{1}); !errors.As(err, &lost) || lost.Players != 0b010 {
		t.Errorf("to who is not there: %v", err)
	}
}

func TestWhoLeavesTheLobbySaysWhy(t *testing.T) {
	for _, phase := range []Phase{Lobby, Starting} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
		tr.reach(phase)
		tr.peers[2].Leave("dinner" + strings.Repeat("!", 512))
		tr.run(time.Second)
		for i := range 2 {
			at := slices.IndexFunc(tr.seen[i], func(e Event) bool { return e.What == Left })
			if at < 0 {
				t.Fatalf("%v: peer %d hears %v", phase, i, tr.seen[i])
			}
			if e := tr.seen[i][at]; e.Players != rollback.SetOf(2) || len(e.Text) != 256 || e.Text[:8] != "dinner!!" || e.Frame != 0 {
				t.Errorf("%v: peer %d hears %v", phase, i, tr.seen[i])
			}
		}
		if err := tr.peers[2].Err(); tr.peers[2].Phase() != Over || !errors.Is(err, ErrClosed) {
			t.Errorf("%v: who leaves is %v: %v", phase, tr.peers[2].Phase(), err)
		}
	}
}
