package tickbacktest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/internal/rebuild"
	"github.com/tickback/tickback/rollback"
)

// Comparing builds, and what it finds, is tested with the command that makes the builds, in cmd/cli/internal/strict.

// logged is a test that keeps what is logged.
type logged struct {
	testing.TB
	lines []string
}

func (l *logged) Helper() {}

func (l *logged) Logf(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// Rule: Check leaves out comparisons of what need not be the same in all builds, or cannot be built, and says what
// would enable them.
func TestCheckSaysWhyBuildsAreNotCompared(t *testing.T) {
	t.Setenv(rebuild.Variable, "")
	if err := newBuilds(t, floatGame).expected(true); err == nil || !strings.Contains(err.Error(), "only games with Floats: tickback.Strict") {
		t.Errorf("of a game that is plain: %v", err)
	}
	l := &logged{TB: t}
	Check(l, floatGame, Options[pad]{Frames: 30, Longest: 30})
	if text := strings.Join(l.lines, "\n"); strings.Contains(text, "Builds") {
		t.Errorf("a game that needs no comparison is told of it: %q", text)
	}
	checkTheBuilds(l, rollback.Game[drift, pad]{Floats: rollback.Strict}, Options[pad]{}, true)
	if text := strings.Join(l.lines, "\n"); !strings.Contains(text, "tickbacktest.Builds is left out: ") {
		t.Errorf("a game that needs one is not told: %q", text)
	}
	strict := floatGame
	strict.AllowFloats, strict.Floats = false, rollback.Strict
	err := newBuilds(t, strict).expected(true)
	want := `run it by "go run github.com/tickback/tickback/cmd/tickback test --strict"`
	if testing.Short() {
		want = "-short"
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("of a game of floats: %v", err)
	}
	l.lines = nil
	checkTheBuilds(l, strict, Options[pad]{}, false)
	if text := strings.Join(l.lines, "\n"); !strings.Contains(text, "another check has failed") {
		t.Errorf("of a game that does not agree with itself: %q", text)
	}
	b := &builds[drift, pad]{t: &testing.B{}}
	if err := b.possible(); err == nil || !strings.Contains(err.Error(), "only tests") {
		t.Errorf("in a benchmark: %v", err)
	}
}

// Rule: the calls in one test are counted from 0 in every run of it.
func TestCallsAreCountedInEveryRun(t *testing.T) {
	for range 2 {
		t.Run("run", func(t *testing.T) {
			for want := range 3 {
				if got := callOf(t); got != want {
					t.Errorf("call %d is %d", want, got)
				}
			}
		})
	}
}

// Rule: another build runs exactly one test, with the test's own flags as given here, and not those of the testing package.
func TestArgumentsOfAnotherBuild(t *testing.T) {
	got := argumentsFor("TestX/a_(b|c)/Builds#01", []string{"-test.run=Y", "-test.v=true", "--test.short", "-rapid.checks=7", "-level", "3"})
	want := []string{`-test.run=^TestX$/^a_\(b\|c\)$/^Builds#01$`, "-test.count=1", "-test.timeout=10m0s", "-rapid.checks=7", "-level", "3"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Rule: the first outcome that differs is found, including state 0, and the end of a match.
func TestTheFirstOutcomeThatDiffers(t *testing.T) {
	of := func(hashes ...uint64) (list []outcome) {
		for _, h := range hashes {
			list = append(list, outcome{hash: h})
		}
		return list
	}
	ended := of(1, 2)
	ended[1].Finished = true
	for _, c := range []struct {
		here, there []outcome
		failed      string
		want        string
	}{
		{of(1, 2, 3), of(1, 2, 3), "", "same"},
		{of(1, 2, 3), of(1, 2, 4), "", "1 came out differently"},
		{of(1, 2, 3), of(0, 2, 3), "", "-1 begins differently"},
		{of(1, 2, 3), of(1, 2), "panicked", "1 panicked"},
		{of(1, 2, 3), of(1, 5), "panicked", "0 came out differently"},
		{of(1, 2, 3), nil, "refused", "-1 refused"},
		{of(1, 2), ended, "", "0 came out differently"},
		{of(1, 2), of(1, 2, 3), "", "same"}, // which is refused as no reply
	} {
		got := "same"
		if f := differing(c.here, c.there, c.failed); f != nil {
			got = fmt.Sprint(f.frame, " ", f.what)
		}
		if got != c.want {
			t.Errorf("%v and %v %s: %s, want %s", c.here, c.there, c.failed, got, c.want)
		}
	}
}

// Rule: a reply comes from another process: anything in it is accepted or refused, and nothing panics.
func TestRepliesMayBeAnything(t *testing.T) {
	k := task{Lines: []string{"a", "b"}, Reply: filepath.Join(t.TempDir(), "reply")}
	for text, ok := range map[string]bool{
		`{"Numbers":[[[1,2,1,4]],[]]}`:            true,
		`{"Numbers":[[[1,2,1,4]]],"Failure":"x"}`: true,
		`{"Numbers":[[[1,2,1,4]]]}`:               false,
		`{"Numbers":[[],[],[]],"Failure":"x"}`:    false,
		`{"Numbers":[[[-1]],[]]}`:                 false,
		`{"Numbers":[[1],[]]}`:                    false,
		`{"Failure":"x"}`:                         false,
		`null`:                                    false,
		``:                                        false,
		strings.Repeat("[", 100_000):              false,
	} {
		if err := os.WriteFile(k.Reply, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := k.read(); (err == nil) != ok {
			t.Errorf("%.60s: %v", text, err)
		}
	}
	if err := os.WriteFile(k.Reply, []byte(`{"Numbers":[[]],"Failure":"`+strings.Repeat("\x7fü", mostShownFailure)+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := k.read(); err != nil || len(r.Failure) != mostShownFailure || strings.Contains(r.Failure, "\x7f") {
		t.Errorf("%v", err)
	}
	if d, err := diffTexts([]byte("X: 1\nY: 2\n"), []byte("X: 1\nY: \x1b3\nZ\x00")); err != nil || d.Total == 0 || strings.ContainsAny(d.String(), "\x1b\x00") {
		t.Errorf("%v, %v", d, err)
	}
}

// Rule: in another build that runs a task, all other checks return at once.
func TestNothingElseIsTestedInAnotherBuild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "task")
	if err := os.WriteFile(file, []byte(`{"Test":"TestOther"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(taskVariable, file)
	never := rollback.Game[drift, pad]{Step: func(*drift, *rollback.Tick[pad]) { t.Error("a step is run") }}
	SyncTest(t, never, Options[pad]{})
	Check(t, never, Options[pad]{})
	Check(&logged{TB: t}, never, Options[pad]{})
	Frozen(t, never, Options[pad]{}, 0)
	Match(t, never, 2, "all")
	Builds(t, never, Options[pad]{})
	Lint(t)
}

// Rule: another build plays the requested match, with the outcomes known here, and shows a state.
func TestAnotherBuildReplies(t *testing.T) {
	b := newBuilds(t, floatGame)
	s, err := newSource(Options[pad]{Players: 2, Frames: 20, Longest: 20})
	if err != nil {
		t.Fatal(err)
	}
	b.codec = s.codec
	m := s.made()
	m.check = checkBuilds
	here, f := b.record(m)
	if f != nil || len(here) != 21 {
		t.Fatal(f, len(here))
	}
	dir := t.TempDir()
	state := 20
	for _, show := range []*int{nil, &state} {
		k := task{Test: t.Name(), Lines: []string{b.line(m)}, Show: show, Reply: filepath.Join(dir, "reply")}
		r, err := b.replyTo(k)
		if err != nil || r.Failure != "" {
			t.Fatal(err, r.Failure)
		}
		switch n := r.Numbers; {
		case show == nil && (len(n) != 1 || len(n[0]) != 21 || n[0][20][0] != here[20].hash):
			t.Errorf("%v; here %v", n, here)
		case show != nil && !strings.HasPrefix(string(r.Text), "X: "):
			t.Errorf("no field X in %s", r.Text)
		}
	}
	if _, err := b.replyTo(task{Lines: []string{"tb1.nonsense"}}); err == nil {
		t.Error("a line that is none is taken")
	}
}
