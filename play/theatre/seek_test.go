package theatre_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/theatre"
)

// film plays a file of the arena.
func film(t testing.TB, f *theatre.File) *tickback.Replayer[arena.State, arena.Input] {
	t.Helper()
	r, err := theatre.Replay(f, tickback.ReplayOptions[arena.State, arena.Input]{Paused: true, Cache: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// A jump leads to the same state, whichever way it takes, and each slice of it simulates a limited number of frames.
func TestAJumpIsMadeInSlices(t *testing.T) {
	for name, o := range map[string]tickback.RecordOptions{"plain": {KeyframeEvery: -1}, "with states": {KeyframeEvery: 1}} {
		f := open(t, arenaFile(t, 12000, o))
		end := int(f.Frames())
		deck, other := film(t, f), film(t, f)
		s := theatre.NewSeeker(f, deck)
		dice := rand.New(rand.NewPCG(1, 2))
		for jump := range 40 {
			to := tickback.Frame(dice.IntN(end + 1))
			if jump == 0 {
				to = tickback.Frame(end)
			}
			s.Go(to)
			for slices := 0; ; slices++ {
				before := deck.Stats().Engine.Ticks
				arrived, err := s.Work(0)
				if err != nil {
					t.Fatal(err)
				}
				frames := deck.Stats().Engine.Ticks
				if frames >= before {
					frames -= before // otherwise it went to another state first, and counts from there
				}
				if frames > 130 {
					t.Fatalf("%s, jump %d to %d: a slice simulates %d frames", name, jump, to, frames)
				}
				if arrived {
					break
				}
				if slices > end/64+2 {
					t.Fatalf("%s, jump %d to %d: it is at %d after %d slices", name, jump, to, deck.At(), slices)
				}
			}
			if _, on := s.Active(); deck.At() != to || on {
				t.Fatalf("%s, jump %d: at %d, want %d", name, jump, deck.At(), to)
			}
			if err := other.Seek(to); err != nil {
				t.Fatal(err)
			}
			if *deck.View().Current != *other.View().Current {
				t.Fatalf("%s, jump %d: another state %d", name, jump, to)
			}
		}
	}
}

// Another target replaces the current one at once.
func TestAJumpIsChanged(t *testing.T) {
	f := open(t, arenaFile(t, 6000, tickback.RecordOptions{KeyframeEvery: -1}))
	deck := film(t, f)
	s := theatre.NewSeeker(f, deck)
	s.Go(5000)
	for range 3 {
		if arrived, err := s.Work(0); arrived || err != nil {
			t.Fatal(arrived, err)
		}
	}
	if s.Go(50); deck.At() < 100 {
		t.Fatalf("at %d", deck.At())
	}
	if arrived, err := s.Work(0); !arrived || err != nil || deck.At() != 50 {
		t.Errorf("at %d, %v, %v", deck.At(), arrived, err)
	}
	s.Go(1 << 30)
	for range 1000 {
		if arrived, err := s.Work(time.Second); arrived || err != nil {
			break
		}
	}
	if deck.At() != deck.Next() {
		t.Errorf("at %d of %d", deck.At(), deck.Next())
	}
}

// A jump into a damaged part ends with an error, at a state from which the film can continue.
func TestAJumpIntoDamage(t *testing.T) {
	b := arenaFile(t, 9000, tickback.RecordOptions{KeyframeEvery: -1})
	b[len(b)/2] ^= 1
	f := open(t, b)
	deck := film(t, f)
	s := theatre.NewSeeker(f, deck)
	s.Go(deck.Next())
	var err error
	for range 1000 {
		var arrived bool
		if arrived, err = s.Work(0); arrived {
			break
		}
	}
	if _, on := s.Active(); err == nil || on || deck.At() < 480 {
		t.Fatalf("at %d: %v", deck.At(), err)
	}
	s.Go(100)
	if arrived, err := s.Work(time.Second); !arrived || err != nil || deck.At() != 100 {
		t.Errorf("at %d, %v, %v", deck.At(), arrived, err)
	}
}

// A file can only be played by its own game.
func TestAFileIsPlayedByItsGame(t *testing.T) {
	f := open(t, arenaFile(t, 90, tickback.RecordOptions{}))
	if _, err := theatre.Replay(f, tickback.ReplayOptions[duel.State, duel.Input]{}); err == nil {
		t.Error("a duel plays the arena")
	}
}
