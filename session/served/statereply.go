package served

// stateReply is the state that a client has requested because its own version differs. A client gets one, so that
// the difference can be explained.
type stateReply struct {
	asked bool
	of    Frame  // number of the state
	head  []byte // the message that begins it; nil after it was sent
	left  []byte // what to send after it
}

// begin starts to answer with a state, which is empty if it is not held.
func (r *stateReply) begin(f Frame, state []byte, machine string) {
	*r = stateReply{asked: true, of: f, head: appendTruth(nil, f, len(state), machine), left: state}
}

// next returns the next message to send, or nil.
func (r *stateReply) next() (m []byte) {
	if m, r.head = r.head, nil; m != nil {
		return m
	}
	n := min(len(r.left), maxChunk)
	if n == 0 {
		return nil
	}
	m = append([]byte{messagePart}, r.left[:n]...)
	if r.left = r.left[n:]; len(r.left) == 0 {
		r.left = nil
	}
	return m
}
