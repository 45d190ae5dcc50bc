package tickback_test

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

// View shows the match ahead, by the input that is held, up to its last frame; and Previous is the state before that. The
// match itself is where it is.
func TestViewShowsTheMatchAhead(t *testing.T) {
	own := rollback.OwnMemory[counter, counter, uint32]{
		Step: counting.Step, New: func() *counter { return new(counter) },
		Save: func(s, slot *counter) { *slot = *s }, Restore: func(s, slot *counter) { *s = *slot },
		Hash: func(s *counter) uint64 { return s.Sum<<20 | s.Frames },
	}
	for name, game := range map[string]rollback.Definition[counter, uint32]{"plain": counting, "own": own} {
		w := newWatch()
		m, err := tickback.Local(game, tickback.Options[counter, uint32]{
			RunAhead: 3, Match: tickback.Parameters{Frames: 20}, Sample: func(tickback.Player) uint32 { return 2 },
			Advanced: tickback.Advanced{Now: w.Now},
		})
		if err != nil {
			t.Fatal(err)
		}
		var next, most tickback.Frame
		for range 40 {
			update(t, m)
			v := m.View()
			if v.Running && v.Ahead > 0 {
				frame := v.Frame - v.Ahead
				if want := min(3, 20-frame); v.Ahead != want || v.Current.Frames != uint64(v.Frame) || frame > 0 && v.Current.Sum != 2*uint64(v.Frame) {
					t.Errorf("%s: frame %d is shown as %d with %+v", name, frame, v.Frame, *v.Current)
				}
				if before := v.Previous.Frames; name == "plain" && before != uint64(v.Frame)-1 || name == "own" && v.Previous != v.Current {
					t.Errorf("%s: before %d is %d", name, v.Frame, before)
				}
				if again := m.View(); again.Current != v.Current || again.Frame != v.Frame {
					t.Errorf("%s: shown again, frame %d is %d", name, v.Frame, again.Frame)
				}
				if frame < next {
					t.Errorf("%s: frame %d after %d", name, frame, next)
				}
				next, most = frame, max(most, v.Ahead)
			}
			w.advance(period)
		}
		out, ended := m.Outcome()
		if v := m.View(); !ended || out.Frames != 20 || most != 3 || v.Ahead != 0 || v.Frame != 20 || v.Current.Frames != 20 || v.Current.Sum != 40 {
			t.Errorf("%s: at the end, after %d frames with %d ahead, %+v is shown", name, out.Frames, most, v)
		}
	}
}
