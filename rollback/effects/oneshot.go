package effects

import (
	"cmp"
	"slices"
)

// After a Flush, every one-shot effect is shown exactly as it was emitted. So only frames simulated since then can
// differ. slot.was has what such a frame emitted before, which is what is shown for it.

// orphan is a one-shot effect that is shown at a frame which no longer emits it.
type orphan struct {
	id      identity
	frame   Frame
	payload payload // the payload last reported
}

// compareShots marks what the frames still emit, and collects the orphans.
func (j *Journal) compareShots() {
	waiting := len(j.orphans)
	for f := j.dirty; f != j.next; f++ {
		if s := j.frames.slot(f); j.begun(f, s) {
			j.compareFrame(f, s)
		}
	}
	found := j.orphans[waiting:]
	j.orphans = j.orphans[:j.adopt(waiting)]
	j.orphans = append(j.orphans, found...)
	if len(j.orphans) > len(found) {
		slices.SortStableFunc(j.orphans, func(a, b orphan) int { return cmp.Compare(a.frame, b.frame) })
	}
}

// compareFrame compares what frame f emits with what is shown for it.
func (j *Journal) compareFrame(f Frame, s *slot) {
	for i := range s.was {
		was := &s.was[i]
		if was.mode != 0 {
			continue
		}
		if now := find(s.now, i, was.id); now != nil {
			now.recognize(&was.payload)
		} else {
			j.orphans = append(j.orphans, orphan{was.id, f, was.payload})
		}
	}
}

// recognize records that an emission is already shown, with the given payload.
func (m *emission) recognize(shown *payload) {
	m.state = reported
	if m.payload != *shown {
		m.state = changed
	}
}

// adopt checks whether any of the first n orphans, which have been waiting, is emitted
// at its own frame again. It returns how many are left.
func (j *Journal) adopt(n int) (left int) {
	for _, o := range j.orphans[:n] {
		if m := j.freshAt(o.frame, o.id); m != nil {
			m.recognize(&o.payload)
			continue
		}
		j.orphans[left] = o
		left++
	}
	return left
}

// freshAt returns the emission of an identity at frame f if it is not shown yet. Below
// dirty all emissions are shown; an f that has wrapped around is below dirty, too.
func (j *Journal) freshAt(f Frame, id identity) *emission {
	if f < j.dirty || f >= j.next {
		return nil
	}
	if m := j.frames.at(f, 0, id); m != nil && m.state == fresh {
		return m
	}
	return nil
}

// matchOrphans gives each orphan the nearest emission that is not shown yet. It cancels an orphan when there is no such
// emission and there can be none any more.
func (j *Journal) matchOrphans() {
	left := j.orphans[:0]
	for i := range j.orphans {
		o := &j.orphans[i]
		if m, f := j.nearest(o); m != nil {
			m.state = reported
			j.report(Moved, o.id, f, &m.payload).From = o.frame
			continue
		}
		if j.newest()-o.frame >= j.tolerance || len(left) == j.most {
			j.report(Cancelled, o.id, o.frame, &o.payload)
			continue
		}
		left = append(left, *o)
	}
	j.orphans = left
}

// nearest finds the emission nearest to an orphan; of two at the same distance it takes the earlier.
func (j *Journal) nearest(o *orphan) (*emission, Frame) {
	for d := Frame(1); d <= j.tolerance; d++ {
		if o.frame >= d {
			if m := j.freshAt(o.frame-d, o.id); m != nil {
				return m, o.frame - d
			}
		}
		if m := j.freshAt(o.frame+d, o.id); m != nil {
			return m, o.frame + d
		}
	}
	return nil, NoFrame
}

// startShots reports new emissions and changed payloads.
func (j *Journal) startShots() {
	for f := j.dirty; f != j.next; f++ {
		s := j.frames.slot(f)
		if !j.begun(f, s) {
			continue
		}
		for i := range s.now {
			m := &s.now[i]
			switch {
			case m.mode != 0 || m.state == reported:
			case m.state == fresh:
				j.reportStart(m, f)
			default:
				m.state = reported
				j.report(Updated, m.id, f, &m.payload)
			}
		}
	}
}

// confirmShots reports the frames that become final. Everything that they emit is shown
// already, except the kinds that wait for this.
func (j *Journal) confirmShots(final Frame) {
	for f := j.final; f != final; f++ {
		s := j.frames.slot(f)
		for i := range s.now {
			m := &s.now[i]
			if m.mode&sustained != 0 {
				continue
			}
			if m.mode&onlyConfirmed != 0 {
				j.reportStart(m, f)
			}
			j.report(Confirmed, m.id, f, &m.payload)
		}
	}
}
