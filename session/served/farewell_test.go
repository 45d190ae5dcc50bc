package served

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// Rule: a client that has left is done as soon as the server has confirmed it, which takes a round trip, and
// otherwise after a second.
func TestAClientThatHasLeftIsDone(t *testing.T) {
	for _, heard := range []bool{true, false} {
		f := newFixture(t)
		f.other.Leave("")
		if f.other.Done() || f.other.Phase() != session.Over {
			t.Errorf("it has just left, is %v, and done", f.other.Phase())
		}
		left := f.other.now
		for !f.other.Done() && f.other.now < left+time.Minute {
			if heard {
				f.run(time.Millisecond)
				continue
			}
			f.now += time.Millisecond
			f.other.Update(f.now)
		}
		if n := f.other.Stats(nil).Strangers; n != 0 {
			t.Errorf("what the server says to it is counted %d times as a stranger's", n)
		}
		took := f.other.now - left
		if heard && took > 50*time.Millisecond || !heard && took != farewell {
			t.Errorf("it takes %v; the server hears it: %v", took, heard)
		}
	}
}

// Rule: a client that has left repeats its goodbye until the farewell is over, and not after. An owner that
// calls it when it asks for that makes it send the same at the same times as one that calls it all the time,
// and learns when it is done.
func TestAFarewellIsRepeatedWhenDue(t *testing.T) {
	var sent [2][]time.Duration // by an owner that calls in every millisecond, and by one that calls when due
	for who := range sent {
		f := newFixture(t)
		f.other.Leave("")
		left := f.now - time.Millisecond // when it was called last
		for range f.other.Outgoing() {
			sent[who] = append(sent[who], 0)
		}
		now, calls := f.now, 0
		for now < left+3*time.Second {
			next := f.other.Update(now)
			for to := range f.other.Outgoing() {
				if to != serverAddr {
					t.Errorf("something is sent to %v", to)
				}
				sent[who] = append(sent[who], now-left)
			}
			calls++
			switch done := now >= left+farewell; {
			case done != f.other.Done():
				t.Fatalf("after %v it is done: %v", now-left, f.other.Done())
			case done && next != now+time.Second:
				t.Fatalf("after %v it is done, and wants to be called in %v", now-left, next-now)
			case !done && (next < now || next > left+farewell):
				t.Fatalf("after %v it wants to be called after %v", now-left, next-left)
			}
			if now += time.Millisecond; who == 1 {
				now = max(now, next)
			}
		}
		if who == 1 && calls > 40 {
			t.Errorf("it wants to be called %d times", calls)
		}
	}
	same := slices.EqualFunc(sent[0], sent[1], func(a, b time.Duration) bool { return a >= b && a-b < 10*time.Millisecond }) // which whole milliseconds add up to
	if !same {
		t.Errorf("who is told when sends after %v, who calls all the time after %v", sent[1], sent[0])
	}
	if n := len(sent[0]); n < 3 || sent[0][n-1] < farewell/2 || sent[0][n-1] >= farewell {
		t.Errorf("it is repeated after %v", sent[0])
	}
}
