package tbr

import (
	"fmt"
	"io"

	"github.com/tickback/tickback/wire/agreed"
)

// Cursor reads the frames of a recording in order. Several cursors may be used at
// the same time.
type Cursor struct {
	w      *walker // walks the blocks
	block  blockReader
	orders ordersReader
	ow     *walker // walks the orders of this block
	at     uint32  // the next frame
	i      int     // the index of that frame in the block
	change int     // the index of the next change of the absent players
	gone   uint16
	run    Run
	frame  agreed.Frame
	err    error

	unpacker unpacker
}

// Run is a series of frames in which the same players are absent. None of the frames has orders, unless the run is a
// single frame.
type Run struct {
	First  uint32 // the number of the first frame
	Frames int
	Inputs []byte   // the inputs of all players, frame after frame
	Gone   uint16   // the players who are disconnected: bit p for player p
	Orders [][]byte // one per player; nil if there are none

	Finished bool   // the last frame finishes the match
	Result   uint64 // the result of the match, if Finished
}

// Frames returns a cursor at a frame, from [Reader.First] to [Reader.Next]. For other frames the error wraps
// [ErrNoFrame]; otherwise it says what is wrong with the segment.
func (r *Reader) Frames(from uint32) (*Cursor, error) {
	if from < r.First() || from > r.next {
		return nil, &Error{Reason: ErrNoFrame, Detail: fmt.Sprintf("frame %d; it has %d to %d", from, r.First(), r.next)}
	}
	w := r.walkFrom(from)
	c := &Cursor{w: w, at: w.at}
	c.block.init(r.header.Shape)
	c.orders.shape = r.header.Shape
	for c.at < from {
		if err := c.skip(from); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// skip skips the next block, or goes to a frame in it. Orders of skipped blocks are not read.
func (c *Cursor) skip(to uint32) error {
	if c.i == c.block.count {
		if err := c.load(); err != nil {
			return err
		}
	}
	if n := uint32(c.block.count); c.i == 0 && n <= to-c.at {
		if k := len(c.block.changes); k > 0 {
			c.gone, c.change = c.block.changes[k-1].gone, k
		}
		c.at, c.i, c.ow = c.at+n, int(n), nil
		return nil
	}
	_, err := c.Run(int(to - c.at))
	return err
}

// Next returns the next frame, and exactly [io.EOF] after the last one. The frame belongs to the cursor and is valid
// until the next call. Frames are not marked. Other errors are an [*Error] or an error of the source, and are final.
func (c *Cursor) Next() (*agreed.Frame, error) {
	r, err := c.Run(1)
	if err != nil {
		return nil, err
	}
	c.frame = agreed.Frame{Number: r.First, Inputs: r.Inputs, Gone: r.Gone, Orders: r.Orders}
	if r.Finished {
		c.frame.Finished, c.frame.Result = true, r.Result
	}
	return &c.frame, nil
}

// Run returns the next frames: at least one, at most most, and no more than the rest of their block. The run belongs to
// the cursor and is valid until the next call; the errors are those of [Cursor.Next].
func (c *Cursor) Run(most int) (*Run, error) {
	if c.err == nil && c.i == c.block.count {
		c.err = c.load()
	}
	if c.err != nil {
		return nil, c.err
	}
	n := min(c.block.count-c.i, max(most, 1))
	if c.change < len(c.block.changes) {
		if next := &c.block.changes[c.change]; next.at == c.i {
			c.gone = next.gone
			c.change++
		}
		if c.change < len(c.block.changes) {
			n = min(n, c.block.changes[c.change].at-c.i)
		}
	}
	if n, c.err = c.ordersOf(n); c.err != nil {
		return nil, c.err
	}
	row := c.block.shape.Players * c.block.shape.InputSize
	c.run.First, c.run.Frames, c.run.Gone = c.at, n, c.gone
	c.run.Inputs = c.block.rows[c.i*row:][:n*row]
	c.i += n
	c.at += uint32(n)
	c.run.Finished, c.run.Result = c.block.finished && c.i == c.block.count, c.block.result
	return &c.run, nil
}

// load reads the next block.
func (c *Cursor) load() error {
	r := c.w.r
	orders := int64(-1)
	if err := c.leave(); err != nil {
		return err
	}
	if c.w.begins() {
		c.block.begin()
		c.gone = 0
	}
	for {
		chunk, err := c.w.step()
		switch {
		case err != nil:
			return err
		case chunk == nil && c.at == r.next:
			return io.EOF
		case chunk == nil || c.at == r.next && chunk.Kind == KindFrames:
			return &Error{Reason: ErrOrder, Offset: c.w.offset, Detail: fmt.Sprintf("frame %d; the recording ends with %d", c.at, r.next)}
		case chunk.Kind == KindOrders && orders < 0:
			orders = chunk.Offset
		case chunk.Kind == KindFrames:
			return c.enter(chunk, orders)
		}
	}
}

// leave ends a block. It returns an error if orders of the block are left.
func (c *Cursor) leave() error {
	if c.ow == nil {
		return nil
	}
	return c.nextOrders()
}

// enter begins a block.
func (c *Cursor) enter(chunk *Chunk, orders int64) error {
	block := uint32(c.w.r.header.BlockFrames())
	payload, err := c.w.payload(chunk, MaxChunk)
	if err != nil {
		return err
	}
	if !c.block.read(payload, chunk.Flags, c.at/block, int(block-c.at%block)) {
		return chunk.fail(ErrRange, fmt.Sprintf("the block of frame %d", c.at))
	}
	c.i, c.change, c.ow = 0, 0, nil
	if orders >= 0 {
		c.ow = c.w.r.walk(orders, c.at)
		c.orders.begin()
	}
	return nil
}

// ordersOf reads the orders of the next frame, if it has any, and returns how many of the next n frames are alike in
// having orders or not.
func (c *Cursor) ordersOf(n int) (int, error) {
	c.run.Orders = nil
	if c.ow == nil {
		return n, nil
	}
	if c.orders.at < c.i { // the orders of the previous frame have been read
		if err := c.nextOrders(); err != nil || c.ow == nil {
			return n, err
		}
	}
	if c.orders.at > c.i {
		return min(n, c.orders.at-c.i), nil
	}
	orders, ok := c.orders.read()
	if !ok {
		return 0, c.ow.chunk.fail(ErrRange, "orders that nobody gives")
	}
	c.run.Orders = orders
	return 1, nil
}

// nextOrders finds the next frame of the block that has orders.
func (c *Cursor) nextOrders() error {
	for len(c.orders.raw.b) == 0 {
		chunk, err := c.ow.head()
		switch {
		case err != nil:
			return err
		case chunk == nil || chunk.Kind == KindFrames:
			c.ow = nil
			return nil
		case chunk.Kind == KindOrders:
			if err := c.readOrders(chunk); err != nil {
				return err
			}
		}
	}
	if !c.orders.next(c.block.count) {
		return c.ow.chunk.fail(ErrRange, "orders at no frame of the block")
	}
	return nil
}

// readOrders reads a chunk of orders.
func (c *Cursor) readOrders(chunk *Chunk) error {
	payload, err := c.ow.payload(chunk, maxOrders)
	if err != nil {
		return err
	}
	if chunk.Flags&packed != 0 {
		var ok bool
		if payload, ok = c.unpacker.unpack(payload, maxOrders); !ok {
			return chunk.fail(ErrRange, "the orders cannot be decompressed")
		}
	}
	if len(payload) == 0 {
		return chunk.fail(ErrRange, "no orders")
	}
	c.orders.raw = parser{b: payload}
	return nil
}
