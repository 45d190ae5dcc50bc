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

// Rule: a machine hears nothing until the update that ends its work, and each turn with something new is a picture, also if
// what it reads comes at the very moment at which its work is done.
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
			if until, works := l.Heard(m, now); works {
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
