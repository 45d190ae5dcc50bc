package tickbacktest

import (
	"strings"
	"testing"
)

// Failure returns the text that a check fails with, however it fails; the test continues.
func TestFailureIsTheTextOfACheck(t *testing.T) {
	for name, c := range map[string]struct {
		check func(t testing.TB)
		want  string
	}{
		"passes":       {func(t testing.TB) { t.Helper(); t.Cleanup(func() {}) }, ""},
		"error":        {func(t testing.TB) { t.Error("frame", 3) }, "frame 3"},
		"errors":       {func(t testing.TB) { t.Errorf("frame %d", 3); t.Error("field X") }, "frame 3\nfield X"},
		"fatal":        {func(t testing.TB) { t.Fatal("frame", 3); t.Error("goes on") }, "frame 3"},
		"formatted":    {func(t testing.TB) { t.Fatalf("frame %d", 3); t.Error("goes on") }, "frame 3"},
		"fail":         {func(t testing.TB) { t.Fail(); t.Fail() }, "failed"},
		"fail now":     {func(t testing.TB) { t.FailNow(); t.Error("goes on") }, "failed"},
		"said already": {func(t testing.TB) { t.Error("frame 3"); t.FailNow() }, "frame 3"},
		"asks":         {func(t testing.TB) { t.Error(t.Failed()); t.Error(t.Failed(), t.Skipped()) }, "false\ntrue false"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Failure(t, c.check); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A check that skips also skips the test that runs it, so that it is not mistaken for one that passed.
func TestFailureSkipsWithTheCheck(t *testing.T) {
	for name, check := range map[string]func(t testing.TB){
		"says why":  func(t testing.TB) { t.Skip("no", "network") },
		"formatted": func(t testing.TB) { t.Skipf("no %s", "network") },
	} {
		outer := &failedTest{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			Failure(outer, check)
			t.Errorf("%s: the test goes on", name)
		}()
		<-done
		if !outer.Skipped() || outer.skip != "no network" {
			t.Errorf("%s: skipped %v: %q", name, outer.Skipped(), outer.skip)
		}
	}
}

// reports fails unless the helper fails with a text that has all of these.
func reports(t testing.TB, helper func(t testing.TB), parts ...string) string {
	t.Helper()
	text := Failure(t, helper)
	if text == "" {
		t.Fatal("the helper has found nothing")
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in the report:\n%s", part, text)
		}
	}
	return text
}

// passes fails if the helper does.
func passes(t testing.TB, helper func(t testing.TB)) {
	t.Helper()
	if text := Failure(t, helper); text != "" {
		t.Error(text)
	}
}
