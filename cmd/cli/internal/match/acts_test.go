package match

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/live"
)

// ledger is a match that records the calls of its methods.
type ledger struct {
	asked  []string
	paused bool
	at     tickback.Frame
	err    error
}

func (m *ledger) Pause() error { m.asked, m.paused = append(m.asked, "pause"), true; return m.err }

func (m *ledger) Unpause() error                 { m.asked, m.paused = append(m.asked, "unpause"), false; return m.err }
func (m *ledger) Paused() (tickback.Frame, bool) { return m.at, m.paused }
func (m *ledger) Kick(p tickback.PlayerSet, why string) error {
	m.asked = append(m.asked, fmt.Sprintf("kick %v %s", p, why))
	return m.err
}

// What the flags request is done once, when its frame has come; a pause lasts for the given time, from when the match
// stops.
func TestActsAreDoneOnce(t *testing.T) {
	pauseAt, kickAt := tickback.Frame(10), tickback.Frame(12)
	a := acts{pauseAt: &pauseAt, pauseFor: 3, kickAt: &kickAt, kick: 2}
	m, l, now := &ledger{at: 13}, &live.Log{App: &console.App{Stderr: new(bytes.Buffer)}}, time.Unix(100, 0)
	act := func(f tickback.Frame, wait time.Duration, want ...string) {
		t.Helper()
		now = now.Add(wait)
		a.act(m, f, now, time.Second, l)
		if !slices.Equal(m.asked, want) {
			t.Errorf("asked for %v at frame %d, want %v", m.asked, f, want)
		}
	}
	const kick = "kick player 2 as --kick-at says"
	act(9, 0)
	act(10, time.Hour, "pause")
	act(11, time.Hour, "pause")
	act(12, time.Hour, "pause", kick)
	act(13, time.Hour, "pause", kick) // now it stands still
	act(13, 3*time.Second, "pause", kick)
	act(13, time.Nanosecond, "pause", kick, "unpause")
	act(14, time.Hour, "pause", kick, "unpause")
}

// Each press of P pauses the match, or ends the pause; holding it does nothing.
func TestTheKeyPauses(t *testing.T) {
	var errs bytes.Buffer
	a, m, l := acts{}, &ledger{}, &live.Log{App: &console.App{Stderr: &errs}}
	for _, held := range []bool{false, true, true, false, false, true, false} {
		a.key(m, held, l)
	}
	if want := []string{"pause", "unpause"}; !slices.Equal(m.asked, want) {
		t.Errorf("asked for %v, want %v", m.asked, want)
	}
	m.err = errors.New("it has used up its pauses")
	if a.key(m, true, l); errs.String() != "cannot pause: it has used up its pauses\n" {
		t.Errorf("%q", errs.String())
	}
}
