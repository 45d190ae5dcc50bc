package effects

// Finish appends to events what a last [Journal.Flush] would report if all frames so far were final and nothing were
// emitted any more: everything shown is confirmed, cancelled or ended. The journal then has to be reset. It is for an
// owner that continues at a frame far ahead.
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
