package recording

import "github.com/tickback/tickback/wire/agreed"

// batch has some frames for the writer, with the data that belongs to them.
type batch struct {
	first   uint32
	frames  []batchFrame
	bytes   []byte // the inputs of each frame, and its orders, with two bytes of length for each player
	state   []byte // the state before the first frame, or nil
	counted bool   // state is counted among the waiting states
	effects []byte // the data of chunks
	stats   []byte
}

type batchFrame struct {
	hash, result             uint64
	gone                     uint16
	hashed, orders, finished bool
}

// add adds a copy of a frame.
func (l *batch) add(f *agreed.Frame, hash uint64, hashed bool) {
	l.bytes = append(l.bytes, f.Inputs...)
	for _, o := range f.Orders {
		l.bytes = append(append(l.bytes, byte(len(o)), byte(len(o)>>8)), o...)
	}
	l.frames = append(l.frames, batchFrame{hash, f.Result, f.Gone, hashed, f.Orders != nil, f.Finished})
}

// empty reports whether there is nothing to write.
func (l *batch) empty() bool {
	return len(l.frames) == 0 && len(l.effects)+len(l.stats) == 0 && l.state == nil
}

// next returns the frame after the batch.
func (l *batch) next() uint32 { return l.first + uint32(len(l.frames)) }

// size returns the approximate size of a batch in bytes, without its state.
func (l *batch) size() int64 {
	return int64(len(l.bytes)+len(l.effects)+len(l.stats)) + 32*int64(len(l.frames)) + 64
}
