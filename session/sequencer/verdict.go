package sequencer

// Verdict says what became of an input that came.
type Verdict uint8

// The verdicts. Of all copies of an input, one is Taken or Late, and the others are Repeated.
const (
	Taken    Verdict = iota // the first copy, before its tick was closed
	Repeated                // a copy came before
	Late                    // the first copy, after its tick was closed
	Stale                   // closed so long ago that it is not known whether a copy came before
	Early                   // for a tick that is too far ahead
	Absent                  // of a player that is not in the match in this tick
	Misfit                  // not as long as inputs are

	verdicts = iota
)

var verdictNames = [verdicts]string{"taken", "repeated", "late", "stale", "early", "absent", "misfit"}

// String names the verdict.
func (v Verdict) String() string {
	if v >= verdicts {
		return "no verdict"
	}
	return verdictNames[v]
}
