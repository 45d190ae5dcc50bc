package robots

// Encode encodes an image that may be none of a state.
func Encode(s *Snapshot) []byte {
	var work []Cell
	return s.append(nil, &work)
}
