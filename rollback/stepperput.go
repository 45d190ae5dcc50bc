package rollback

// Put makes a copy of a value the live state, as state f, as [Stepper.Load] does with an encoded
// one. Nothing is encoded, so it costs no more than the copy. On an error everything is as it was: a
// game that owns its memory has no values, and gets a [*CapabilityError], and a number beyond the
// length of any match gets [ErrFrames].
func (s *Stepper[S, I]) Put(f Frame, state *S) error {
	if f >= lastFrame {
		return ErrFrames
	}
	b, plain := s.box.(*plainBox[S, I])
	if !plain {
		return &CapabilityError{Missing: "a plain state", For: "beginning with a value"}
	}
	*b.live() = *state
	s.begin(f)
	return nil
}
