package cli

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// survive turns a panic of the game into an error that says where it was.
func survive(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the game panicked: %v (%s)", p, panicSite())
		}
	}()
	return work()
}

// panicSite is the place in the source from which the panic being recovered came.
func panicSite() string {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers[:])])
	panicking := false
	for {
		f, more := frames.Next()
		ofRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicking && !ofRuntime {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		panicking = panicking || ofRuntime && f.Function == "runtime.gopanic"
		if !more {
			return "unknown place"
		}
	}
}
