package tickbacktest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Failure runs a check and returns the text that it fails with, or "" if it passes. This does not make the test t fail.
// Use it for negative controls: break a copy of your game on purpose, and prove that your tests notice.
//
//	text := tickbacktest.Failure(t, func(t testing.TB) {
//		tickbacktest.SyncTest(t, brokenGame, options)
//	})
//	if !strings.Contains(text, "State.X") {
//		t.Errorf("the field that is wrong is not named: %q", text)
//	}
//
// The check must use the testing.TB that it gets, in its own goroutine. The texts that it reports with Error, Errorf,
// Fatal and Fatalf are joined by line breaks; FailNow and Fail alone give "failed". Its log goes to t. If it skips, t
// is skipped.
func Failure(t testing.TB, check func(t testing.TB)) string {
	t.Helper()
	w := &failedTest{TB: t}
	done := make(chan struct{})
	go func() { // in another goroutine, because Fatal ends the one in which it is called
		defer close(done)
		check(w)
	}()
	<-done
	if w.skipped {
		t.Skip(w.skip)
	}
	return strings.Join(w.texts, "\n")
}

// failedTest is a test that keeps the texts of its failures.
type failedTest struct {
	testing.TB
	texts   []string
	failed  bool
	skipped bool
	skip    string
}

// Helper does nothing.
func (w *failedTest) Helper() {}

// Error records a failure with a text.
func (w *failedTest) Error(args ...any) {
	w.texts, w.failed = append(w.texts, strings.TrimSuffix(fmt.Sprintln(args...), "\n")), true
}

// Errorf records a failure with a formatted text.
func (w *failedTest) Errorf(format string, args ...any) { w.Error(fmt.Sprintf(format, args...)) }

// Fatal records a failure with a text, and ends the goroutine.
func (w *failedTest) Fatal(args ...any) {
	w.Error(args...)
	runtime.Goexit()
}

// Fatalf records a failure with a formatted text, and ends the goroutine.
func (w *failedTest) Fatalf(format string, args ...any) { w.Fatal(fmt.Sprintf(format, args...)) }

// Fail records a failure.
func (w *failedTest) Fail() {
	if !w.failed {
		w.Error("failed")
	}
}

// FailNow records a failure, and ends the goroutine.
func (w *failedTest) FailNow() {
	w.Fail()
	runtime.Goexit()
}

// Failed reports whether a failure was recorded.
func (w *failedTest) Failed() bool { return w.failed }

// SkipNow skips the test, and ends the goroutine.
func (w *failedTest) SkipNow() {
	w.skipped = true
	runtime.Goexit()
}

// Skip skips the test with a text, and ends the goroutine.
func (w *failedTest) Skip(args ...any) {
	w.skip = strings.TrimSuffix(fmt.Sprintln(args...), "\n")
	w.SkipNow()
}

// Skipf skips the test with a formatted text, and ends the goroutine.
func (w *failedTest) Skipf(format string, args ...any) { w.Skip(fmt.Sprintf(format, args...)) }

// Skipped reports whether the test was skipped.
func (w *failedTest) Skipped() bool { return w.skipped }
