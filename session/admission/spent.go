package admission

// spent are the newest attempts to be let in that are over, by their nonces. The streams of
// each have begun, so nothing else can begin with its nonce: a machine that was refused is
// told the same again, and one that has gone (because it was asleep, say) gets no answer.
// Both come back with another nonce.
type spent struct {
	list  [128]attempt
	count uint64
}

// attempt is an attempt that is over, and why it was refused; "" means that the spectator has gone.
type attempt struct {
	nonce uint64
	why   string
}

// add notes an attempt, unless it is noted already.
func (s *spent) add(nonce uint64, why string) {
	if _, known := s.of(nonce); !known {
		s.list[s.count%uint64(len(s.list))] = attempt{nonce, why}
		s.count++
	}
}

// of returns what became of the attempt with a nonce.
func (s *spent) of(nonce uint64) (why string, known bool) {
	for _, a := range s.list[:min(s.count, uint64(len(s.list)))] {
		if a.nonce == nonce {
			return a.why, true
		}
	}
	return "", false
}
