package replay

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// PanicError is a panic of the game.
type PanicError struct {
	Value any    // the value it panicked with
	Site  string // where in the source, such as file.go:12
}

// Error gives the value of the panic, and where it occurred.
func (e *PanicError) Error() string {
	return fmt.Sprintf("the game panicked: %v (%s)", e.Value, e.Site)
}

// Survive calls work and turns a panic, such as that of a game given the frames of a file, into a [*PanicError].
func Survive(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{p, panicSite()}
		}
	}()
	return work()
}

// surviveFrames is like Survive, for work that runs frames: the error names the frame in which the game panicked,
// which is the next one of the simulation.
func surviveFrames(sim Sim, work func() error) error {
	err := Survive(work)
	var panicked *PanicError
	if errors.As(err, &panicked) {
		return fmt.Errorf("frame %d: %w", sim.State(), err)
	}
	return err
}

// panicSite returns the place in the source where the panic being recovered occurred.
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
