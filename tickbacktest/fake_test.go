package tickbacktest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// fake is a test that records how it failed.
type fake struct {
	testing.TB
	text string
}

func (f *fake) Fatal(args ...any) {
	f.text = fmt.Sprintln(args...)
	runtime.Goexit()
}
func (f *fake) Fatalf(format string, args ...any) { f.Fatal(fmt.Sprintf(format, args...)) }

// outcomeOf runs a helper on a fake test, and returns what it failed with.
func outcomeOf(t testing.TB, helper func(t testing.TB)) string {
	t.Helper()
	f := &fake{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		helper(f)
	}()
	<-done
	return f.text
}

// reports fails unless the helper fails with a text that has all of these.
func reports(t testing.TB, helper func(t testing.TB), parts ...string) string {
	t.Helper()
	text := outcomeOf(t, helper)
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
	if text := outcomeOf(t, helper); text != "" {
		t.Error(text)
	}
}
