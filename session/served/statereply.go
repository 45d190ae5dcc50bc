package served

// stateReply is the state that a client has asked for, since it has another one. It gets one, so that it
// can be explained how they differ.
type stateReply struct {
	asked bool
	of    Frame  // its number
	head  []byte // the message that begins it; nil once it is sent
	left  []byte // what is to be sent after it
}

// begin begins to answer with a state, or with none.
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
