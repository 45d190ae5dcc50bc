//go:build unix

package tickback_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/replay/tbr"
)

// victim is the file to which a process records until it is killed.
const victim = "TICKBACK_TEST_RECORD"

// TestVictim records for ever, in a separate process.
func TestVictim(t *testing.T) {
	path := os.Getenv(victim)
	if path == "" {
		t.Skip("it is for the test of killed recordings")
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	o := tickback.Options[counter, uint32]{Players: 2, TickRate: slowRate, Record: file}
	o.Recording.Wait, o.Recording.Effects, o.Recording.Stats = true, true, true
	w := newWatch()
	o.Advanced.Now = w.Now
	r := rand.New(rand.NewPCG(1, 1))
	o.Sample = func(tickback.Player) uint32 { return r.Uint32() }
	m, err := tickback.Local(noisy, o)
	if err != nil {
		t.Fatal(err)
	}
	for {
		update(t, m)
		m.Effects()
		w.advance(time.Second / slowRate)
	}
}

// Rule: whenever a recording process is killed, the file can be opened, and its complete blocks can be replayed.
func TestKilledRecordingsOpen(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 5
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, dir := rand.New(rand.NewPCG(9, 9)), t.TempDir()
	began, frames := 0, uint32(0)
	for range kills {
		path := filepath.Join(dir, "killed.tbr")
		os.Remove(path)
		cmd := exec.Command(self, "-test.run=^TestVictim$")
		cmd.Env = append(os.Environ(), victim+"="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for n := 0; n < 10000; n++ {
			if info, err := os.Stat(path); err == nil && info.Size() > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(r.IntN(20000)) * time.Microsecond)
		if err := errors.Join(cmd.Process.Kill(), ignore(cmd.Wait())); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := tbr.Open(bytes.NewReader(b), int64(len(b)))
		if errors.Is(err, tbr.ErrCut) {
			continue // before the header was written
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.Damage() == nil {
			t.Fatal("it says that it is complete")
		}
		if err := replays(f); err != nil {
			t.Fatal(err)
		}
		began, frames = began+1, frames+f.Next()
	}
	if began < kills*9/10 || frames == 0 {
		t.Errorf("%d of %d have begun, with %d frames", began, kills, frames)
	}
	t.Logf("%d of %d have begun, with %d frames", began, kills, frames)
}

// ignore discards the error of a process that was killed.
func ignore(error) error { return nil }
