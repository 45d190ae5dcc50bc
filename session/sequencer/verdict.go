package sequencer

// Verdict says how a copy of an input was classified.
type Verdict uint8

// The verdicts. Of all copies of an input, one is Taken or Late, and the others are Repeated.
const (
	Taken    Verdict = iota // the first copy, before its tick was closed
	Repeated                // another copy arrived before
	Late                    // the first copy, after its tick was closed
	Stale                   // closed so long ago that it is unknown whether another copy arrived before
	Early                   // for a tick that is too far ahead
	Absent                  // it is of a player that is not in the match at this tick
	Misfit                  // its length is wrong

	verdicts = iota
)

var verdictNames = [verdicts]string{"taken", "repeated", "late", "stale", "early", "absent", "misfit"}

// String returns the name of the verdict.
func (v Verdict) String() string {
	if v >= verdicts {
		return "no verdict"
	}
	return verdictNames[v]
}
