package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
)

// noisyGame is a game whose recordings are small for a block, which are 8 seconds, and
// then grow quickly.
func noisyGame() cli.Game {
	spec := toySpec()
	spec.ID, spec.TickRate, spec.Classic, spec.StandIns, spec.Scripts = "noisy", 500, nil, nil, nil
	spec.Bots = []cli.Bot[toy, press]{{Name: "noise", New: func(uint64) func(tickback.Player, tickback.Frame, *toy) press {
		return func(p tickback.Player, f tickback.Frame, _ *toy) press {
			if f < 8*500 {
				return 0
			}
			x := (uint64(f)<<8 + uint64(p) + 1) * 0x9E3779B97F4A7C15
			return press((x ^ x>>29) * 0xBF58476D1CE4E5B9 >> 40)
		}
	}}}
	spec.Game = rollback.Game[toy, press]{Step: func(s *toy, k *rollback.Tick[press]) { s.add(k.Input(0), k.Input(1)) }}
	return cli.NewGame(spec)
}

// On a full disk the match goes on to its end, and who looks at the exit code knows that it
// is not recorded. What had room stays, and can be replayed; an empty file does not stay.
func TestMatchesOnAFullDisk(t *testing.T) {
	t.Parallel()
	none, some := smallDisk(t, 0), smallDisk(t, 1)
	all := seats(t, 2, "--game", "noisy", "--bot", "noise", "--frames", "5200", "--spectators", "2")
	file := [3]string{filepath.Join(none, "a.tbr"), filepath.Join(some, "b.tbr"), filepath.Join(smallDisk(t, 0), "c.tbr")}
	all[0], all[1] = append(all[0], "--record", file[0]), append(all[1], "--record", file[1])
	var ends [3]ended
	var wg sync.WaitGroup
	for p := range all {
		wg.Go(func() { ends[p] = player(t.Context(), t, noisyGame(), all[p]) })
	}
	wg.Go(func() {
		ends[2] = spectator(t, noisyGame(), "--game", "noisy", "--host", all[0][7], "--record", file[2])
	})
	wg.Wait()
	for i, e := range ends {
		last := e.stderr[strings.LastIndex(strings.TrimSpace(e.stderr), "\n")+1:]
		if e.code != 1 || !strings.HasPrefix(last, "toybox: "+file[i]+": no space left on device: ") {
			t.Errorf("%d: exit code %d\n%s", i, e.code, e.stderr)
		}
		if e.result["frames"] != float64(5200) || !strings.Contains(fmt.Sprint(e.result["error"]), "no space left") {
			t.Errorf("%d: the result is %v", i, e.result)
		}
		if _, err := os.Stat(file[i]); (err == nil) != (i == 1) {
			t.Errorf("%d: %v", i, err)
		}
	}
	b, err := os.ReadFile(file[1])
	if err != nil {
		t.Fatal(err)
	}
	r, err := tbr.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	says := fmt.Sprintf("the recording ends at frame %d, and can be replayed", r.Next())
	if r.Next() < 4000 || r.Next() >= 5200 || !strings.Contains(ends[1].stderr, says) {
		t.Errorf("%d frames of %d bytes are there, and it is said:\n%s", r.Next(), len(b), ends[1].stderr)
	}
	c, err := r.Frames(0)
	for frame := uint32(0); err == nil && frame < r.Next(); frame++ {
		_, err = c.Next()
	}
	if err != nil {
		t.Errorf("what is there cannot be read: %v", err)
	}
}

// A match that never begins leaves no file, and says nothing of a recording that failed.
func TestAMatchThatDoesNotBeginIsNotRecorded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := seats(t, 2, "--frames", "90")
	other := toySpec()
	other.Build = "other"
	games := []cli.Game{toyGame(), cli.NewGame(other)}
	for p := range all {
		all[p] = append(all[p], "--record", filepath.Join(dir, fmt.Sprint(p)))
	}
	seen := false
	ends := make([]ended, 2)
	var wg sync.WaitGroup
	for p := range all {
		wg.Go(func() {
			ends[p] = playerWith(t.Context(), t, games[p], all[p], func(string) {
				if _, err := os.Stat(filepath.Join(dir, fmt.Sprint(p))); err == nil && p == 0 {
					seen = true
				}
			})
		})
	}
	wg.Wait()
	for p, e := range ends {
		if e.code != 1 || !strings.Contains(e.stderr, "no match began") || !strings.Contains(e.stderr, "another build") {
			t.Errorf("player %d: exit code %d\n%s", p+1, e.code, e.stderr)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 || seen {
		t.Errorf("left behind: %v, there in between: %v", list, seen)
	}
}
