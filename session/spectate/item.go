package spectate

import "github.com/tickback/tickback/wire/datagram"

// Item is what a spectator gets next. Exactly one of its kinds is set.
type Item struct {
	// Begin is a match, from frame 0 on.
	Begin *datagram.Offer
	// State, if not nil, is the encoding of state Frame: the match goes on there.
	State []byte
	// Chain is that of the match at State, if Chained: the host knew it.
	Chain   uint64
	Chained bool
	// From says that Frame is the first of the frames that follow. It may lie before the
	// next frame to play: skip what was played already.
	From  bool
	Frame uint32
	// Frames are Count frames, as package agreed encodes them.
	Frames []byte
	Count  int
	// End is how the match ended, after its last frame.
	End *End

	host int // that sent it
}

// size is roughly how much memory an item takes.
func (i *Item) size() int {
	n := 64 + len(i.State) + len(i.Frames)
	if i.Begin != nil {
		n += len(i.Begin.Data)
	}
	return n
}

// queue is the items that wait to be taken.
type queue struct {
	list   []Item
	head   int
	size   int // bytes
	frames int

	lent  []byte   // Frames of the item that was popped last
	spare [][]byte // buffers to be used again
}

const (
	// maxSpare is how many buffers are kept for reuse; larger ones than spareBytes are
	// not kept.
	maxSpare   = 16
	spareBytes = 4 << 10
)

// copy returns a copy of frames, in a reused buffer if there is one.
func (q *queue) copy(frames []byte) []byte {
	var b []byte
	if n := len(q.spare); n > 0 {
		b, q.spare = q.spare[n-1], q.spare[:n-1]
	}
	return append(b[:0], frames...)
}

func (q *queue) push(i Item) {
	if 2*q.head > len(q.list) {
		n := copy(q.list, q.list[q.head:])
		clear(q.list[n:])
		q.list, q.head = q.list[:n], 0
	}
	q.list = append(q.list, i)
	q.size += i.size()
	q.frames += i.Count
}

func (q *queue) front() *Item {
	if q.head == len(q.list) {
		return nil
	}
	return &q.list[q.head]
}

func (q *queue) pop() {
	i := &q.list[q.head]
	q.size -= i.size()
	q.frames -= i.Count
	//detlint:ignore capacity which buffers wait to be used again is seen by nobody: each is emptied first
	if q.lent != nil && cap(q.lent) <= spareBytes && len(q.spare) < maxSpare {
		q.spare = append(q.spare, q.lent)
	}
	q.lent = i.Frames
	*i = Item{}
	q.head++
}
