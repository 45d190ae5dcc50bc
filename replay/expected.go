package replay

import (
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
)

// expected provides the recorded hashes in the order of states.
type expected struct {
	list     []tbr.Hash
	next     int    // index in the list
	end      uint32 // the list has the recorded hashes of the states before this one
	compared uint64
	wrong    rollback.Frame
}

// jump discards the list.
func (c *expected) jump() { c.list, c.next, c.end = c.list[:0], 0, 0 }

// of returns the recorded hash of a state, if there is one. It must be called with ascending states.
func (c *expected) of(r *tbr.Reader, state uint32) (tbr.Hash, bool) {
	if e, closed := r.End(); closed && e.Hashed && state == e.Next {
		return tbr.Hash{State: state, Hash: e.Hash, Bits: 64}, true
	}
	if r.Header().HashEvery == 0 {
		return tbr.Hash{}, false
	}
	if state >= c.end {
		c.fill(r, state)
	}
	for c.next < len(c.list) && c.list[c.next].State < state {
		c.next++
	}
	if c.next == len(c.list) || c.list[c.next].State != state {
		return tbr.Hash{}, false
	}
	return c.list[c.next], true
}

// fill reads the hashes of as many states as a block has. Damaged hashes count as missing: there is no evidence that
// the played frames are wrong.
func (c *expected) fill(r *tbr.Reader, state uint32) {
	c.list, c.next, c.end = c.list[:0], 0, state+uint32(r.Header().BlockFrames())
	for h, err := range r.Hashes(state) {
		if err != nil || h.State >= c.end {
			return
		}
		c.list = append(c.list, h)
	}
}

// compare compares the current state, if the recording has its hash.
func (p *Player[S, I]) compare() {
	h, ok := p.check.of(p.r, uint32(p.At()))
	if !ok {
		return
	}
	ours, err := p.engine.Hash()
	if err != nil {
		return
	}
	p.check.compared++
	if !h.Matches(ours) {
		p.check.wrong = min(p.check.wrong, p.At())
	}
}
