package netplay

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/contest"
)

var t0 = time.Unix(1000, 0)

// Rule: the host moves to the first seat; it begins the next round of a duel by itself, but another match only if it
// was told how many players that takes.
func TestWhatTheHostBegins(t *testing.T) {
	for name, c := range map[string]struct {
		lead lead
		want order
	}{
		"a first seat that is free":     {lead{seat: 1, firstFree: true, sit: 1}, firstSeat},
		"its own":                       {lead{seat: 0, firstFree: true, sit: 2, all: true, start: 2}, begin},
		"nobody to play with":           {lead{sit: 1, all: true, start: 1}, nothing},
		"one that is not connected":     {lead{sit: 2, start: 2, round: true, since: time.Hour}, nothing},
		"no order to begin":             {lead{sit: 2, all: true, since: time.Hour}, nothing},
		"too few":                       {lead{sit: 2, all: true, start: 3, since: time.Hour}, nothing},
		"enough":                        {lead{sit: 3, all: true, start: 3}, begin},
		"enough, after a match":         {lead{sit: 3, all: true, start: 3, shown: true, since: betweenMatches - 1}, nothing},
		"a while after a match":         {lead{sit: 3, all: true, start: 3, shown: true, since: betweenMatches}, begin},
		"right after a round":           {lead{sit: 2, all: true, round: true, since: betweenRounds - 1}, nothing},
		"the next round, without order": {lead{sit: 2, all: true, round: true, shown: true, since: betweenRounds}, begin},
	} {
		if got := c.lead.decide(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// Rule: we join a match that the room begins with us, or that we want to join; attempts that fail have a limit, which
// a match that comes to its end lifts; and without a match in the room nothing is left of it.
func TestTheWayIntoAMatch(t *testing.T) {
	var e entry
	if !e.due(t0, true, 1) || e.due(t0, false, 1) {
		t.Error("a match that begins is joined, and one that runs is not")
	}
	e.later(t0.Add(time.Second))
	if e.due(t0, true, 1) || !e.due(t0.Add(time.Second), true, 1) {
		t.Error("it does not wait for a second")
	}
	e.join()
	if !e.due(t0.Add(time.Second), false, 1) || e.due(t0.Add(time.Second), false, 0) {
		t.Error("what is wanted is a match that the room has")
	}
	n := 0
	for ; e.failed(t0); n++ {
		if e.due(t0, true, 1) {
			t.Fatal("it tries again at once")
		}
	}
	if n != maxTries {
		t.Errorf("%d attempts", n)
	}
	if e.ended(); !e.failed(t0) {
		t.Error("no attempt is left after a match")
	}
	if e.joined(); e.again {
		t.Error("it wants to join what it has joined")
	}
	e.join()
	if e.rest(1); !e.again {
		t.Error("a match in the room is forgotten")
	}
	if e.rest(0); e != (entry{}) {
		t.Errorf("%+v is left", e)
	}
}

// Rule: who wants to play asks for a seat, not all the time, and not right after swapping seats.
func TestWhenASeatIsAskedFor(t *testing.T) {
	var s seating
	if s.asks(t0, false) || !s.asks(t0, true) || s.asks(t0.Add(time.Second), true) || !s.asks(t0.Add(2*time.Second), true) {
		t.Error("a seat is not asked for when it is free, each two seconds")
	}
	s = seating{}
	if s.swap(t0); s.asks(t0, true) || !s.asks(t0.Add(time.Second), true) {
		t.Error("after a swap it does not wait for a second")
	}
	if s.watch(); s.asks(t0.Add(time.Hour), true) {
		t.Error("who watches asks for a seat")
	}
	if s.play(); !s.asks(t0.Add(time.Hour), true) {
		t.Error("who wants to play again does not")
	}
}

// Rule: a kick is sent at its time, and again until the member has left, but at least once; who may not kick any more
// sends nothing.
func TestKicksAreRepeated(t *testing.T) {
	var k kicks
	here := true
	due := func(after time.Duration, may bool) []uint32 {
		return k.due(t0.Add(after), may, func(uint32) bool { return here })
	}
	k.add(7, t0.Add(leaveTime))
	if due(0, true) != nil || !k.has(7) || k.has(8) || !slices.Equal(k.all(), []uint32{7}) {
		t.Errorf("at first: %+v", k)
	}
	here = false // it has left the room by itself, and must not come back
	if got := due(leaveTime, true); !slices.Equal(got, []uint32{7}) {
		t.Errorf("sent are %v", got)
	}
	here = true
	if got := due(leaveTime+time.Second, true); got != nil {
		t.Errorf("repeated early: %v", got)
	}
	if got := due(leaveTime+repeatTime, true); !slices.Equal(got, []uint32{7}) {
		t.Errorf("repeated are %v", got)
	}
	here = false
	if got := due(time.Hour, true); got != nil || k.has(7) {
		t.Errorf("after it has left: %v", got)
	}
	k.add(8, t0)
	if here = true; due(0, false) != nil || k.has(8) {
		t.Error("who may not kick does")
	}
}

// Rule: players who have left are known until they are back; what we have chosen about them is forgotten with the last.
func TestWhoHasLeft(t *testing.T) {
	var o others
	mine, other := tickback.SetOf(0), tickback.SetOf(1)
	if o.alone(mine) || !o.heard(tickback.Left, mine|other, mine) || o.absent != other || !o.alone(mine) || o.alone(0) {
		t.Errorf("one has left: %+v", o)
	}
	if o.claim() || !o.claim() {
		t.Error("the win is not claimed with the second press")
	}
	if o.wait(); !o.waits {
		t.Error("we do not wait")
	}
	if o.choose(); o.waits || o.sure {
		t.Error("we cannot choose again")
	}
	if !o.fights(t0) || !o.fights(t0.Add(fightOn-1)) || o.fights(t0.Add(fightOn)) {
		t.Error("the keys do not control the fight for a moment")
	}
	o.wait()
	if o.heard(tickback.Restarted, other, mine) || o.restarted != other {
		t.Errorf("a game was started again: %+v", o)
	}
	if o.heard(tickback.Joined, other, mine) || o != (others{}) {
		t.Errorf("after it is back: %+v", o)
	}
}

// played is a match that does what a test says.
type played struct {
	bout
	runs, over     bool
	left, silenced int
	health         tickback.Health
}

func (b *played) running() bool { return b.runs }
func (b *played) outcome() (tickback.Outcome, bool) {
	return tickback.Outcome{}, b.over
}
func (b *played) result() uint64 { return 1 }
func (b *played) player() player { return nil }
func (b *played) stats() tickback.Stats {
	return tickback.Stats{Health: b.health}
}
func (b *played) retire() func() error { return func() error { b.left++; return nil } }
func (b *played) silence()             { b.silenced++ }

// Rule: a match is undecided until it is over, counts then, is left once, and leaves its last picture until it is
// dropped.
func TestTheMatchThatIsShown(t *testing.T) {
	var c current
	if c.live() || c.undecided() || c.over() || c.player() != nil || c.commander() != nil {
		t.Error("there is a match already")
	}
	b := &played{}
	c.open(b, contest.Score{Round: 1})
	if !c.undecided() || c.runs() || c.end(t0) || c.standing().Round != 1 {
		t.Error("at first it is not undecided, or runs, or is over")
	}
	b.runs = true
	if !c.runs() {
		t.Error("it does not run")
	}
	b.runs, b.over = false, true
	if !c.runs() || !c.end(t0) || c.end(t0.Add(1)) || c.undecided() || !c.live() || c.standing().Round != 2 {
		t.Errorf("after its end: %+v", c)
	}
	if c.reported(t0) || !c.reported(t0.Add(patience)) {
		t.Error("a report is not waited for")
	}
	c.retire()
	c.retire()
	<-c.closing.Done()
	if b.left != 1 || c.live() || !c.over() || b.silenced != 0 {
		t.Errorf("left %d times, silenced %d: %+v", b.left, b.silenced, c)
	}
	c.drop()
	<-c.closing.Done()
	if c.bout != nil || b.left != 1 || b.silenced != 1 || c.over() || c.standing().Round != 1 {
		t.Errorf("dropped: %+v", c)
	}
	c.series = 9
	if c.open(&played{}, contest.Score{}); !c.undecided() || c.series != 9 || c.begun {
		t.Errorf("the next one: %+v", c)
	}
}

// Rule: the rounds of a duel are recorded as one series.
func TestRoundsAreOneSeries(t *testing.T) {
	var c current
	a, room := app.New(app.Options{}), &roomInfo{kind: kindOf(duelID)}
	first := c.about(a, room)
	room.terms.Round = 1
	second := c.about(a, room)
	room.terms.Round = 0
	other := c.about(a, room)
	if first.Series == 0 || second.Series != first.Series || other.Series == first.Series || first.Round != 1 || second.Round != 2 {
		t.Errorf("%+v, %+v, %+v", first, second, other)
	}
	room.kind = kindOf(arenaID)
	if got := c.about(a, room); got.Series != 0 {
		t.Errorf("a match in the arena: %+v", got)
	}
}
