package effects

// Flush returns the changes of effects since the last Flush; usually there are none. Call it at the end of each tick.
// All inputs of the frames below confirmed are known; the frames below agreed are final, and every peer agrees on them.
// Both may be beyond the newest frame; they must not fall back behind it.
//
// The package's rules say which events come in which order. The slice and its events belong to the journal and are
// valid until the next Flush or Reset.
func (j *Journal) Flush(confirmed, agreed Frame) (events []Event) {
	final := max(j.final, min(agreed, j.next))
	if j.frames.used|len(j.sounds)|len(j.orphans) != 0 {
		j.flush(confirmed >= j.next, final)
		events = j.events
	}
	j.emitter.at = NoFrame
	j.final, j.full, j.known, j.dirty = final, final+j.history, j.next, j.next
	j.frames.low = max(j.frames.low, final-min(final, j.lookback))
	j.tick++
	return events
}

// flush does the work of Flush when something may have changed. certain says that the inputs of all frames are known.
func (j *Journal) flush(certain bool, final Frame) {
	j.events = j.events[:0]
	j.compareShots()
	j.extendRuns()
	// Effects end before others start, so that a voice is free for the new ones.
	j.matchOrphans()
	j.followSounds(certain, final)
	j.startShots()
	j.startSounds(final)
	j.confirmShots(final)
	j.confirmSounds(final)
	j.dropReplaced()
	j.frames.forget(final - min(final, j.lookback))
}

// dropReplaced drops what the frames emitted before they were simulated again.
func (j *Journal) dropReplaced() {
	for f := j.dirty; f != j.next; f++ {
		if s := j.frames.slot(f); s.was != nil {
			j.frames.give(s.was)
			s.was = nil
		}
	}
}

// newest returns the newest frame that has been simulated. If there is any effect, there is one.
func (j *Journal) newest() Frame { return j.next - 1 }

// report appends an event to the list, and returns it so that the caller can complete it.
func (j *Journal) report(w What, id identity, f Frame, p *payload) *Event {
	j.events = append(j.events, Event{What: w, Kind: id.kind(), Key: id.key(), Frame: f, From: f, spec: j.emitter.kinds[id.kind()], payload: *p})
	return &j.events[len(j.events)-1]
}

// reportStart reports that an effect starts at frame f, or has started there.
func (j *Journal) reportStart(m *emission, f Frame) {
	m.state = reported
	j.report(Started, m.id, f, &m.payload).Late = uint32(j.newest() - f)
}
