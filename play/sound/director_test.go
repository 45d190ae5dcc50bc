package sound_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// speaker records the calls of its methods.
type speaker struct {
	last   sound.Voice
	lines  []string
	plays  map[*sound.Patch]int
	patch  map[sound.Voice]*sound.Patch
	faded  map[sound.Voice]int
	fading map[*sound.Patch]int
}

func newSpeaker() *speaker {
	return &speaker{plays: map[*sound.Patch]int{}, patch: map[sound.Voice]*sound.Patch{}, faded: map[sound.Voice]int{}, fading: map[*sound.Patch]int{}}
}

func (s *speaker) Play(p *sound.Patch, _, _, late float64) sound.Voice {
	s.last++
	s.plays[p]++
	s.patch[s.last] = p
	s.lines = append(s.lines, fmt.Sprintf("play %d late %.0f ms", s.last, late*1000))
	return s.last
}

func (s *speaker) Fade(v sound.Voice) {
	s.faded[v]++
	s.fading[s.patch[v]]++
	s.lines = append(s.lines, fmt.Sprintf("fade %d", v))
}

var (
	bang = effects.OneShot[struct{}](1, "bang")
	hum  = effects.Sustained[struct{}](2, "hum")
)

// script is a journal, and a director that gets its events, with methods for tests.
type script struct {
	journal  *effects.Journal
	director *sound.Director
	*speaker
}

