package app_test

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/theatre"
)

// The recordings are of matches in the mode versus, of ten minutes at most.
var versus = recordings.Info{Mode: "versus"}

const longest = 60 * 600

// duelTape and arenaTape are recordings of matches between bots.
var (
	duelTape = sync.OnceValues(func() ([]byte, error) {
		game, err := contest.Round(3)
		if err != nil {
			return nil, err
		}
		return recordings.Simulate(game, 2, contest.GameID, 3, contest.RoundFrames, versus, tickback.RecordOptions{}, longest, func(p tickback.Player, f tickback.Frame, s *duel.State) duel.Input {
			return contest.Held(f, contest.Bot{Seed: 3, Skill: contest.Hard}.Input(p, f, s))
		})
	})
	arenaTape = sync.OnceValues(func() ([]byte, error) {
		return recordings.Simulate(arena.Game(3), 4, arena.ID, 3, 0, versus, tickback.RecordOptions{}, longest, arena.Bot{Seed: 3, Skill: arena.Hard}.Input)
	})
)

// recorded returns a sample recording, or fails the test.
func recorded(t *testing.T, of func() ([]byte, error)) []byte {
	t.Helper()
	b, err := of()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// watch opens a file in the theatre.
func watch(t *testing.T, name string, b []byte) *client {
	t.Helper()
	c := start(t, app.Options{Mode: "theatre"}).pictures(1)
	c.Receive(name, b, nil)
	for range 1000 {
		if c.pictures(1); c.Status().Mode != "theatre" && c.Status().Mode != "opening" {
			return c
		}
	}
	t.Fatalf("it is still %q: %s", c.Status().Mode, c.Status().Message)
	return c
}

func file(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A recording plays to its end by itself, and reaches the state at which the match ended.
func TestARecordingPlaysToItsEnd(t *testing.T) {
	c := start(t, app.Options{Mode: "versus-bot", Auto: true}).until(1)
	want := c.Status()
	r := c.Recordings()[0]
	c = watch(t, "match.tbr", r.Bytes).in("player")
	if s := c.Status(); !s.Playing || s.Frames != uint64(r.Frames) {
		t.Errorf("playing %v, %d frames, want %d", s.Playing, s.Frames, r.Frames)
	}
	c.pictures(int(r.Frames) + 30)
	if s := c.Status(); s.Playing || s.Frame != r.Frames || s.Checksum != want.Checksum || s.Health != "healthy" || s.Outcome != nil {
		t.Errorf("frame %d of %d, %s, want %s; playing %v, %s", s.Frame, r.Frames, s.Checksum, want.Checksum, s.Playing, s.Health)
	}
	c.press("Space").pictures(30)
	if s := c.Status(); !s.Playing || s.Frame > 40 {
		t.Errorf("after the end it is at frame %d, playing %v", s.Frame, s.Playing)
	}
}

// The keys step, jump and change the speed; a state is the same however it is reached.
func TestTheKeysGoThroughARecording(t *testing.T) {
	c := watch(t, "arena.tbr", recorded(t, arenaTape)).press("Space")
	at := func(want uint32) {
		t.Helper()
		if s := c.Status(); s.Playing || s.Frame != want {
			t.Fatalf("at frame %d, playing %v; want %d", s.Frame, s.Playing, want)
		}
	}
	c.press("Home")
	at(0)
	c.press("ArrowRight", "ArrowRight")
	at(120)
	sum := c.Status().Checksum
	c.press("Period")
	at(121)
	c.press("Comma")
	at(120)
	if got := c.Status().Checksum; got != sum {
		t.Errorf("frame 120 is %s, and %s", sum, got)
	}
	c.press("ArrowUp")
	at(420)
	c.press("ArrowDown", "ArrowLeft")
	at(60)
	c.press("End").pictures(400)
	at(uint32(c.Status().Frames))
	c.press("Home", "ArrowRight", "ArrowRight")
	if at(120); c.Status().Checksum != sum {
		t.Errorf("frame 120 is %s, and %s", sum, c.Status().Checksum)
	}
	for _, k := range []struct {
		keys   string
		frames uint32 // in a second
	}{{"", 60}, {"Equal", 120}, {"Equal", 240}, {"Equal", 480}, {"Equal", 480}, {"Minus Minus Minus Minus", 30}, {"Minus", 15}, {"Minus", 15}} {
		for _, key := range strings.Fields(k.keys) {
			c.press(controls.Key(key))
		}
		c.press("Home")
		c.press("Space")
		before := c.Status().Frame
		if c.pictures(60); c.Status().Frame-before < k.frames-2 || c.Status().Frame-before > k.frames+2 {
			t.Errorf("%q: %d frames in a second, want %d", k.keys, c.Status().Frame-before, k.frames)
		}
		c.press("Space")
	}
}

// The pointer scrubs.
func TestTheBarIsScrubbed(t *testing.T) {
	c := watch(t, "duel.tbr", recorded(t, duelTape)).press("Space")
	n := c.Status().Frames
	c.click(28+1224/2, 603).pictures(5)
	if f := uint64(c.Status().Frame); f < n/2-1 || f > n/2+1 {
		t.Errorf("at frame %d of %d", f, n)
	}
}

// verdict verifies a recording, and returns the result.
func (c *client) verdict() string {
	c.Helper()
	c.press("KeyV")
	running := false
	for range 5000 {
		s := c.pictures(1).Status().Verified
		if !strings.HasPrefix(s, "running") {
			return s
		}
		running = true
	}
	c.Fatalf("it is not verified; running %v", running)
	return ""
}

// A recording made here is verified, and a changed one is not; neither is one of a match with other rules.
func TestTheTheatreVerifies(t *testing.T) {
	for mode, of := range map[string]func() ([]byte, error){"duel": duelTape, "arena": arenaTape} {
		b := recorded(t, of)
		if got := watch(t, mode, b).verdict(); got != "ok" {
			t.Errorf("%s: %s", mode, got)
		}
		b = bytes.Clone(b)
		b[len(b)*2/3] ^= 4
		c := watch(t, mode, b)
		if got := c.verdict(); !strings.Contains(got, "damaged") {
			t.Errorf("%s, with a byte changed: %s", mode, got)
		}
	}
	for _, name := range []string{"brawl-a.rplk", "arena.tbr"} {
		want := theatre.Verified
		if strings.HasSuffix(name, ".rplk") {
			want = theatre.Unhashed
		}
		if got := watch(t, name, file(t, "../../testdata/"+name)).verdict(); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Verifying can be cancelled, and started again.
func TestVerifyingIsCancelled(t *testing.T) {
	c := watch(t, "arena.tbr", file(t, "../../testdata/arena.tbr")).pictures(100)
	c.hold("KeyV").pictures(1).hold()
	if s := c.Status().Verified; !strings.HasPrefix(s, "running") && s != "ok" {
		t.Fatal(s)
	}
	c.press("Escape").in("theatre")
}

// A file that is not a recording is refused with a message, and nothing else happens.
func TestFilesThatAreNoRecordings(t *testing.T) {
	whole := file(t, "../../testdata/arena.tbr")
	other := bytes.Replace(whole, []byte("arena"), []byte("areno"), 1)
	for _, f := range []struct {
		name string
		b    []byte
		want string
	}{
		{"empty.tbr", nil, "empty"},
		{"picture.png", []byte("\x89PNG\r\n\x1a\n and so on"), "this is no recording"},
		{"text.txt", []byte("hello, this is a text"), "this is no recording"},
		{"other.tbr", other, "damaged"}, // its chunk has another checksum
		{"cut.tbr", whole[:40], "damaged"},
		{"cut.rplk", file(t, "../../testdata/brawl-a.rplk")[:20], "damaged"},
		{"new.tbr", append([]byte("\x89TBR\r\n\x1a\x02"), whole[8:]...), "may be newer"},
	} {
		c := start(t, app.Options{}).pictures(1)
		c.Receive(f.name, f.b, nil)
		for range 200 {
			c.pictures(1)
		}
		if s := c.in("theatre").Status(); !strings.Contains(s.Message, f.want) || !strings.HasPrefix(s.Message, f.name) {
			t.Errorf("%s: %q", f.name, s.Message)
		}
	}
}

// A recording that was cut off is played as far as it is intact.
func TestAsMuchAsIsWholeIsPlayed(t *testing.T) {
	whole := recorded(t, arenaTape)
	c := watch(t, "cut.tbr", whole[:len(whole)*2/3])
	s := c.Status()
	if s.Frames < 400 || !strings.Contains(s.Message, "damaged") {
		t.Fatalf("%d frames, %q", s.Frames, s.Message)
	}
	c.press("End").pictures(300)
	if s := c.Status(); uint64(s.Frame) != s.Frames {
		t.Errorf("at frame %d of %d", s.Frame, s.Frames)
	}
	if got := c.verdict(); !strings.Contains(got, "damaged") {
		t.Errorf("verified: %s", got)
	}
	rplk := file(t, "../../testdata/brawl-a.rplk")
	c = watch(t, "cut.rplk", rplk[:len(rplk)/2])
	if s := c.Status(); s.Frames < 1000 || !strings.Contains(s.Message, "damaged") {
		t.Errorf("%d frames, %q", s.Frames, s.Message)
	}
}

// A file that arrives during a match waits for the match to end.
func TestAFileWaitsForTheMatch(t *testing.T) {
	c := start(t, app.Options{Mode: "versus-bot"}).pictures(30)
	c.Receive("arena.tbr", file(t, "../../testdata/arena.tbr"), nil)
	c.pictures(30).in("duel").press("Escape", "ArrowUp", "Enter").pictures(30).in("player")
}

// The saved bytes are those that were received.
func TestARecordingIsSaved(t *testing.T) {
	var name string
	var saved []byte
	b := file(t, "../../testdata/brawl-a.rplk")
	c := start(t, app.Options{Mode: "theatre", SaveFile: func(n string, b []byte) (string, error) {
		name, saved = n, b
		return "/tmp/" + n, nil
	}})
	c.Receive("brawl-a.rplk", b, nil)
	c.pictures(30).in("player").press("KeyS")
	if name != "brawl-a.rplk" || !bytes.Equal(saved, b) {
		t.Errorf("%q: %d bytes", name, len(saved))
	}
}

// A recorded match is selected in the list.
func TestAMatchIsChosenFromTheList(t *testing.T) {
	c := start(t, app.Options{Mode: "versus-bot"}).press("KeyD").pictures(200).press("Escape", "ArrowUp", "Enter").in("title")
	c.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter").in("theatre").press("Enter").pictures(5).in("player")
	if s := c.Status(); s.Frames < 190 {
		t.Errorf("%d frames", s.Frames)
	}
	c.press("Escape").in("theatre").press("Escape").in("title")
}
