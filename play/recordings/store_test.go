package recordings_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// play plays a round between two bots, and records it to w. It ends after the given number of frames, if it is not over
// before.
func play(t *testing.T, seed uint32, frames int, w io.Writer, o tickback.RecordOptions) *duel.State {
	t.Helper()
	game, err := duel.Round(seed)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1e9, 0)
	var m *tickback.Match[duel.State, duel.Input]
	m, err = tickback.Local(game, tickback.Options[duel.State, duel.Input]{
		Players: 2, GameID: duel.RoundID, Match: tickback.Parameters{Seed: uint64(seed)}, Record: w, Recording: o,
		Sample: func(p tickback.Player) duel.Input {
			v := m.View()
			return duel.Bot{Seed: uint64(seed)}.Input(p, v.Frame, v.Current)
		},
		Advanced: tickback.Advanced{Now: func() time.Time { return now }},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for range frames {
		now = now.Add(time.Second / 60)
		if _, err := m.Update(); err != nil {
			t.Fatal(err)
		}
		if _, over := m.Outcome(); over {
			break
		}
	}
	last := *m.View().Current
	if err := m.Close(); err != nil && !errors.Is(err, tickback.ErrClosed) {
		t.Fatal(err)
	}
	return &last
}

// Recordings are kept, newest first, with their descriptions.
func TestMatchesAreKept(t *testing.T) {
	var s recordings.Store
	for seed := uint32(1); seed < 4; seed++ {
		info := recordings.Info{Mode: "versus", Series: 9, Round: int(seed)}
		info.Names[0], info.Names[1] = "ANN", fmt.Sprint("BOT ", seed)
		last := play(t, seed, 20000, s.Begin(info), info.Options())
		list := s.List()
		if len(list) != int(seed) || s.Len() != len(list) {
			t.Fatalf("%d recordings after %d", len(list), seed)
		}
		r := list[0]
		if r.Info != info || r.Seed != uint64(seed) || r.Game != duel.RoundID || r.Players != 2 || r.Reason != "" {
			t.Errorf("%+v of %s, seed %d, %d players, %q", r.Info, r.Game, r.Seed, r.Players, r.Reason)
		}
		if !r.Finished || r.Result != duel.Verdict(last) || r.Frames != last.Frame || !r.Hashed || r.Created/1000 != 1e9 {
			r.Bytes = nil
			t.Errorf("%+v of a match of %d frames", r, last.Frame)
		}
		got, err := tbr.Open(bytes.NewReader(r.Bytes), int64(len(r.Bytes)))
		if err != nil || got.Check() != nil {
			t.Errorf("%v, %v", err, got.Check())
		}
	}
}

// A match that is left early is kept as far as it was played, and one that is left at once is not. A running match is
// not listed.
func TestOnlyWhatWasPlayedIsKept(t *testing.T) {
	var s recordings.Store
	info := recordings.Info{}
	s.Begin(info)
	play(t, 1, 30, s.Begin(info), info.Options())
	if n := s.Len(); n != 0 {
		t.Fatalf("%d recordings of half a second", n)
	}
	play(t, 1, 200, s.Begin(info), info.Options())
	list := s.List()
	if len(list) != 1 || list[0].Finished || list[0].Frames < 190 || list[0].Reason == "" {
		t.Fatalf("%d recordings", len(list))
	}
}

// header is the header of a recording that a test writes itself.
func header() tbr.Header {
	return tbr.Header{Game: "toy", TickRate: 60, Shape: agreed.Shape{Players: 1, InputSize: 64}, KeyframeEvery: tbr.NoKeyframes}
}

// write writes a recording with the given number of frames, in which every input is new.
func write(t *testing.T, w io.Writer, frames int) error {
	t.Helper()
	out, err := tbr.NewWriter(w, header())
	if err != nil {
		return err
	}
	f := agreed.Frame{Inputs: make([]byte, 64)}
	x := uint64(1)
	for i := range frames {
		for k := range f.Inputs {
			x = x*6364136223846793005 + 1442695040888963407
			f.Inputs[k] = byte(x >> 56)
		}
		f.Number = uint32(i)
		if err := out.Frame(&f); err != nil {
			return err
		}
	}
	return out.Close(tbr.End{})
}

// Names that become known later are listed; a recording that has not begun is forgotten.
func TestNamesComeLater(t *testing.T) {
	var s recordings.Store
	tape := s.Begin(*recordings.About("server", []string{"ANN", "P2"}))
	s.Begin(recordings.Info{}).Drop()
	if err := write(t, tape, 100); err != nil {
		t.Fatal(err)
	}
	if names := s.List()[0].Names; names != [recordings.MaxPlayers]string{} { // header has none
		t.Fatalf("%q", names)
	}
	tape.Call([recordings.MaxPlayers]string{1: "BO\x00", 15: "PAT"})
	if names := s.List()[0].Names; names != [recordings.MaxPlayers]string{1: "BO", 15: "PAT"} || s.Len() != 1 {
		t.Errorf("%q of %d", names, s.Len())
	}
}

// The oldest matches are removed; the rounds of a series count as one.
func TestTheOldestMatchesGo(t *testing.T) {
	var s recordings.Store
	for i := range recordings.MaxMatches * 2 {
		for round := range 2 {
			if err := write(t, s.Begin(recordings.Info{Series: uint64(i + 1), Round: round + 1}), 100); err != nil {
				t.Fatal(err)
			}
		}
	}
	list := s.List()
	if len(list) != 2*recordings.MaxMatches {
		t.Fatalf("%d recordings", len(list))
	}
	for i := range list {
		if want := uint64(4*recordings.MaxMatches - i); list[i].ID != want {
			t.Errorf("recording %d has ID %d, want %d", i, list[i].ID, want)
		}
	}
}

// All recordings together have a size limit, and so has each of them; the part that fitted can be read.
func TestBytesAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("tens of megabytes")
	}
	const frames = recordings.MaxTape / 64 * 3 / 4
	var file bytes.Buffer
	if err := write(t, &file, frames); err != nil {
		t.Fatal(err)
	}
	var s recordings.Store
	for range 8 {
		if _, err := s.Begin(recordings.Info{}).Write(file.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	sum, list := 0, s.List()
	for _, r := range list {
		sum += len(r.Bytes)
	}
	if sum > recordings.MaxBytes || sum < recordings.MaxBytes*3/4 || len(list) >= 8 {
		t.Errorf("%d recordings have %d bytes", len(list), sum)
	}
	var one recordings.Store
	if err := write(t, one.Begin(recordings.Info{}), frames*3/2); !errors.Is(err, recordings.ErrFull) {
		t.Fatalf("the error is %v", err)
	}
	list = one.List()
	if len(list) != 1 || list[0].Frames < frames || list[0].Reason == "" || len(list[0].Bytes) > recordings.MaxTape {
		t.Fatalf("%d recordings", len(list))
	}
	if _, err := one.Begin(recordings.Info{}).Write(make([]byte, recordings.MaxTape+1)); !errors.Is(err, recordings.ErrFull) {
		t.Errorf("the error is %v", err)
	}
}

// If a match is removed while it is still being written, its writer gets an error.
func TestAMatchThatHasGoneIsNotWritten(t *testing.T) {
	var s recordings.Store
	old := s.Begin(recordings.Info{})
	for range recordings.MaxMatches {
		s.Begin(recordings.Info{})
	}
	if _, err := old.Write([]byte("x")); !errors.Is(err, recordings.ErrFull) {
		t.Errorf("the error is %v", err)
	}
}

func TestTextsAreCleaned(t *testing.T) {
	for in, want := range map[string]string{
		"ANN": "ANN", " a\x00b\n ": "ab", "\u202Eabc": "abc", "\xFFx": "x", strings.Repeat("ü", 100): strings.Repeat("ü", recordings.MaxName),
	} {
		if got := recordings.Clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	h := header()
	h.Meta = []tbr.Field{{Key: "name.0", Value: "x"}, {Key: "name.17", Value: "x"}, {Key: "name.x", Value: "x"}, {Key: "name.2", Value: "BO"}, {Key: "round", Value: "-1"}, {Key: "series", Value: "no"}}
	if got := recordings.InfoOf(&h); got != (recordings.Info{Names: [recordings.MaxPlayers]string{1: "BO"}}) {
		t.Errorf("%+v", got)
	}
}
