package rollback

// predictFrame predicts the unknown inputs of frame f, and reports whether one has changed. Orders are predicted as
// none. Supposed inputs stay.
//
// Frame f-1 has a player's newest input before f, or a guess made from an older one. So
// repeating the newest input means repeating frame f-1.
func (e *Engine[S, I]) predictFrame(f Frame) (changed bool) {
	row, before := int(f&e.mask)*e.players, int((f-1)&e.mask)*e.players
	for p := range Player(e.players) {
		if e.has(p, f) || e.supposes(p, f) {
			continue
		}
		guess := e.inputs[before+int(p)]
		if e.predict != nil {
			guess = e.guess(p, f)
		}
		if in := &e.inputs[row+int(p)]; *in != guess {
			*in, changed = guess, true
		}
	}
	return changed
}

// predictAgain predicts again for the frames that have run since the first wrong input. It returns the last frame whose
// inputs changed.
func (e *Engine[S, I]) predictAgain(from, end Frame) (last Frame) {
	last = e.latest
	if e.predict != nil {
		for f := from; f != end; f++ {
			if e.predictFrame(f) {
				last = max(last, f)
			}
		}
		return last
	}
	for remote := e.remote; remote != 0; remote &= remote - 1 {
		p := remote.first()
		f := max(from, e.next[Player(p).index()])
		if f >= end {
			continue
		}
		guess := e.inputs[int((f-1)&e.mask)*e.players+int(p)]
		for ; f != end; f++ {
			r := int(f & e.mask)
			in := &e.inputs[r*e.players+int(p)]
			if (e.rows[r].early() | e.rows[r].supposed()).Has(p) {
				guess = *in
			} else if *in != guess {
				*in, last = guess, max(last, f)
			}
		}
	}
	return last
}

// guess calls the game's own predictor.
func (e *Engine[S, I]) guess(p Player, f Frame) I {
	for known := f - 1; known-e.base <= e.mask-1; known-- {
		if e.has(p, known) || e.supposes(p, known) {
			return e.predict(p, f, known, e.inputs[int(known&e.mask)*e.players+int(p)])
		}
	}
	return e.predict(p, f, NoFrame, *new(I))
}
