package commands_test

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
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
)

// noisyGame is a game whose recordings are small for one block, which is 8 seconds, and then grow quickly.
func noisyGame() cli.Game {
	spec := clitest.ToySpec()
	spec.ID, spec.TickRate, spec.Classic, spec.StandIns, spec.Scripts = "noisy", 500, nil, nil, nil
	spec.Bots = []cli.Bot[clitest.Toy, clitest.Press]{{Name: "noise", New: func(uint64) func(tickback.Player, tickback.Frame, *clitest.Toy) clitest.Press {
		return func(p tickback.Player, f tickback.Frame, _ *clitest.Toy) clitest.Press {
			if f < 8*500 {
				return 0
			}
			x := (uint64(f)<<8 + uint64(p) + 1) * 0x9E3779B97F4A7C15
			return clitest.Press((x ^ x>>29) * 0xBF58476D1CE4E5B9 >> 40)
		}
	}}}
	spec.Game = rollback.Game[clitest.Toy, clitest.Press]{Step: func(s *clitest.Toy, k *rollback.Tick[clitest.Press]) { s.Add(k.Input(0), k.Input(1)) }}
	return cli.NewGame(spec)
}

// On a full disk the match continues to its end, and the exit code says that it was not recorded. The part that fitted
// stays, and can be replayed; an empty file is removed.
func TestMatchesOnAFullDisk(t *testing.T) {
	t.Parallel()
	none, some := clitest.SmallDisk(t, 0), clitest.SmallDisk(t, 1)
	all := clitest.Seats(t, 2, "--game", "noisy", "--bot", "noise", "--frames", "5200", "--spectators", "2")
	file := [3]string{filepath.Join(none, "a.tbr"), filepath.Join(some, "b.tbr"), filepath.Join(clitest.SmallDisk(t, 0), "c.tbr")}
	all[0], all[1] = append(all[0], "--record", file[0]), append(all[1], "--record", file[1])
	var ends [3]clitest.Ended
	var wg sync.WaitGroup
	for p := range all {
		wg.Go(func() { ends[p] = clitest.Player(t.Context(), t, noisyGame(), all[p]) })
	}
	wg.Go(func() {
		ends[2] = clitest.Spectator(t, noisyGame(), "--game", "noisy", "--host", all[0][7], "--record", file[2])
	})
	wg.Wait()
	for i, e := range ends {
		last := e.Stderr[strings.LastIndex(strings.TrimSpace(e.Stderr), "\n")+1:]
		if e.Code != 1 || !strings.HasPrefix(last, "toybox: "+file[i]+": no space left on device: ") {
			t.Errorf("%d: exit code %d\n%s", i, e.Code, e.Stderr)
		}
		if e.Result["frames"] != float64(5200) || !strings.Contains(fmt.Sprint(e.Result["error"]), "no space left") {
			t.Errorf("%d: the result is %v", i, e.Result)
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
	if r.Next() < 4000 || r.Next() >= 5200 || !strings.Contains(ends[1].Stderr, says) {
		t.Errorf("%d frames of %d bytes are there, and it is said:\n%s", r.Next(), len(b), ends[1].Stderr)
	}
	c, err := r.Frames(0)
	for frame := uint32(0); err == nil && frame < r.Next(); frame++ {
		_, err = c.Next()
	}
	if err != nil {
		t.Errorf("what is there cannot be read: %v", err)
	}
}

// A match that never begins leaves no file, and reports no failed recording.
func TestAMatchThatDoesNotBeginIsNotRecorded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := clitest.Seats(t, 2, "--frames", "90")
	other := clitest.ToySpec()
	other.Build = "other"
	games := []cli.Game{clitest.ToyGame(), cli.NewGame(other)}
	for p := range all {
		all[p] = append(all[p], "--record", filepath.Join(dir, fmt.Sprint(p)))
	}
	seen := false
	ends := make([]clitest.Ended, 2)
	var wg sync.WaitGroup
	for p := range all {
		wg.Go(func() {
			ends[p] = clitest.PlayerWith(t.Context(), t, games[p], all[p], func(string) {
				if _, err := os.Stat(filepath.Join(dir, fmt.Sprint(p))); err == nil && p == 0 {
					seen = true
				}
			})
		})
	}
	wg.Wait()
	for p, e := range ends {
		if e.Code != 1 || !strings.Contains(e.Stderr, "no match began") || !strings.Contains(e.Stderr, "another build") {
			t.Errorf("player %d: exit code %d\n%s", p+1, e.Code, e.Stderr)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 || seen {
		t.Errorf("left behind: %v, there in between: %v", list, seen)
	}
}
