package pace

import (
	"slices"
	"time"
)

const (
	// leadWindow is how many inputs a lead is decided by: 20 seconds at 20 ticks a second, and 6.7 from 60 on.
	leadWindow = 400
	// missShare is how many inputs there are to one that may come late: the quantile is 99.5 %.
	missShare = 200
	// leadSlack is how much earlier than needed inputs come.
	leadSlack = 2 * time.Millisecond
	// leadLimit is the part of a period, one in so many, by which it may be changed: 5 %.
	leadLimit = 20
	// A client that is farther ahead of its need than leadFar is at a server that is slower than its tick
	// rate, and slows down by more: by one part in leadShare of the rest, at most leadMost periods. Else it
	// would run into the end of what it may predict, and stand still again and again.
	leadFar, leadShare, leadMost = 100 * time.Millisecond, 4, 4
	// recent is how many inputs in a row must take longer than any before, for a way to
	// have grown.
	recent = 12
)

// Lead decides how far ahead of a server a client plays, so that its inputs come in time, and
// not earlier than needed. The zero value knows nothing yet.
//
// The server reports how early each input came. That depends on how far ahead the client was
// when it made the input, which is its offset: the client knows it. Their difference is what the
// way took, up to a constant, whatever the client has done since. So its own changes do not come
// back to it as news.
//
// An input travels in several datagrams. What counts is the first of them to arrive, so losses
// and reordering are part of the way.
type Lead struct {
	ways   [leadWindow]time.Duration // what the newest inputs took, in a ring
	sorted [leadWindow]time.Duration // the same, ascending
	size   int
	next   int           // where the next one goes
	passed time.Duration // since one that counted, in ticks of inputs
}

// SetRemote takes the margin of an input that the server reports, and the offset at which the input
// was made: the time of its tick, counted in nominal periods, less when it was made. Of more than 60 inputs a second
// 60 count, so that a moment in which the way was long is remembered for as long at any tick rate, and one of a
// few milliseconds is no way that has grown.
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

// follow notices that the way has grown: then its shortest part has, which shows soon and
// clearly, however much it varies. What was learnt before counts as if it had been so much longer.
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

// at returns what the i-th newest input took, from 1 on.
func (l *Lead) at(i int) time.Duration { return l.ways[l.index(i)] }

func (l *Lead) index(i int) int { return (l.next - i + leadWindow) % leadWindow }

// Wants returns the offset at which enough inputs come in time, and false while nothing is known.
func (l *Lead) Wants() (offset time.Duration, known bool) {
	if l.size == 0 {
		return 0, false
	}
	rank := max((l.size+1)/missShare, 1) // from the longest
	return l.sorted[l.size-rank] + leadSlack, true
}

// Period returns the length of the next tick period, for a client that has this offset now.
// One whose inputs come late catches up as fast as it may; one whose inputs come earlier than
// needed falls back gently, unless they come much earlier.
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
