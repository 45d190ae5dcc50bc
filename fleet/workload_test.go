package fleet_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
)

// machinist runs a frame in each update, and a frame for what it reads.
type machinist struct{ work fleet.Work }

func (m *machinist) Update(now time.Duration) time.Duration {
	m.frame()
	return now + 50*time.Millisecond
}

func (m *machinist) Worked() fleet.Work { return m.work }

func (m *machinist) frame() { m.work.First, m.work.Shown = m.work.First+1, m.work.Shown+1 }

// Rule: a machine hears nothing until the update that ends its work, and each turn with something new is a picture, even if
// what it reads arrives at the very moment at which its work is done.
func TestWhatArrivesAtTheEndOfWorkTakesNoPicture(t *testing.T) {
	const cost = 25 * time.Millisecond
	l := fleet.NewLabour(fleet.Cost{Frame: cost}, 50*time.Millisecond)
	m := new(machinist)
	var clock fleet.LocalClock
	read := false
	wake := l.Update(m, &clock, time.Millisecond, func() {})
	for range 40 {
		now := wake
		if read = l.Busy(); !read { // as a network delivers before a machine is updated at the same time
			m.frame()
			if until, works := l.Heard(m, &clock, now); works {
				wake = until
				continue
			}
		}
		wake = l.Update(m, &clock, now, func() {
			if read { // what has waited in the socket
				m.frame()
			}
		})
	}
	if l.Pictures < 10 || l.Longest > 6*cost {
		t.Errorf("%d pictures, the longest for %v", l.Pictures, l.Longest)
	}
}

// reader runs frames for what it reads, and always has some more that are due.
type reader struct{ work fleet.Work }

func (r *reader) Update(now time.Duration) time.Duration {
	r.frames(1)
	return now - time.Second
}

func (r *reader) Worked() fleet.Work { return r.work }

func (r *reader) frames(n uint64) { r.work.First, r.work.Shown = r.work.First+n, r.work.Shown+n }

// Rule: frames that a machine runs for what it reads are part of its turn, and do not count as time that its owner
// takes for itself: otherwise it would have time for more frames before its picture.
func TestReadingIsPartOfATurn(t *testing.T) {
	const cost = 50 * time.Millisecond
	l := fleet.NewLabour(fleet.Cost{Frame: cost}, 50*time.Millisecond)
	r := new(reader)
	var clock fleet.LocalClock
	now := time.Second
	for turn := range uint64(20) {
		r.frames(1)
		until, works := l.Heard(r, &clock, now)
		if !works || until != now+cost {
			t.Fatalf("reading takes until %v, works %v", until-now, works)
		}
		for now = until; ; {
			until = l.Update(r, &clock, now, func() {})
			if !l.Busy() {
				break
			}
			now = until
		}
		if l.Pictures != turn+1 || r.work.First != 2*(turn+1) {
			t.Fatalf("turn %d: %d pictures of %d frames", turn, l.Pictures, r.work.First)
		}
		now += time.Millisecond
	}
}

// jumper continues from a received state, so that its figures begin again.
type jumper struct{ work fleet.Work }

func (j *jumper) Update(now time.Duration) time.Duration {
	j.work = fleet.Work{First: 2, Again: 1, Shown: j.work.Shown + 1}
	return now
}

func (j *jumper) Worked() fleet.Work { return j.work }

// Rule: frames after a state from which a machine continues take time as well.
func TestFramesAfterAJumpTakeTime(t *testing.T) {
	l := fleet.NewLabour(fleet.Cost{Frame: time.Millisecond, Again: 10 * time.Millisecond}, 50*time.Millisecond)
	j := &jumper{work: fleet.Work{First: 100, Again: 50}}
	var clock fleet.LocalClock
	if _, works := l.Heard(j, &clock, 0); !works {
		t.Fatal("it has not worked")
	}
	if until := l.Update(j, &clock, time.Minute, func() {}); until != time.Minute+12*time.Millisecond {
		t.Errorf("it works for %v", until-time.Minute)
	}
}
