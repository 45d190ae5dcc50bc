package theatre_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/rollback"
)

// verdict verifies a recording in slices of zero time.
func verdict(t *testing.T, b []byte) (text string, slices int) {
	t.Helper()
	v := open(t, b).Verify()
	before := 0
	for !v.Work(0) {
		if slices++; slices > 1_000_000 {
			t.Fatal("it does not end")
		}
		percent := 0
		for _, c := range strings.TrimSuffix(strings.TrimPrefix(v.Text(), "running "), "%") {
			percent = percent*10 + int(c-'0')
		}
		if percent < before || percent > 99 {
			t.Fatalf("%q after %d%%", v.Text(), before)
		}
		before = percent
	}
	return v.Text(), slices
}

// A correct recording is verified, in many slices.
func TestVerifyingFindsWhatIsRight(t *testing.T) {
	for name, b := range map[string][]byte{
		"duel":      duelFile(t, 900, tickback.RecordOptions{}),
		"arena":     arenaFile(t, 900, tickback.RecordOptions{HashEvery: 1}),
		"keyframes": arenaFile(t, 9000, tickback.RecordOptions{KeyframeEvery: 1}),
		"tanks":     tanksFile(t, 600, tickback.RecordOptions{}),
		"skirmish":  skirmishFile(t, 300, tickback.RecordOptions{}),
		"file":      read(t, "arena.tbr"),
	} {
		frames := int(open(t, b).Frames())
		if got, slices := verdict(t, b); got != theatre.Verified || slices < frames/100 {
			t.Errorf("%s: %s in %d slices, of %d frames", name, got, slices, frames)
		}
	}
}

// A file without hashes is played to its end, and is not reported as verified.
func TestAFileWithoutHashesIsNotVerified(t *testing.T) {
	v := open(t, read(t, "brawl-a.rplk")).Verify()
	for !v.Work(time.Second) {
	}
	if got := v.Text(); got != theatre.Unhashed || !strings.Contains(v.Details(), "no hashes") {
		t.Errorf("%q, %q", got, v.Details())
	}
}

// A text about damage mentions it once, and names no package.
func TestDamageIsSaidOnce(t *testing.T) {
	got, _ := verdict(t, flipped(duelFile(t, 900, tickback.RecordOptions{})))
	if strings.Count(got, "damaged") != 1 || strings.Contains(got, "tbr:") {
		t.Errorf("%q", got)
	}
	if got := theatre.Plainly(errors.New("tbr: damaged: tbr: the checksum does not match")); got != "the checksum does not match" {
		t.Errorf("%q", got)
	}
}

// tampered is a duel that was recorded with other rules, from some frame on.
func tampered(t *testing.T, o tickback.RecordOptions) []byte {
	game, err := duel.Game(1)
	if err != nil {
		t.Fatal(err)
	}
	step := game.Step
	game.Step = func(s *duel.State, tick *rollback.Tick[duel.Input]) {
		if step(s, tick); s.Frame == 151 { // in frame 150
			s.P[1].Hp--
		}
	}
	return record(t, game, duel.ID, 2, 600, o, duel.Bot{Seed: 1}.Input)
}

// A difference between the recording and the results of this program is found and named.
func TestVerifyingFindsWhatDiffers(t *testing.T) {
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"every second":    {tampered(t, tickback.RecordOptions{}), "one of the frames 120 to 179"},
		"every frame":     {tampered(t, tickback.RecordOptions{HashEvery: 1}), "frame 150 does not lead"},
		"without hashes":  {duelFile(t, 300, tickback.RecordOptions{HashEvery: -1}), ""},
		"another ending":  {renamed(t), "the match is finished by"},
		"cut off":         {duelFile(t, 900, tickback.RecordOptions{})[:400], "damaged"},
		"a damaged frame": {flipped(duelFile(t, 900, tickback.RecordOptions{})), "damaged"},
	} {
		got, _ := verdict(t, c.b)
		if c.want == "" {
			continue
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// renamed is a round whose recording names the duel as its game.
func renamed(t *testing.T) []byte {
	game, err := duel.Round(1)
	if err != nil {
		t.Fatal(err)
	}
	return record(t, game, duel.ID, 2, 20000, tickback.RecordOptions{}, duel.Bot{Seed: 1}.Input)
}

func flipped(b []byte) []byte {
	b[len(b)/2] ^= 1
	return b
}

func TestVerifyingCanBeGivenUp(t *testing.T) {
	f := open(t, arenaFile(t, 900, tickback.RecordOptions{}))
	for slices := range 30 {
		v := f.Verify()
		for range slices {
			v.Work(0)
		}
		v.Cancel()
		if !v.Over() || v.Text() == theatre.Verified {
			t.Fatalf("after %d slices: %s", slices, v.Text())
		}
	}
}
