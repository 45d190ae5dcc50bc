package agreed

// Log holds the encoded frames of a match, from some frame to the newest. It consists of independent blocks, so it can
// be read from the beginning of each.
type Log struct {
	shape  Shape
	writer Writer
	limit  int // in bytes
	blocks []block
	spare  []block
	next   uint32
	size   int
}

// block is a run of frames that begins at a multiple of BlockFrames.
type block struct {
	bytes []byte
	ends  []uint32 // the offset of the end of each frame
}

// blockCost is the memory that a block takes besides its bytes.
const blockCost = 2*24 + 4*BlockFrames

// Init makes the log empty: frame 0 comes next. It will hold at most limit bytes, but at least the newest block; 0
// means no limit. Its content is dropped, and its memory reused.
func (l *Log) Init(s Shape, limit int) error {
	if err := s.Check(); err != nil {
		return err
	}
	l.shape, l.limit = s, limit
	l.drop(len(l.blocks))
	l.next = 0
	l.writer.Init(s)
	return nil
}

// From makes the log, which must be empty, begin with a frame other than 0, and returns which one: f, or the first
// frame of a block after it.
func (l *Log) From(f uint32) uint32 {
	l.next = (f + BlockFrames - 1) / BlockFrames * BlockFrames
	return l.next
}

// Shape returns the shape of the frames.
func (l *Log) Shape() Shape { return l.shape }

// First returns the number of the first frame that is held, and Next that of the next frame to append. They are equal
// if none is held.
func (l *Log) First() uint32 {
	if len(l.blocks) == 0 {
		return l.next
	}
	return l.next - uint32((len(l.blocks)-1)*BlockFrames+len(l.blocks[len(l.blocks)-1].ends))
}

// Next returns the number of the next frame to append.
func (l *Log) Next() uint32 { return l.next }

// Size returns how many bytes the log takes.
func (l *Log) Size() int { return l.size }

// Append adds the next frame. The error is [ErrGap] for another frame, and [ErrShape] for one of another shape.
func (l *Log) Append(f *Frame) error {
	switch {
	case f.Number != l.next:
		return ErrGap
	case len(f.Inputs) != l.shape.Players*l.shape.InputSize || len(f.Orders) > l.shape.Players:
		return ErrShape
	}
	if l.next%BlockFrames == 0 || len(l.blocks) == 0 {
		l.begin()
	}
	b := &l.blocks[len(l.blocks)-1]
	before := len(b.bytes)
	b.bytes = l.writer.Append(b.bytes, f)
	b.ends = append(b.ends, uint32(len(b.bytes)))
	l.size += len(b.bytes) - before
	l.next++
	return nil
}

// begin begins a block. It drops the oldest blocks if there are too many.
func (l *Log) begin() {
	full := 0
	for size := l.size; l.limit > 0 && full < len(l.blocks) && size+blockCost > l.limit; full++ {
		size -= len(l.blocks[full].bytes) + blockCost
	}
	l.drop(full)
	var b block
	if n := len(l.spare); n > 0 {
		b, l.spare = l.spare[n-1], l.spare[:n-1]
	} else {
		b.ends = make([]uint32, 0, BlockFrames)
	}
	l.blocks = append(l.blocks, b)
	l.size += blockCost
}

// maxSpare is the maximum number of dropped blocks that are kept for reuse; blocks of more than spareBytes are not
// kept.
const (
	maxSpare   = 8
	spareBytes = 16 << 10
)

// drop removes the given number of blocks, the oldest first.
func (l *Log) drop(count int) {
	if count == 0 {
		return
	}
	for _, b := range l.blocks[:count] {
		l.size -= len(b.bytes) + blockCost
		//detlint:ignore capacity which memory is used again does not show in what is in it
		if len(l.spare) < maxSpare && cap(b.bytes) <= spareBytes {
			l.spare = append(l.spare, block{b.bytes[:0], b.ends[:0]})
		}
	}
	kept := copy(l.blocks, l.blocks[count:])
	clear(l.blocks[kept:])
	l.blocks = l.blocks[:kept]
}

// Forget drops the blocks in which all frames are before f.
func (l *Log) Forget(f uint32) {
	count := 0
	for first := l.First(); count < len(l.blocks) && first+uint32(len(l.blocks[count].ends)) <= f && first+BlockFrames <= l.next; count++ {
		first += BlockFrames
	}
	l.drop(count)
}

// Start returns the frame at which a reader has to begin to get frame f: the first of
// its block. The error is [ErrGone] if f is not held; f may be the next one.
func (l *Log) Start(f uint32) (uint32, error) {
	if f < l.First() || f > l.next {
		return 0, ErrGone
	}
	return f - f%BlockFrames, nil
}

// Bytes returns encoded frames from f on, up to the end of f's block and before frame end: at most the given number of
// bytes, but at least one frame. It also returns the frame after them. It returns none if f is not held, or not below
// end. The bytes belong to the log and are valid until it changes.
func (l *Log) Bytes(f, end uint32, most int) (b []byte, next uint32) {
	end = min(end, l.next)
	if f < l.First() || f >= end {
		return nil, f
	}
	k := &l.blocks[(f-l.First())/BlockFrames]
	i := f % BlockFrames
	last := min(i+(end-f), uint32(len(k.ends)))
	from := uint32(0)
	if i > 0 {
		from = k.ends[i-1]
	}
	n := i + 1
	for n < last && k.ends[n]-from <= uint32(most) {
		n++
	}
	return k.bytes[from:k.ends[n-1]], f + n - i
}