func newScript(t *testing.T) *script {
	j, err := effects.NewJournal(effects.Config{Kinds: []effects.Declaration{bang, hum}, Tolerance: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := &script{journal: j, speaker: newSpeaker()}
	s.director = sound.NewDirector(s, 60, func(e *effects.Event) sound.Cue {
		if bang.Is(e) {
			return sound.Cue{Patch: &sound.Hit, Gain: 1}
		}
		return sound.Cue{Patch: &sound.Hum, Gain: 1}
	})
	return s
}

// frames simulates frames from one to another, with a bang in one of them, and the hum on in a range; then the director
// gets the events.
func (s *script) frames(from, to, bangAt, humFrom, humTo, final effects.Frame) {
	for f := from; f < to; f++ {
		s.journal.Begin(f)
		if f == bangAt {
			bang.Emit(s.journal.Emitter(), 0, struct{}{})
		}
		if f >= humFrom && f < humTo {
			hum.Emit(s.journal.Emitter(), 0, struct{}{})
		}
	}
	for _, e := range s.journal.Flush(final, final) {
		s.director.Hear(&e)
	}
}

func TestTheDirectorFollowsTheJournal(t *testing.T) {
	const never = effects.NoFrame
	for _, c := range []struct {
		name string
		play func(s *script)
		want string
	}{
		{"what is simulated again and is the same sounds once", func(s *script) {
			s.frames(0, 3, 1, never, never, 0)
			s.frames(0, 4, 1, never, never, 0)
			s.frames(0, 5, 1, never, never, 5)
		}, "play 1 late 17 ms"},
		{"what moves sounds once", func(s *script) {
			s.frames(0, 3, 1, never, never, 0)
			s.frames(0, 4, 2, never, never, 4)
		}, "play 1 late 17 ms"},
		{"what has moved and is taken back fades", func(s *script) {
			s.frames(0, 3, 1, never, never, 0)
			s.frames(0, 4, 2, never, never, 0)
			s.frames(0, 9, never, never, never, 9)
		}, "play 1 late 17 ms; fade 1"},
		{"what never happened fades", func(s *script) {
			s.frames(0, 3, 2, never, never, 0)
			s.frames(0, 9, never, never, never, 9)
		}, "play 1 late 0 ms; fade 1"},
		{"what lasts goes on, and fades when it ends", func(s *script) {
			s.frames(0, 3, never, 1, never, 0)
			s.frames(1, 6, never, 2, never, 6)
			s.frames(6, 9, never, 2, 8, 9)
		}, "play 1 late 17 ms; fade 1"},
		{"what is far too late is not begun", func(s *script) {
			s.frames(0, 30, 1, never, never, 0)
		}, ""},
		{"the end of a match ends what lasts", func(s *script) {
			s.frames(0, 3, never, 1, never, 3)
			s.director.Stop()
			s.director.Stop()
		}, "play 1 late 17 ms; fade 1"},
	} {
		s := newScript(t)
		c.play(s)
		if got := strings.Join(s.lines, "; "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

var patches = map[uint8]*sound.Patch{
	duel.Jumped.ID(): &sound.Jump, duel.Landed.ID(): &sound.Land, duel.Swung.ID(): &sound.Swing,
	duel.Struck.ID(): &sound.Hit, duel.KnockedOut.ID(): &sound.Gong,
	duel.Runs.ID(): &sound.Step, duel.Dazed.ID(): &sound.Stun,
}

// forced plays a duel in which the second player's inputs arrive late frames late, so that nearly every change of the
// buttons is a misprediction, and returns what was played and the engine's statistics.
func forced(t *testing.T, late, frames rollback.Frame) (*speaker, rollback.Stats) {
	t.Helper()
	game, err := duel.Game(1)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rollback.New(game, rollback.Config{Players: 2, Window: 10})
	if err != nil {
		t.Fatal(err)
	}
	in, err := duel.Scripted("random", 3)
	if err != nil {
		t.Fatal(err)
	}
	s := newSpeaker()
	d := sound.NewDirector(s, 60, func(e *effects.Event) sound.Cue { return sound.Cue{Patch: patches[e.Kind], Gain: 1} })
	var second []duel.Input
	add := func(p rollback.Player, f rollback.Frame, in duel.Input) {
		if err := e.AddInput(p, f, in, nil); err != nil {
			t.Fatal(err)
		}
	}
	for f := range frames + late {
		if f < frames {
			both := in(uint32(f))
			second = append(second, both[1])
			add(0, f, both[0])
		}
		if f >= late {
			add(1, f-late, second[f-late])
		}
		if f < frames {
			err = e.Tick()
		} else {
			err = e.Settle()
		}
		if err != nil {
			t.Fatal(err)
		}
		if f >= late {
			if err := e.Agree(f - late + 1); err != nil {
				t.Fatal(err)
			}
		}
		for _, ev := range e.Effects() {
			d.Hear(&ev)
		}
	}
	d.Stop()
	return s, e.Stats()
}

// However often frames are simulated again, the sounds that are played and not taken back are those without prediction;
// no voice fades twice; and sustained sounds end.
func TestForcedMispredictionsSoundAsTheTruth(t *testing.T) {
	const frames = 3000
	truth, calm := forced(t, 0, frames)
	heard, wild := forced(t, 6, frames)
	if calm.Rollbacks != 0 || wild.Rollbacks < 100 {
		t.Fatalf("%d and %d rollbacks: the test proves nothing", calm.Rollbacks, wild.Rollbacks)
	}
	taken := 0
	for _, p := range []*sound.Patch{&sound.Jump, &sound.Land, &sound.Swing, &sound.Hit, &sound.Gong} {
		if got, want := heard.plays[p]-heard.fading[p], truth.plays[p]; got != want || want == 0 && p != &sound.Gong {
			t.Errorf("%d sound and are not taken back, want %d: %+v", got, want, p.Layers[0])
		}
		taken += heard.fading[p]
	}
	if taken == 0 {
		t.Error("nothing was taken back: the test proves nothing")
	}
	for v, n := range heard.faded {
		if n > 1 {
			t.Errorf("voice %d fades %d times", v, n)
		}
	}
	for _, p := range []*sound.Patch{&sound.Step, &sound.Stun} {
		if heard.plays[p] == 0 || heard.plays[p] != heard.fading[p] {
			t.Errorf("of what lasts %d begin and %d end", heard.plays[p], heard.fading[p])
		}
	}
}
