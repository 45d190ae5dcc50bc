package theatre_test

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/theatre"
)

// Whatever file is dropped on the page, nothing panics, and everything ends: opening, marks, inputs, jumps, and
// verifying.
func FuzzOpen(f *testing.F) {
	f.Add(duelFile(f, 200, tickback.RecordOptions{}))
	f.Add(arenaFile(f, 600, tickback.RecordOptions{HashEvery: 10, Effects: true}))
	f.Add(arenaFile(f, 4200, tickback.RecordOptions{KeyframeEvery: 1}))
	f.Add(tanksFile(f, 100, tickback.RecordOptions{}))
	f.Add(skirmishFile(f, 100, tickback.RecordOptions{KeyframeEvery: 1}))
	f.Add(read(f, "brawl-a.rplk")[:300])
	f.Fuzz(func(t *testing.T, b []byte) {
		o := theatre.Open("fuzz", b)
		finish(t, o.Task)
		file, err := o.File()
		if err != nil {
			_ = err.Error()
			return
		}
		s := file.Scan()
		for n := 0; n < 100 && !s.Work(0); n++ {
		}
		inputs := file.Inputs()
		for _, frame := range []uint32{0, file.Reader.First(), file.Reader.Next() / 2, file.Reader.Next()} {
			inputs.At(frame)
		}
		switch file.Header().Game {
		case arena.ID:
			seekAll[arena.State, arena.Input](t, file)
		case tanks.ID:
			seekAll[tanks.State, tanks.Input](t, file)
		case skirmish.ID:
			seekAll[skirmish.World, skirmish.Input](t, file)
		default:
			seekAll[duel.State, duel.Input](t, file)
		}
		v := file.Verify()
		for n := 0; n < 100 && !v.Work(0); n++ {
		}
		v.Cancel()
		_ = v.Text() + v.Details()
	})
}

func seekAll[S any, I comparable](t *testing.T, file *theatre.File) {
	r, err := theatre.Replay(file, tickback.ReplayOptions[S, I]{Paused: true, Cache: 1 << 20})
	if err != nil {
		return
	}
	defer r.Close()
	s := theatre.NewSeeker(file, r)
	for _, to := range []tickback.Frame{r.Next(), r.First(), r.Next() / 2} {
		s.Go(to)
		for range 50 {
			if arrived, _ := s.Work(0); arrived {
				break
			}
		}
	}
	if _, err := r.Update(); err != nil {
		t.Errorf("a film that stands: %v", err)
	}
}
