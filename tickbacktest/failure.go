package tickbacktest

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// failure describes what is wrong with a match.
type failure struct {
	frame int // the frame whose step it was; -1 if no match was played
	// what describes the failure: it is the rest of a sentence about the frame, or about the game if there is no
	// frame.
	what string
	// diff lists the differences of two states; first and second are the titles of its two columns.
	diff          canon.Report
	first, second string
	state         rollback.Frame // the number of the state that differs
	notes         []string       // further remarks, one per line
	causes        []string       // likely causes
	broken        bool           // no match was played, so there is nothing to shrink or to replay
}

// kind returns the description of the failure without numbers, which change in shrinking.
func (f *failure) kind() string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, f.what)
}

// like reports whether another failure is of the same kind, and has fields if this one has.
func (f *failure) like(other *failure) bool {
	return f.kind() == other.kind() && (f.diff.Total == 0 || other.diff.Total > 0)
}

// refusal returns the failure for a game that cannot be tested in this way.
func refusal(err error) *failure {
	return &failure{frame: -1, what: err.Error(), broken: true}
}

// note adds a line, unless it is empty.
func (f *failure) note(format string, args ...any) *failure {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
	return f
}

// show adds the differences of the states after the frame.
func (f *failure) show(state rollback.Frame, first, second string, diff canon.Report, err error) *failure {
	f.state, f.first, f.second, f.diff = state, first, second, diff
	switch {
	case err != nil:
		f.note("no fields can be shown: %v", err)
	case diff.Total == 0:
		f.note("no field shows the difference: Hash or Equal sees more of the state than Describe or canon does")
	}
	return f
}

// said adds the differences between what two steps reported.
func (f *failure) said(first, second rollback.StepReport) *failure {
	if first.Effects != second.Effects {
		f.note("the effects of the frame differ")
	}
	if first.Finished != second.Finished || first.Result != second.Result {
		f.note("the frame finished the match differently: %s, then %s", ending(first), ending(second))
	}
	return f
}

func ending(s rollback.StepReport) string {
	if !s.Finished {
		return "not at all"
	}
	return fmt.Sprintf("with result %d", s.Result)
}

// The likely causes of differences, in the order in which to look for them.
var (
	causesOfRepeats = []string{
		"the step ranges over a map, asks the clock or math/rand, or starts goroutines: see docs/determinism.md",
		"the step reads or writes a variable outside of the state, such as one of the package",
		"of an OwnMemory: a field is missing in Save or Restore, or shares memory (a slice, a map, a pointer) with the game",
		"the step uses Tick.Resimulating, or whether a Status is Predicted or Confirmed",
	}
	causesOfSnapshots = []string{
		"Save or Restore leaves a field out",
		"Save stores a slice, a map or a pointer itself, which shares memory with the game, not what it holds",
		"Save adds to what a slot held before: start with slot.List = append(slot.List[:0], list...)",
	}
)
