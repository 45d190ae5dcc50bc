package replay

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
)

// Rule: a recording is played up to the damage, and after it from the next state on.
func TestADamagedRecordingIsPlayedUpToTheDamage(t *testing.T) {
	c := perform(t, 5, 2000, 0, nil)
	r := c.reader(t)
	for k, err := range r.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if k.Kind == tbr.KindFrames && k.Frame == 400 {
			c.file[int(k.Offset)+12] ^= 4
		}
	}
	p := player(t, bandGame(), c, PlayerOptions[band]{Cache: -1})
	var err error
	for err == nil {
		err = p.Step()
	}
	if p.At() != 400 || !errors.Is(err, tbr.ErrChecksum) || *p.State() != c.states[400] {
		t.Errorf("it stops at %d: %v", p.At(), err)
	}
	if err := p.Step(); !errors.Is(err, tbr.ErrChecksum) || p.At() != 400 {
		t.Errorf("once more: %v", err)
	}
	for _, f := range []rollback.Frame{399, 640, 2000, 100, 641} {
		if err := p.Seek(f); err != nil || *p.State() != c.states[f] {
			t.Errorf("frame %d: %v", f, err)
		}
	}
	if err := p.Seek(500); !errors.Is(err, tbr.ErrChecksum) || p.At() > 400 || *p.State() != c.states[p.At()] {
		t.Errorf("into the damage: at %d, %v", p.At(), err)
	}
}

// Rule: a damaged state costs time, and nothing else.
func TestADamagedStateIsGoneAround(t *testing.T) {
	c := perform(t, 5, 2000, 0, nil)
	for k, err := range c.reader(t).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if k.Kind == tbr.KindKeyframe && k.Frame == 1280 {
			c.file[int(k.Offset)+12] ^= 4
		}
	}
	p := player(t, bandGame(), c, PlayerOptions[band]{})
	if err := p.Seek(1500); err != nil || *p.State() != c.states[1500] {
		t.Errorf("at %d: %v", p.At(), err)
	}
}

// Rule: whatever is changed in a file, there is no panic, and what is played is right or
// an error.
func TestAFileWithAnythingChanged(t *testing.T) {
	whole := perform(t, 6, 700, 0, nil)
	r := rand.New(rand.NewPCG(1, 1))
	played := 0
	for range 300 {
		c := *whole
		c.file = bytes.Clone(whole.file)
		c.file[r.IntN(len(c.file))] ^= 1 << r.IntN(8)
		if r.IntN(3) == 0 {
			c.file = c.file[:r.IntN(len(c.file))]
		}
		rec, err := tbr.Open(bytes.NewReader(c.file), int64(len(c.file)))
		if err != nil {
			continue
		}
		p, err := NewPlayer(bandGame(), rec, PlayerOptions[band]{})
		if err != nil {
			continue
		}
		for range 10 {
			at := rollback.Frame(r.IntN(int(p.Next()) + 1))
			if p.Seek(at) == nil && *p.State() != whole.states[p.At()] {
				t.Fatalf("state %d is %+v, want %+v", p.At(), *p.State(), whole.states[p.At()])
			}
			for range 30 {
				if p.Step() != nil {
					break
				}
			}
			played++
		}
	}
	if played < 500 {
		t.Errorf("%d jumps", played)
	}
}

// Rule: a state that differs from the recorded hash is found when it is played, and
// stays known.
func TestAWrongHashIsFound(t *testing.T) {
	c := perform(t, 7, 1000, 0, nil)
	odd := bandGame()
	odd.Step = func(s *band, t *rollback.Tick[uint16]) {
		if playBand(s, t); s.Frame == 503 {
			s.Pad[2]++
		}
	}
	p := player(t, odd, c, PlayerOptions[band]{Build: "2"})
	for p.Step() == nil {
		n, wrong := p.Checked()
		if want := p.At() >= 505; want != (wrong == 505) || n != uint64(p.At()/5) {
			t.Fatalf("at %d: %d compared, wrong from %d", p.At(), n, wrong)
		}
	}
	if err := p.Seek(100); err != nil {
		t.Fatal(err)
	}
	if _, wrong := p.Checked(); wrong != 505 {
		t.Errorf("after a jump: %d", wrong)
	}
	if d := p.Differences(); len(d) != 1 || d[0].Item != "build" || d[0].Error() != `replay: the build is "2" here, and "1" in the recording` {
		t.Errorf("%v", d)
	}
	end := perform(t, 7, 103, 0, func(h *tbr.Header) { h.HashEvery = 0 })
	p = player(t, bandGame(), end, PlayerOptions[band]{})
	for p.Step() == nil {
	}
	if n, wrong := p.Checked(); n != 1 || wrong != rollback.NoFrame {
		t.Errorf("the end is not compared: %d, %d", n, wrong)
	}
}

