package theatre_test

import (
	"errors"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/theatre"
)

// count counts the marks of a kind.
func count(s *theatre.Scan, what theatre.What) (n int) {
	for _, m := range s.Marks() {
		if m.What == what {
			n++
		}
	}
	return n
}

// In matches of tanks, hits and destroyed tanks are marked, and the players' inputs can be read.
func TestTanksAreMarked(t *testing.T) {
	f := open(t, tanksFile(t, 1200, tickback.RecordOptions{}))
	s := scan(t, f)
	if s.Err() != nil || count(s, theatre.Hit) == 0 || count(s, theatre.KnockOut) == 0 {
		t.Fatalf("%d hits, %d destroyed, %v", count(s, theatre.Hit), count(s, theatre.KnockOut), s.Err())
	}
	some := false
	for frame := range f.Frames() {
		held, _, ok := f.Inputs().At(frame)
		if !ok {
			t.Fatalf("frame %d cannot be read", frame)
		}
		some = some || held[11] != 0
	}
	if !some {
		t.Error("the last player holds nothing")
	}
}

// In a skirmish, a mark shows who is defeated.
func TestASkirmishIsMarked(t *testing.T) {
	f := open(t, skirmishFile(t, 240, tickback.RecordOptions{}))
	s := scan(t, f)
	if s.Err() != nil || s.Until() != f.Frames() || !marked(s, theatre.Mark{Frame: 200, What: theatre.KnockOut, Player: 1}) {
		t.Errorf("until %d: %+v, %v", s.Until(), s.Marks(), s.Err())
	}
	if n, wrong := s.Checked(); n == 0 || wrong <= tickback.Frame(f.Frames()) {
		t.Errorf("%d hashes, wrong from %d on", n, wrong)
	}
}

// A match that is not possible in its game is refused.
func TestOtherMatchesOfTheseGamesAreRefused(t *testing.T) {
	b := record(t, tanks.Game(1), tanks.ID, 1, 60, tickback.RecordOptions{}, tanks.Bot{Seed: 1}.Input)
	o := theatre.Open("alone", b)
	finish(t, o.Task)
	if _, err := o.File(); !errors.Is(err, theatre.ErrShape) {
		t.Errorf("one tank: %v", err)
	}
	f := open(t, skirmishFile(t, 60, tickback.RecordOptions{}))
	if _, err := theatre.Replay(f, tickback.ReplayOptions[tanks.State, tanks.Input]{}); !errors.Is(err, theatre.ErrGame) {
		t.Errorf("a skirmish as tanks: %v", err)
	}
	r, err := theatre.Replay(f, tickback.ReplayOptions[skirmish.World, skirmish.Input]{})
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
}
