package rollback

// Put makes a copy of a value the live state, as state f, like [Stepper.Load] with an encoded state. Nothing is
// encoded, so it costs no more than the copy. On an error everything is as it was: a game that owns its memory has no
// such values, so the error is a [*CapabilityError]; for a number beyond the length of any match, it is [ErrFrames].
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
