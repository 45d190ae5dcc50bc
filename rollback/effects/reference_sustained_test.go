package effects

import "slices"

// run returns where the run of frames that emit who at f begins.
func (r *reference) run(f int, who said) int {
	for r.at(f-1, who) >= 0 {
		f--
	}
	return f
}

// horizon is the frame at which a sustained effect is looked at.
func (r *reference) horizon(who said) int {
	if who.is(onlyConfirmed) {
		return r.final - 1
	}
	return len(r.line) - 1
}

func (r *reference) followSounds() {
	var on []*shownSound
	paused := 0
	for _, s := range r.sounds {
		h := r.horizon(s.who)
		i := r.at(h, s.who)
		was, before := s.start, s.who.p
		if i >= 0 {
			s.who.p = r.line[h][i].p
		}
		if !s.confirmed {
			s.start = r.beginning(s, h)
		}
		if s.start != was {
			r.report(Moved, s.who, s.start, was)
		} else if s.who.p != before {
			r.report(Updated, s.who, s.start, s.start)
		}
		silent := h + 1
		for first := max(s.start, r.beforeFinal-r.tolerance-1); silent > first && r.at(silent-1, s.who) < 0; {
			silent--
		}
		over := r.certain || s.who.is(onlyConfirmed) || h-silent+1 > r.tolerance || paused == r.most
		switch {
		case i >= 0:
			on = append(on, s)
		case !over:
			paused++
			on = append(on, s)
		case s.confirmed || r.at(s.start, s.who) >= 0:
			r.report(Ended, s.who, silent, s.start)
		default:
			r.report(Cancelled, s.who, s.start, s.start)
		}
	}
	r.sounds = on
}

// beginning returns where a sound that is not confirmed now begins.
func (r *reference) beginning(s *shownSound, h int) int {
	for f := s.start; f <= min(h, s.start+r.tolerance); f++ {
		if r.at(f, s.who) >= 0 {
			return r.run(f, s.who)
		}
	}
	if r.at(h, s.who) >= 0 {
		return r.run(h, s.who)
	}
	return s.start
}

func (r *reference) startSounds(only bool) {
	h := len(r.line) - 1
	if only {
		h = r.final - 1
	}
	if h < 0 {
		return
	}
	for _, e := range r.line[h] {
		on := slices.ContainsFunc(r.sounds, func(s *shownSound) bool { return s.who.same(e) })
		if on || !e.is(sustained) || e.is(onlyConfirmed) != only {
			continue
		}
		start := r.run(h, e)
		r.report(Started, e, start, start)
		r.sounds = append(r.sounds, &shownSound{who: e, start: start})
	}
}
