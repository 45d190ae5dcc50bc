package app_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/contest"
)

// until draws pictures until the given number of recordings are kept.
func (c *client) until(recordings int) *client {
	c.Helper()
	for range 60 * 600 {
		if c.pictures(1); c.Status().Recordings >= recordings {
			return c
		}
	}
	c.Fatalf("%d recordings after ten minutes", c.Status().Recordings)
	return c
}

// Rounds and matches are recorded as they were played, with names, and those of the bots behind the title are not.
func TestMatchesAreKept(t *testing.T) {
	if n := len(start(t, app.Options{}).pictures(60 * 15).Recordings()); n != 0 {
		t.Errorf("the title has left %d recordings", n)
	}
	if testing.Short() {
		t.Skip("it plays for a minute")
	}
	list := start(t, app.Options{Mode: "versus-bot", Auto: true}).until(2).Recordings()
	first, second := list[1], list[0]
	if first.Series == 0 || second.Series != first.Series || first.Round != 1 || second.Round != 2 {
		t.Errorf("rounds %d and %d of the series %d and %d", first.Round, second.Round, first.Series, second.Series)
	}
	for _, r := range list {
		if r.Game != contest.GameID || r.Names[0] != "BOT ADA" || r.Reason != "" || r.Finished != (r.Frames < contest.RoundFrames) {
			t.Errorf("%s of %q: %d frames, finished %v, %q", r.Game, r.Names, r.Frames, r.Finished, r.Reason)
		}
	}
}

// A match that is left before its end is recorded up to that point.
func TestAMatchThatIsLeftIsKept(t *testing.T) {
	c := start(t, app.Options{Mode: "versus-bot"}).press("KeyD").pictures(200).press("Escape", "ArrowUp", "Enter").in("title")
	list := c.Recordings()
	if len(list) != 1 || list[0].Finished || list[0].Frames < 190 || list[0].Reason == "" || c.Status().Recordings != 1 {
		t.Errorf("%d recordings", len(list))
	}
}

// The command line verifies the client's recordings, with the same checksum.
func TestTheCommandLineVerifiesRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command")
	}
	program := filepath.Join(t.TempDir(), "tickback")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/tickback/tickback/cmd/tickback").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, mode := range []string{"versus-bot", "arena"} {
		t.Run(mode, func(t *testing.T) {
			c := start(t, app.Options{Mode: mode, Auto: true})
			for c.Recordings() == nil {
				c.pictures(1)
			}
			r := c.Recordings()[0]
			file := save(t, r.Bytes)
			v, code := verify(t, program, file)
			if code != 0 || v.Verdict != "ok" || v.Game != r.Game || v.Frames != r.Frames || v.Checked != r.Frames || v.Hashes == 0 {
				t.Errorf("exit code %d, %+v of %d frames", code, v, r.Frames)
			}
			if want := c.Status().Checksum; v.Checksum[len(v.Checksum)-8:] != want[2:] {
				t.Errorf("the checksum is %s there, and %s here", v.Checksum, want)
			}
			r.Bytes[len(r.Bytes)/2] ^= 1
			if v, code := verify(t, program, save(t, r.Bytes)); code == 0 || v.OK {
				t.Errorf("one that is damaged: exit code %d, %+v", code, v)
			}
		})
	}
}

func save(t *testing.T, b []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "match.tbr")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

type verified struct {
	Game, Verdict, Checksum string
	Frames, Checked, Hashes uint32
	OK                      bool
}

func verify(t *testing.T, program, file string) (v verified, code int) {
	t.Helper()
	cmd := exec.Command(program, "replay", "verify", "--json", file)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return v, cmd.ProcessState.ExitCode()
}

// A round that ends by its length can be verified too, although no fighter has won it.
func TestARoundWhoseTimeIsUpIsARecording(t *testing.T) {
	c := start(t, app.Options{Mode: "versus"}).until(1)
	r := c.Recordings()[0]
	if r.Finished || r.Frames != contest.RoundFrames || r.Reason != "" || r.Game != duel.RoundID {
		t.Errorf("%d frames, finished %v, %q", r.Frames, r.Finished, r.Reason)
	}
}
