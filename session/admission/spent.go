package admission

// spent holds the newest attempts to be admitted that are over, by their nonces. The streams of each have begun, so
// nothing else can begin with its nonce: a machine that was refused gets the same answer again, and one that is
// gone (for example because it was asleep) gets no answer. Both come back with another nonce.
type spent struct {
	list  [128]attempt
	count uint64
}

// attempt is an attempt that is over, and why it was refused; "" means that the machine was admitted and is gone.
type attempt struct {
	nonce uint64
	why   string
}

// add records an attempt, unless it is recorded already.
func (s *spent) add(nonce uint64, why string) {
	if _, known := s.of(nonce); !known {
		s.list[s.count%uint64(len(s.list))] = attempt{nonce, why}
		s.count++
	}
}

// of returns how the attempt with a nonce ended.
func (s *spent) of(nonce uint64) (why string, known bool) {
	for _, a := range s.list[:min(s.count, uint64(len(s.list)))] {
		if a.nonce == nonce {
			return a.why, true
		}
	}
	return "", false
}
