package pace

import (
	"slices"
	"time"
)

const (
	// leadWindow is the number of inputs that determine a lead: 20 seconds at 20 ticks per second, and 6.7 from 60
	// on.
	leadWindow = 400
	// missShare says that one of this many inputs may arrive late: the quantile is 99.5 %.
	missShare = 200
	// leadSlack is how much earlier than necessary inputs arrive.
	leadSlack = 2 * time.Millisecond
	// leadLimit is the divisor of a period that gives the maximum change of its length: 5 %.
	leadLimit = 20
	// If a client is more than leadFar ahead of its need, its server is slower than its tick rate, and the client
	// slows down by more: by the excess divided by leadShare, at most leadMost periods. Otherwise it would reach
	// the limit of what it may predict, and stall again and again.
	leadFar, leadShare, leadMost = 100 * time.Millisecond, 4, 4
	// recent is how many inputs in a row must take longer than any before to show that the path has become longer.
	recent = 12
)

// Lead decides how far ahead of a server a client runs, so that its inputs arrive in time, and not earlier than
// necessary. The zero value knows nothing yet.
//
// The server reports how early each input arrived. That depends on how far ahead the client was when it made the
// input, which is its offset, and known to the client. The difference between the two is the transit time, up to a
// constant, whatever the client has done since. So the client's own adjustments do not influence what it measures.
//
// An input travels in several datagrams. The first of them to arrive counts, so losses and reordering are part of
// the transit time.
type Lead struct {
	ways   [leadWindow]time.Duration // transit times of the newest inputs, in a ring
	sorted [leadWindow]time.Duration // the same times, ascending
	size   int
	next   int           // where the next one goes
	passed time.Duration // time since the last one that counted, in ticks of inputs
}

// SetRemote takes the margin that the server reports for an input, and the offset at which the input was made: the
// time of its tick, counted in nominal periods, minus the time when it was made. At more than 60 inputs per second
// only 60 are used, so that a moment with long transit times is remembered for the same time at any tick rate, and
// a moment of a few milliseconds is not taken for a longer path.
func (l *Lead) SetRemote(nominal, offset, margin time.Duration) {
	if l.size > 0 {
		if l.passed += min(nominal, usual); l.passed < usual {
			return
		}
		l.passed -= usual
	}
	way := offset - min(max(margin, -most), most)
	if l.size == leadWindow {
		l.remove(l.ways[l.next])
	}
	l.ways[l.next] = way
	l.next = (l.next + 1) % leadWindow
	i, _ := slices.BinarySearch(l.sorted[:l.size], way)
	copy(l.sorted[i+1:l.size+1], l.sorted[i:l.size])
	l.sorted[i] = way
	l.size++
	l.follow()
}

func (l *Lead) remove(way time.Duration) {
	i, _ := slices.BinarySearch(l.sorted[:l.size], way)
	copy(l.sorted[i:], l.sorted[i+1:l.size])
	l.size--
}

// follow detects that the path has become longer: then its shortest transit time has become longer as well, which
// shows soon and clearly, however much the times vary. Earlier measurements are raised by the difference.
func (l *Lead) follow() {
	if l.size < 4*recent {
		return
	}
	floor := l.at(1)
	for i := 2; i <= recent; i++ {
		floor = min(floor, l.at(i))
	}
	spread := l.sorted[l.size/2] - l.sorted[0]
	rise := floor - l.sorted[0]
	if rise <= 2*spread+leadSlack {
		return
	}
	for i := recent + 1; i <= l.size; i++ {
		l.ways[l.index(i)] += rise
	}
	copy(l.sorted[:l.size], l.ways[:l.size])
	slices.Sort(l.sorted[:l.size])
}

// at returns the transit time of the i-th newest input, from 1 on.
func (l *Lead) at(i int) time.Duration { return l.ways[l.index(i)] }

func (l *Lead) index(i int) int { return (l.next - i + leadWindow) % leadWindow }

// Wants returns the offset at which enough inputs arrive in time; known is false while nothing is known.
func (l *Lead) Wants() (offset time.Duration, known bool) {
	if l.size == 0 {
		return 0, false
	}
	rank := max((l.size+1)/missShare, 1) // from the longest
	return l.sorted[l.size-rank] + leadSlack, true
}

// Period returns the length of the next tick period, for a client whose offset is offset now. A client whose inputs
// arrive late catches up as fast as allowed; one whose inputs arrive earlier than necessary falls back gently,
// unless they arrive much earlier.
func (l *Lead) Period(nominal, offset time.Duration) time.Duration {
	wants, known := l.Wants()
	if !known {
		return nominal
	}
	change, limit := offset-wants, nominal/leadLimit
	if change <= 0 {
		return nominal + max(change, -limit)
	}
	return nominal + min(change/asLong(share, nominal), limit) + min(max(change-leadFar, 0)/leadShare, leadMost*nominal)
}
