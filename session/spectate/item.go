package spectate

import "github.com/tickback/tickback/wire/datagram"

// Item is the next thing that a spectator receives. Exactly one of its kinds is set.
type Item struct {
	// Begin starts a match at frame 0.
	Begin *datagram.Offer
	// State, if not nil, is the encoding of state Frame: the match continues there.
	State []byte
	// Chain is the chain of the match at State, if Chained is set: the host knew it.
	Chain   uint64
	Chained bool
	// From says that Frame is the first of the frames that follow. It may be earlier than the next frame to play:
	// skip frames that have been played.
	From  bool
	Frame uint32
	// Frames are Count frames, as package agreed encodes them.
	Frames []byte
	Count  int
	// End says how the match ended, after its last frame.
	End *End

	host int // index of the host that sent it
}

// size returns roughly how much memory an item takes.
func (i *Item) size() int {
	n := 64 + len(i.State) + len(i.Frames)
	if i.Begin != nil {
		n += len(i.Begin.Data)
	}
	return n
}

// queue holds the items that are waiting.
type queue struct {
	list   []Item
	head   int
	size   int // bytes
	frames int
	source int // index of the host that sent the item popped last

	lent  []byte   // Frames of the item popped last
	spare [][]byte // buffers to be reused
}

const (
	// maxQueue is how many bytes may be waiting before no more messages are read. The host then stops sending.
	maxQueue = 256 << 10
	// maxSpare is the maximum number of buffers kept for reuse; those larger than spareBytes are not kept.
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

func (q *queue) full() bool { return q.size >= maxQueue }

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
	q.source = i.host
	//detlint:ignore capacity which buffers wait to be used again is seen by nobody: each is emptied first
	if q.lent != nil && cap(q.lent) <= spareBytes && len(q.spare) < maxSpare {
		q.spare = append(q.spare, q.lent)
	}
	q.lent = i.Frames
	*i = Item{}
	q.head++
}