// Rule: recordings that cannot be played are refused, and the reason is named.
func TestWhatCannotBePlayedIsRefused(t *testing.T) {
	c := perform(t, 8, 100, 0, nil)
	late := perform(t, 8, 100, 50, nil)
	other := rollback.Game[band, uint32]{Step: func(*band, *rollback.Tick[uint32]) {}}
	refusal := errors.New("no such stage")
	differs := func(item string, err error) {
		t.Helper()
		var d *DifferenceError
		if !errors.As(err, &d) || d.Item != item {
			t.Errorf("want another %s: %v", item, err)
		}
	}
	_, err := NewPlayer(bandGame(), c.reader(t), PlayerOptions[band]{Game: "duel"})
	differs("game", err)
	_, err = NewPlayer(other, c.reader(t), PlayerOptions[band]{})
	differs("size of an input", err)
	_, err = NewPlayer(rollback.Game[band, uint16]{Step: playBand, Effects: bandEffects}, c.reader(t), PlayerOptions[band]{})
	differs("hash of state 0", err)
	_, err = NewPlayer(bandGame(), c.reader(t), PlayerOptions[band]{Start: func(h *tbr.Header) (func(*band), error) {
		if h.Seed != 8 {
			t.Errorf("seed %d", h.Seed)
		}
		return nil, refusal
	}})
	if !errors.Is(err, refusal) {
		t.Errorf("Start: %v", err)
	}
	var missing *rollback.CapabilityError
	if _, err = NewPlayer(ownBand(true, false), late.reader(t), PlayerOptions[band]{}); !errors.As(err, &missing) || missing.Missing != "Unmarshal" {
		t.Errorf("from the middle: %v", err)
	}
	short := rollback.Game[uint64, uint16]{Step: func(*uint64, *rollback.Tick[uint16]) {}}
	if _, err = NewPlayer(short, late.reader(t), PlayerOptions[uint64]{}); err == nil {
		t.Error("a state of another game")
	}
	p := player(t, bandGame(), late, PlayerOptions[band]{})
	for _, f := range []rollback.Frame{0, 49, 101, rollback.NoFrame} {
		if err := p.Seek(f); !errors.Is(err, tbr.ErrNoFrame) || p.At() != 50 {
			t.Errorf("seek %d: %v", f, err)
		}
	}
	if err := p.Seek(100); err != nil || p.Step() != io.EOF {
		t.Errorf("the end: %v", err)
	}
}

// Rule: the cache keeps within its budget, at equal distances, whatever was played.
func TestTheCacheKeepsWithinItsBudget(t *testing.T) {
	c := cache{budget: 20 * (56 + savedCost), stride: 4}
	e, err := rollback.New(bandGame(), rollback.Config{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	for range 10000 {
		if err := e.Feed([]uint16{1, 2}, nil, 0); err != nil {
			t.Fatal(err)
		}
		c.offer(e)
		if c.size > c.budget || len(c.list) > 20 || c.size != len(c.list)*(56+savedCost) {
			t.Fatalf("at %d: %d states of %d bytes", e.Frame(), len(c.list), c.size)
		}
	}
	if c.stride != 512 || len(c.list) != 19 || c.best(511) != nil || c.best(1023).Frame() != 512 || c.best(1<<30).Frame() != 9728 {
		t.Errorf("every %d frames, %d states", c.stride, len(c.list))
	}
}

// Rule: if a game panics at something in a recording, that is an error, and everything
// before it is still played.
func TestAGameThatPanicsIsAnError(t *testing.T) {
	c := perform(t, 9, 1000, 0, nil)
	fragile := bandGame()
	fragile.Step = func(s *band, t *rollback.Tick[uint16]) {
		if playBand(s, t); s.Frame == 700 {
			panic("seven hundred")
		}
	}
	p := player(t, fragile, c, PlayerOptions[band]{})
	for range 2 {
		var err error
		for err == nil {
			err = p.Step()
		}
		var panicked *PanicError
		if !errors.As(err, &panicked) || panicked.Value != "seven hundred" || p.At() != 699 {
			t.Fatalf("at %d: %v", p.At(), err)
		}
		if again := p.Step(); again != err {
			t.Errorf("once more: %v", again)
		}
		if err := p.Seek(900); !errors.As(err, &panicked) {
			t.Errorf("beyond it: %v", err)
		}
		for _, f := range []rollback.Frame{699, 5, 650} {
			if err := p.Seek(f); err != nil || *p.State() != c.states[f] {
				t.Errorf("frame %d: %v", f, err)
			}
		}
	}
}
