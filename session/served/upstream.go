package served

import "github.com/tickback/tickback/wire/datagram"

// upstream holds the inputs of a client on their way to the server, as bytes of one size. In a game without inputs
// nothing is held.
type upstream struct {
	size   int // the size of an input, in bytes
	inputs datagram.History
	began  bool
	taken  uint32 // the first tick for which the server lacks an input
	last   []byte
	block  []byte // reused memory
}

// begin starts with tick first.
func (u *upstream) begin(first Frame) {
	u.began, u.taken = true, uint32(first)
	if u.size > 0 {
		u.inputs.Start(u.size, u.taken, nil)
	}
}

// push adds the input of a tick. Skipped ticks before it get the last input.
//
// If the server lacks more than is held, which happens only after a long interruption of the path, none of that is
// sent any more, and neither is this input: that shows the server that there is a gap, and it decodes what follows
// as after the first tick.
func (u *upstream) push(f Frame, input []byte) {
	if u.size == 0 {
		return
	}
	if u.last == nil {
		u.last = make([]byte, u.size)
	}
	if uint32(f)-u.taken >= datagram.HistoryFrames-1 {
		copy(u.last, input)
		u.begin(f + 1)
		return
	}
	for n := u.inputs.Next(); n < uint32(f); n++ {
		u.inputs.Push(u.last)
	}
	u.inputs.Push(input)
	copy(u.last, input)
}

// told notes for which ticks the server has inputs.
func (u *upstream) told(d *serverBody) {
	if u.began && d.any && d.taken > u.taken && d.taken <= u.inputs.Next() {
		u.taken = d.taken
	}
}

// due adds the inputs that the server lacks to the datagram, as far as they fit into room bytes.
func (u *upstream) due(head *clientBody, room int) {
	if !u.began || u.size == 0 {
		return
	}
	from, end := u.taken, u.inputs.Next()
	if from == end {
		return
	}
	full := *head
	full.next, full.count = end, end-from
	var memory [datagram.MaxSize]byte
	block, to := u.inputs.AppendBlock(u.block[:0], from, end, room-len(full.append(memory[:0])))
	u.block = block
	head.next, head.count, head.block = to, to-from, block
}
