package tickbacktest

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// A slow check logs its progress, and once also what takes the time. This is the only use of the clock in a search,
// and it does not influence which matches are played.

// sayEvery is the interval at which a check reports its progress.
const sayEvery = 5 * time.Second

// progress measures how long a check has been running.
type progress struct {
	t             testing.TB
	clock         func() time.Time
	begun, latest time.Time // when it began, and when the latest line was logged
	explained     bool
}

func newProgress(t testing.TB) progress {
	p := progress{t: t, clock: time.Now}
	p.begun = p.clock()
	p.latest = p.begun
	return p
}

// due reports whether it is time for another line.
func (p *progress) due() bool {
	if p.t == nil { // a match is being replayed
		return false
	}
	now := p.clock()
	if now.Sub(p.latest) < sayEvery {
		return false
	}
	p.latest = now
	return true
}

// matches returns the number of matches that rapid draws for a check, as text.
func matches() string {
	f := flag.Lookup("rapid.checks")
	if f == nil {
		return ""
	}
	g, ok := f.Value.(flag.Getter)
	if !ok {
		return ""
	}
	n, ok := g.Get().(int)
	if !ok {
		return ""
	}
	if testing.Short() {
		n = max(n/shortShare, 1)
	}
	return fmt.Sprintf(" of %d", n)
}

// shortShare is the number by which -short divides the number of matches, as in rapid.
const shortShare = 5

// tell reports the progress of the check, if it takes long. m is the match played last.
func (h *hunter[S, I]) tell(m *match[I]) {
	p := &h.progress
	if !p.due() {
		return
	}
	p.t.Helper()
	took := p.latest.Sub(p.begun).Round(time.Second)
	p.t.Logf("tickbacktest.%s: %d%s matches after %v", h.name, h.played+1, matches(), took)
	if p.explained {
		return
	}
	p.explained = true
	if text := h.explain(m); text != "" {
		p.t.Logf("tickbacktest.%s: %s", h.name, text)
	}
}

// costFrames is the number of frames that are measured.
const costFrames = 60

// cost is the average time of a frame: of its step, and of walking the state for its hash and its text.
type cost struct{ step, hash, show time.Duration }

// explain measures some frames of a match. If most of the time is spent on walking memory by reflection, it says which
// functions of the game would make the match fast.
func (h *hunter[S, I]) explain(m *match[I]) string {
	var c cost
	var scratch probe // a panic here does not count as a failure
	if f := scratch.guard(func() *failure { c = h.measure(m); return nil }); f != nil {
		return ""
	}
	return c.advice()
}

// measure plays the first frames of a match in a sandbox. It measures walks only if they are used: a game with Hash is
// not walked for it, and descriptions are for snapshots.
func (h *hunter[S, I]) measure(m *match[I]) (c cost) {
	can := rollback.CapabilitiesOf(h.game)
	saved, _ := savedInPlace(h.game)
	shows := can.Save && h.id != checkTwins && newViewer[S](h.game).blind() && !saved
	box, err := rollback.NewSandbox(h.game, m.players, 0)
	if err != nil {
		return cost{}
	}
	frames := min(costFrames, m.frames())
	for f := range frames {
		begun := h.progress.clock()
		if _, err := box.Step(m.frame(f)); err != nil {
			return cost{}
		}
		stepped := h.progress.clock()
		c.step += stepped.Sub(begun)
		if !can.Hash {
			_, _ = box.Hash()
			c.hash += h.progress.clock().Sub(stepped)
		}
		if shows {
			hashed := h.progress.clock()
			_, _ = canon.AppendTextAny(nil, box.Live())
			c.show += h.progress.clock().Sub(hashed)
		}
	}
	n := time.Duration(frames)
	return cost{c.step / n, c.hash / n, c.show / n}
}

// advice says which functions the game should provide, if walks take longer than its step.
func (c cost) advice() string {
	var give []string
	if c.hash > c.step {
		give = append(give, "Hash")
	}
	if c.show > c.step {
		give = append(give, "Describe")
	}
	if len(give) == 0 {
		return ""
	}
	return fmt.Sprintf("most of the time goes into walking the memory of the game by reflection: %v for each frame, and %v into its step. "+
		"It is much faster if the game's OwnMemory gives %s", c.hash+c.show, c.step, strings.Join(give, " and "))
}
