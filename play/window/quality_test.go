package window

import "testing"

// seconds simulates pictures at a rate for this long, in whole counting intervals.
func (q *quality) seconds(n float32, rate int) {
	q.look(9) // hidden: the count so far is dropped
	for range int(n*float32(rate)) + 1 {
		q.look(1 / float32(rate))
	}
	q.look(9)
}

func TestSlowPicturesGetCoarser(t *testing.T) {
	var q quality
	q.seconds(30, 60)
	if q.step != 0 {
		t.Errorf("at 60 a second it is step %d", q.step)
	}
	q.seconds(watch, 20)
	if q.step != 1 {
		t.Errorf("after a slow second and a half it is step %d", q.step)
	}
	q.seconds(60, 10)
	if q.scale() != qualities[len(qualities)-1] {
		t.Errorf("after a slow minute it is step %d", q.step)
	}
}

// After a short slowdown the higher resolution returns; if it is always too slow, it is tried less and less often.
func TestAFinerStepIsTriedAgain(t *testing.T) {
	var q quality
	tries := 0
	for range 20 {
		q.seconds(watch, 20) // slow whenever it is fine
		for range 40 {
			if q.seconds(watch, 60); q.step == 0 {
				tries++
				break
			}
		}
	}
	if tries < 2 || tries > 4 {
		t.Errorf("a finer step was tried %d times in twenty minutes", tries)
	}
	q = quality{step: 2}
	q.seconds(60, 60)
	if q.step != 0 {
		t.Errorf("after a quick minute it is step %d", q.step)
	}
}
