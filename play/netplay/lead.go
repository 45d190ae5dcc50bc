package netplay

import "time"

const (
	// betweenRounds is the time after which the host begins the next round of a match. betweenMatches is the
	// same for the next match, if matches begin automatically.
	betweenRounds  = 3400 * time.Millisecond
	betweenMatches = 4500 * time.Millisecond
)

// order is what the host asks the room for.
type order uint8

const (
	nothing   order = iota
	firstSeat       // to move to the first seat, which a match needs
	begin           // to begin a match
)

// lead is all that the host's part depends on, while no match is running.
type lead struct {
	seat      int  // ours
	firstFree bool // nobody has the first seat
	sit       int  // members with a seat
	all       bool // all of them are connected
	round     bool // a duel has another round
	start     int  // as in Config
	shown     bool // the last match is shown
	since     time.Duration
}

// decide returns what is to be done now: the next round of a duel, and matches that begin automatically.
func (l *lead) decide() order {
	wait := time.Duration(0)
	switch {
	case l.seat > 0 && l.firstFree:
		return firstSeat
	case l.sit < 2 || !l.all:
		return nothing
	case l.round:
		wait = betweenRounds
	case l.start == 0 || l.sit < l.start:
		return nothing
	case l.shown:
		wait = betweenMatches
	}
	if l.since < wait {
		return nothing
	}
	return begin
}
