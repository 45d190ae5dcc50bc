package ggpo_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/compat/ggpo"
)

// syncTest makes a sync test of two players. Their handles begin at 0.
func syncTest(t *testing.T, p ggpo.Session, host *player, frames int, strict bool) *ggpo.SyncTest {
	t.Helper()
	s := ggpo.NewSyncTest(p, 2, frames, host.size, strict)
	host.backend = &s
	ok(t, s.InitializeConnection())
	s.Start()
	for n := 1; n <= 2; n++ {
		who := ggpo.NewLocalPlayer(20, n)
		var h ggpo.PlayerHandle
		ok(t, s.AddPlayer(&who, &h))
		if int(h) != n-1 {
			t.Errorf("player %d has the handle %d", n, h)
		}
		host.handles = append(host.handles, h)
	}
	return &s
}

// A good game passes, at all depths, and each frame is simulated as often as it should be.
func TestSyncTestPassesAGoodGame(t *testing.T) {
	for _, depth := range []int{1, 2, 7, 8, 20, 120} {
		p := newPlayer(t, 5, uint64(depth))
		frugal(p, max(depth, ggpo.MaxPredictionFrames)+2)
		s := syncTest(t, p, p, depth, true)
		const frames = 300
		for range frames {
			ok(t, p.turn())
		}
		if least := (frames - depth) * depth; p.again < least || len(p.sums) != frames || p.count(ggpo.EventCodeSyncTestDesync) != 0 || p.count(ggpo.EventCodeRunning) != 1 {
			t.Errorf("depth %d: %d frames, %d again, want %d; %v", depth, len(p.sums), p.again, least, p.events)
		}
		if most := max(depth, ggpo.MaxPredictionFrames) + 1; p.mostState != most {
			t.Errorf("depth %d: states are numbered up to %d, want %d", depth, p.mostState, most)
		}
		ok(t, s.Close())
	}
}

// frugal makes a game free what is stored under the next number when it saves, and what it has loaded.
func frugal(p *player, numbers int) {
	p.onSave = func(id int) { delete(p.saved, (id+1)%numbers) }
	p.loaded = func(id int) { delete(p.saved, id) }
}

// wrong is a game with a mistake.
type wrong struct {
	*player
	save, load func(id int)
	hidden     int // what no checksum of AdvanceFrame sees
	sum        func() int
}

func (w *wrong) SaveGameState(id int) int {
	sum := w.player.SaveGameState(id)
	if w.save != nil {
		w.save(id)
	}
	if w.sum != nil {
		return w.sum()
	}
	return sum
}

func (w *wrong) LoadGameState(id int) {
	w.player.LoadGameState(id)
	if w.load != nil {
		w.load(id)
	}
}

// describing is such a game that shows its state.
type describing struct{ wrong }

func (d *describing) DescribeGameState() any { return d.s }

// The planted mistakes are found: in the frame in which they show, without a panic, whether strict or not.
func TestSyncTestFindsMistakes(t *testing.T) {
	var outside uint32
	for name, c := range map[string]struct {
		plant func(w *wrong)
		text  string
		as    func(err error) bool
	}{
		"a variable outside of the state": {func(w *wrong) { w.onStep = func() { outside++; w.s.X[1] += int32(outside) } }, "frame", isSyncTestError},
		"a state that is not saved whole": {func(w *wrong) { w.save = func(id int) { s := w.saved[id]; s.Y[1] = 0; w.saved[id] = s } }, "LoadGameState does not bring back", func(err error) bool { var e *ggpo.LoadError; return errors.As(err, &e) && e.Was != e.Is }},
		"what only the checksum of SaveGameState sees": {func(w *wrong) {
			w.onStep = func() { w.hidden++ }
			w.sum = func() int { return w.hidden }
		}, "SaveGameState gave the checksum", func(err error) bool {
			var l *ggpo.LoadError
			var s *ggpo.SaveError
			return errors.As(err, &l) || errors.As(err, &s)
		}},
		"what only SaveGameState sees, though it is saved": {func(w *wrong) {
			saved := map[int]int{}
			w.onStep = func() { outside++; w.hidden = int(outside) }
			w.save = func(id int) { saved[id] = w.hidden }
			w.load = func(id int) { w.hidden = saved[id] }
			w.sum = func() int { return w.hidden }
		}, "was simulated again", func(err error) bool { var e *ggpo.SaveError; return errors.As(err, &e) && e.State == 1 }},
	} {
		for _, strict := range []bool{false, true} {
			outside = 0
			w := &wrong{player: newPlayer(t, 3, 1)}
			frugal(w.player, ggpo.MaxPredictionFrames+2)
			c.plant(w)
			var told error
			w.onEvent = func(e *ggpo.Event) {
				if e.Code == ggpo.EventCodeSyncTestDesync {
					told = e.Err
				}
			}
			found, after := runSyncTest(t, w, w.player, strict)
			if strict != (found != nil) || told == nil || !c.as(told) || !strings.Contains(told.Error(), c.text) {
				t.Errorf("%s, strict %v: found %v, told %v", name, strict, found, told)
			}
			if strict && !errors.Is(found, told) {
				t.Errorf("%s: found %v, told %v", name, found, told)
			}
			if !errors.Is(after, ggpo.Error{Code: ggpo.ErrorCodeGeneralFailure}) {
				t.Errorf("%s: after that AddLocalInput returns %v", name, after)
			}
		}
	}
}

func isSyncTestError(err error) bool {
	var e *tickback.SyncTestError
	return errors.As(err, &e)
}

// runSyncTest runs a test until it is over. It returns the error of AdvanceFrame, and that of the next AddLocalInput.
func runSyncTest(t *testing.T, s ggpo.Session, p *player, strict bool) (found, after error) {
	t.Helper()
	b := syncTest(t, s, p, 4, strict)
	for range 50 {
		for _, h := range p.handles {
			if err := b.AddLocalInput(h, p.keys(h, 0), p.size); err != nil {
				ok(t, b.Close())
				return found, err
			}
		}
		inputs, err := b.SyncInput(nil)
		ok(t, err)
		p.s.step(inputs, 0)
		if p.onStep != nil {
			p.onStep()
		}
		found = b.AdvanceFrame(p.s.checksum())
	}
	t.Error("nothing is found in 50 frames")
	return found, nil
}

// If the game shows its state, the fields that differ are named.
func TestSyncTestNamesFields(t *testing.T) {
	d := &describing{wrong{player: newPlayer(t, 3, 1)}}
	n := int32(0)
	d.onStep = func() { n++; d.s.X[1] += n }
	found, _ := runSyncTest(t, d, d.player, true)
	if found == nil || !strings.Contains(found.Error(), "X[1]") || strings.Contains(found.Error(), "X[0]") {
		t.Error(found)
	}
}
