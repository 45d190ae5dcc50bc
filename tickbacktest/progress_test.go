package tickbacktest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// logs is a test that keeps what is logged.
type logs struct {
	testing.TB
	lines []string
}

func (l *logs) Helper() {}

func (l *logs) Logf(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func (l *logs) String() string { return strings.Join(l.lines, "\n") }

// tells fails unless the lines contain all of the parts.
func (l *logs) tells(t testing.TB, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(l.String(), part) {
			t.Errorf("no %q in the log:\n%v", part, l)
		}
	}
}

// Parts of a check that need more functions of the game are left out with a message, and so is a whole check.
func TestSaysWhatIsLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		take func(g *worldGame)
		want []string
	}{
		"Marshal": {
			func(g *worldGame) { g.Marshal, g.Unmarshal = nil, nil },
			[]string{"tickbacktest.Purity leaves out", "Unmarshal brings back", "give Marshal and Unmarshal"},
		},
		"Init and New": {
			func(g *worldGame) { g.Init, g.New = nil, nil },
			[]string{"tickbacktest.Twins is left out", "gives no New", "whether another match begins with the same state: give Init"},
		},
		"Save": {
			func(g *worldGame) { g.Save, g.Restore, g.Equal = nil, nil, nil },
			[]string{"tickbacktest.SyncTest is left out", "gives no Save", "from a snapshot", "give Save and Restore"},
		},
		"Describe": {
			func(g *worldGame) { g.Describe = nil },
			[]string{"whether Hash sees, and Restore brings back, every field: give Describe"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			game := worlds()
			c.take(&game)
			log := &logs{TB: t}
			Check(log, game, Options[pad]{Frames: 40, Longest: 40})
			log.tells(t, c.want...)
		})
	}
	log := &logs{TB: t}
	Check(log, worlds(), Options[pad]{Frames: 40, Longest: 40})
	Check(log, stepped(func(s *counters, k *rollback.Tick[pad]) { s.Value += int64(k.Input(0).Stick) }), Options[pad]{Frames: 40, Longest: 40})
	if len(log.lines) > 0 {
		t.Errorf("games that give everything leave out: %v", log)
	}
}

// ticking returns a clock that advances by a second each time it is read.
func ticking() func() time.Time {
	now := time.Unix(0, 0)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// A check that takes long reports its progress.
func TestALongCheckSaysHowFarItIs(t *testing.T) {
	log := &logs{TB: t}
	c, _ := checkByID[world, pad](checkTwins)
	h := newHunter[world, pad](log, c, worlds())
	h.progress.clock = ticking()
	h.progress.begun = time.Unix(0, 0)
	h.progress.latest, h.progress.explained = h.progress.begun, true
	if text := h.run(Options[pad]{Frames: 20, Longest: 20}); text != "" {
		t.Fatal(text)
	}
	log.tells(t, "tickbacktest.Twins: 5"+matches()+" matches after 5s", "tickbacktest.Twins: 10"+matches()+" matches after 10s")
	if n := strings.Count(log.String(), "matches after"); n != len(log.lines) || n > h.played/4 {
		t.Errorf("%d lines for %d matches:\n%v", n, h.played, log)
	}
}

// Once, it reports where the time goes, if the game could improve that.
func TestALongCheckSaysWhatWouldMakeItFast(t *testing.T) {
	bare := worlds()
	bare.Hash, bare.Describe = nil, nil
	quick := []time.Duration{0, time.Second, 0, 0, 0} // readings of the clock in a frame: begun, stepped, hashed, shown from and to
	for name, c := range map[string]struct {
		game  worldGame
		id    checkID
		looks []time.Duration
		want  string
	}{
		"gives nothing": {
			bare, checkSync,
			[]time.Duration{0, time.Second, 2 * time.Second, 0, 3 * time.Second},
			"5s for each frame, and 1s into its step. It is much faster if the game's OwnMemory gives Hash and Describe",
		},
		"a slow step":      {bare, checkSync, quick, ""},
		"twins":            {bare, checkTwins, []time.Duration{0, time.Second, 2 * time.Second}, "OwnMemory gives Hash"},
		"gives everything": {worlds(), checkSync, []time.Duration{0, time.Second}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			chk, _ := checkByID[world, pad](c.id)
			h := newHunter[world, pad](t, chk, c.game)
			now, n := time.Unix(0, 0), 0
			h.progress.clock = func() time.Time {
				now = now.Add(c.looks[n%len(c.looks)])
				n++
				return now
			}
			if got := h.explain(newMatch[pad](2, 10)); c.want == "" && got != "" || !strings.HasSuffix(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			if n != 10*len(c.looks) {
				t.Errorf("%d looks at the clock in 10 frames, not %d each", n, len(c.looks))
			}
		})
	}
	if got := (cost{time.Second, time.Second, 3 * time.Second}).advice(); !strings.HasSuffix(got, "gives Describe") {
		t.Errorf("%q: the walk for the hash is as fast as the step", got)
	}
	if got := (cost{time.Second, 3 * time.Second, time.Second}).advice(); !strings.HasSuffix(got, "gives Hash") {
		t.Errorf("%q: the text is as fast as the step", got)
	}
}

// Check can be used in a negative control, like the other checks: all that it finds is one text.
func TestFailureWrapsCheck(t *testing.T) {
	calls := int64(0)
	counting := stepped(func(s *counters, _ *rollback.Tick[pad]) { calls++; s.Value = calls })
	text := reports(t, func(t testing.TB) { Check(t, counting, Options[pad]{}) }, "tickbacktest.SyncTest", "tickbacktest.Twins", "tickbacktest.Purity", "Value")
	if strings.Count(text, "to play exactly this again") != 3 {
		t.Errorf("each check shows its match:\n%s", text)
	}
	passes(t, func(t testing.TB) { Check(t, worlds(), Options[pad]{Frames: 40, Longest: 40}) })
}
