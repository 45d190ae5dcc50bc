package effects

// Finish appends to events what a last [Journal.Flush] tells if all frames so far are final
// and nothing is emitted any more: what is shown is confirmed, cancelled or ended. The journal
// then has to be reset. It is for an owner that goes on at a frame far ahead.
func (j *Journal) Finish(events []Event) []Event {
	events = append(events, j.Flush(j.next, j.next)...)
	// An orphan waits until the newest frame is Tolerance frames after its own.
	for silent := j.tolerance + 1; silent > 0; {
		n := min(silent, j.history)
		for range n {
			j.Begin(j.next)
		}
		events = append(events, j.Flush(j.next, j.next)...)
		silent -= n
	}
	return events
}
