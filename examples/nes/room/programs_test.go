//go:build !js

package room

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fogleman/nes/nes"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"

	"github.com/tickback/tickback/examples/nes/console"
)

// Rule: two programs meet and play until a dot wins, each is told how it ended, and what one has recorded is what happened.
func TestTwoPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("a match takes its time")
	}
	url, _ := browsertest.Serve(t, t.TempDir(), rooms.Config{})
	var recording bytes.Buffer
	heard := 0
	first, second := &unseen{}, &unseen{}
	a, err := Open(url, first, Options{Bot: true, Dots: 1, RunAhead: 2, Record: &recording, Hear: func([]float32) { heard++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := Open(a.Link(), second, Options{Bot: true, Dots: 50}) // the first one's dots count
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for !a.over || !b.over {
		first.strikes = strings.HasPrefix(first.text, "Both")
		if err := errors.Join(a.Update(), b.Update()); err != nil {
			t.Fatal(err)
		}
		a.View()
		time.Sleep(time.Millisecond)
	}
	if got := first.text + " " + second.text; got != "You win! The other player wins." && got != "The other player wins. You win!" {
		t.Errorf("the programs are told %q", got)
	}
	s := a.Status()
	if !s.Equal || s.Frame == 0 || heard < s.Frame {
		t.Errorf("%+v, and %d frames were heard", s, heard)
	}
	a.Close() // so that the recording is whole
	match, err := console.Collect(nil)
	if err != nil {
		t.Fatal(err)
	}
	replay, err := tickback.Replay(match.Game, bytes.NewReader(recording.Bytes()), int64(recording.Len()), tickback.ReplayOptions[nes.Console, console.Input]{
		GameID: "collect", Build: match.Build, Start: match.Start, Paused: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer replay.Close()
	if err := replay.Seek(replay.Next()); err != nil {
		t.Fatal(err)
	}
	if health := replay.Stats().Health; replay.At() == 0 || health == tickback.Desynced {
		t.Errorf("after %d recorded frames the states are %v", replay.At(), health)
	}
	for _, e := range replay.Events() {
		if e.What == tickback.Warning {
			t.Error(e)
		}
	}
}
