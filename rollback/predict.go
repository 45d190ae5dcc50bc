package rollback

// predictFrame predicts the unknown inputs of frame f, and reports whether one has changed. Orders are predicted as
// none. Supposed inputs stay.
//
// Frame f-1 has a player's newest input before f, or a guess made from an older one. So
// repeating the newest input means repeating frame f-1.
func (n *inputs[I]) predictFrame(f Frame) (changed bool) {
	r := &n.ring
	row := r.row(f)
	given := row.early() | row.supposed()
	for p := range Player(r.players) {
		if f < n.next[p.index()] || given.Has(p) {
			continue
		}
		guess := *r.input(p, f-1)
		if n.predict != nil {
			guess = n.guess(p, f)
		}
		if in := r.input(p, f); *in != guess {
			*in, changed = guess, true
		}
	}
	return changed
}

// predictAgain repeats the predictions for the frames that have run since the first outdated one. It returns that
// frame, and the last one whose inputs changed. Then no frame counts as outdated.
func (n *inputs[I]) predictAgain() (first, last Frame) {
	first, last = n.outdated.take()
	end, r := n.frame, &n.ring
	if n.predict != nil {
		for f := first; f != end; f++ {
			if n.predictFrame(f) {
				last = max(last, f)
			}
		}
		return first, last
	}
	for remote := n.remote; remote != 0; remote &= remote - 1 {
		p := remote.first()
		f := max(first, n.next[p.index()])
		if f >= end {
			continue
		}
		guess := *r.input(p, f-1)
		for ; f != end; f++ {
			in, row := r.input(p, f), r.row(f)
			if (row.early() | row.supposed()).Has(p) {
				guess = *in
			} else if *in != guess {
				*in, last = guess, max(last, f)
			}
		}
	}
	return first, last
}

// guess calls the game's own predictor.
func (n *inputs[I]) guess(p Player, f Frame) I {
	for known := f - 1; n.ring.holds(known); known-- {
		if n.has(p, known) || n.supposes(p, known) {
			return n.predict(p, f, known, *n.ring.input(p, known))
		}
	}
	return n.predict(p, f, NoFrame, *new(I))
}
