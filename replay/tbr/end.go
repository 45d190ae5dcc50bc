package tbr

import (
	"encoding/binary"
	"fmt"

	"github.com/tickback/tickback/wire/agreed"
)

// End is how a recording ended.
type End struct {
	Finished bool   // the game finished the match
	Result   uint64 // the result that the game gave
	Chain    uint64 // a hash of the hashes of all states; 0 if it is not known
	Hashed   bool   // Hash is known
	Hash     uint64 // the hash of the last state, number Next
	Gone     uint16 // the players who are disconnected at the end
	Reason   string // why the recording ended, at most MaxText bytes

	unhashed bool

	Next   uint32   // the frame after the last one
	Digest [32]byte // SHA-256 of the chunks of the body, in order
}

const (
	endFinished = 1 << iota
	endHashed
	endUnhashed // the hash that was due after the last frame is missing
	endFlags
)

func (e *End) check() error {
	if len(e.Reason) > MaxText {
		return fmt.Errorf("%w: a reason of %d bytes, more than %d", ErrTooLarge, len(e.Reason), MaxText)
	}
	return nil
}

func (e *End) append(b []byte, s agreed.Shape) []byte {
	var flags byte
	if e.Finished {
		flags |= endFinished
	}
	if e.Hashed {
		flags |= endHashed
	}
	if e.unhashed {
		flags |= endUnhashed
	}
	b = s.AppendPlayers(append(b, flags), e.Gone)
	b = binary.LittleEndian.AppendUint32(b, e.Next)
	for _, v := range []uint64{e.Result, e.Chain, e.Hash} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return appendBytes(append(b, e.Digest[:]...), e.Reason)
}

func (e *End) read(payload []byte, s agreed.Shape) bool {
	p := parser{b: payload}
	flags := p.byte()
	e.Finished, e.Hashed, e.unhashed = flags&endFinished != 0, flags&endHashed != 0, flags&endUnhashed != 0
	e.Gone = p.players(s)
	if t := p.take(4); t != nil {
		e.Next = binary.LittleEndian.Uint32(t)
	}
	e.Result, e.Chain, e.Hash = p.uint64(), p.uint64(), p.uint64()
	copy(e.Digest[:], p.take(32))
	e.Reason = p.text(MaxText)
	return p.done() && flags < endFlags && (e.Finished || e.Result == 0)
}
