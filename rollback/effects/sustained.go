package effects

// sound is a sustained effect that is on, whether it is heard or seen.
type sound struct {
	id        identity
	start     Frame // as last reported
	begun     bool  // the frame in start emits the effect
	confirmed bool  // the start is final, and was reported as such
	mode      mode
	payload   payload // as last reported
}

// extendRuns updates, for every sustained effect in the frames that may have changed, where its run of frames begins.
// It includes frames that were not simulated again, since the frame before them may have changed.
func (j *Journal) extendRuns() {
	for f := j.dirty; f != j.next; f++ {
		list := j.frames.slot(f).now
		for i := range list {
			m := &list[i]
			if m.mode&sustained == 0 {
				continue
			}
			m.since = f
			if f > 0 {
				if before := j.frames.at(f-1, i, m.id); before != nil {
					m.since = before.since
				}
			}
		}
	}
}

// horizon returns the end of the frames by which an effect is judged, exclusive: one after the newest frame, or one
// after the newest final one.
func (j *Journal) horizon(m mode, final Frame) Frame {
	if m&onlyConfirmed != 0 {
		return final
	}
	return j.next
}

// followSounds reports the changes of the sounds that are on.
func (j *Journal) followSounds(certain bool, final Frame) {
	on, paused := j.sounds[:0], 0
	for i := range j.sounds {
		s := j.sounds[i]
		end := j.horizon(s.mode, final)
		m := j.frames.at(end-1, i, s.id)
		start := s.start
		if !s.confirmed {
			start, s.begun = j.startOf(&s, m, end)
		}
		if m != nil {
			j.goOn(&s, m, start)
			on = append(on, s)
			continue
		}
		if start != s.start {
			j.move(&s, start)
		}
		from := j.silence(&s, end)
		if certain || s.mode&onlyConfirmed != 0 || end-from > j.tolerance || paused == j.most {
			j.end(&s, from)
			continue
		}
		paused++
		on = append(on, s)
	}
	j.sounds = on
}

// startOf returns where a sound begins now, and whether it is emitted there.
// m is its emission at the horizon, end-1, or nil. Beginnings in frames that are no
// longer kept are not found: sounds that were emitted there are confirmed.
func (j *Journal) startOf(s *sound, m *emission, end Frame) (start Frame, begun bool) {
	if there := j.frames.at(s.start, 0, s.id); there != nil {
		return there.since, true
	}
	for d := Frame(1); d <= j.tolerance && d < end-s.start; d++ {
		if j.frames.at(s.start+d, 0, s.id) != nil {
			return s.start + d, true
		}
	}
	if m != nil {
		return m.since, true
	}
	return s.start, false
}

// goOn reports changes of a sound that is still emitted; m is its emission.
func (j *Journal) goOn(s *sound, m *emission, start Frame) {
	m.state = reported
	differs := s.payload != m.payload
	s.payload = m.payload
	if start != s.start {
		j.move(s, start) // this also reports the new payload
	} else if differs {
		j.report(Updated, s.id, s.start, &s.payload)
	}
}

// move reports that a sound begins at another frame.
func (j *Journal) move(s *sound, start Frame) {
	j.report(Moved, s.id, start, &s.payload).From = s.start
	s.start = start
}

// silence returns the first silent frame of a sound that is not emitted at the
// horizon, end-1. It does not look before the sound's start or the oldest frame kept.
func (j *Journal) silence(s *sound, end Frame) Frame {
	first := max(s.start, j.frames.low)
	for f := end - 1; f > first; f-- {
		if j.frames.at(f-1, 0, s.id) != nil {
			return f
		}
	}
	return first
}

// end reports that a sound is over, or that it never happened.
func (j *Journal) end(s *sound, silent Frame) {
	if s.begun {
		j.report(Ended, s.id, silent, &s.payload).From = s.start
		return
	}
	j.report(Cancelled, s.id, s.start, &s.payload)
}

// startSounds reports the sustained effects that are emitted at their horizon and are not on yet: first those judged at
// the newest frame, then those that wait for final frames.
func (j *Journal) startSounds(final Frame) {
	j.startSoundsAt(j.next, sustained)
	j.startSoundsAt(final, sustained|onlyConfirmed)
}

func (j *Journal) startSoundsAt(end Frame, m mode) {
	if end == j.frames.low {
		return // there is no such frame yet
	}
	list := j.frames.slot(end - 1).now
	for i := range list {
		e := &list[i]
		if e.mode != m || e.state != fresh {
			continue
		}
		j.reportStart(e, e.since)
		j.sounds = append(j.sounds, sound{id: e.id, start: e.since, begun: true, mode: m, payload: e.payload})
	}
}

// confirmSounds reports the starts that are final.
func (j *Journal) confirmSounds(final Frame) {
	for i := range j.sounds {
		s := &j.sounds[i]
		if !s.confirmed && s.begun && s.start < final {
			s.confirmed = true
			j.report(Confirmed, s.id, s.start, &s.payload)
		}
	}
}
