package served

import "github.com/tickback/tickback/session/bulk"

// stateReply is the state that a client has requested because its own version differs. A client gets one, so that
// the difference can be explained.
type stateReply struct {
	asked bool
	of    Frame       // number of the state
	head  []byte      // the message that begins it; nil after it was sent
	left  bulk.Sender // what is left of the state, to send after it
}

// begin starts to answer with a state, which is empty if it is not held.
func (r *stateReply) begin(f Frame, state []byte, machine string) {
	*r = stateReply{asked: true, of: f, head: appendTruth(nil, f, len(state), machine)}
	r.left.Begin(state, 0)
}

// next returns the next message to send, or nil.
func (r *stateReply) next() (m []byte) {
	if m, r.head = r.head, nil; m != nil {
		return m
	}
	if b := r.left.Next(); b != nil {
		return append([]byte{messagePart}, b...)
	}
	return nil
}
