package replay

import (
	"slices"

	"github.com/tickback/tickback/rollback"
)

// cache holds states of a match at equal distances, collected while playing. When it is full, every second state is
// dropped, and the distance doubles.
type cache struct {
	budget int // in bytes
	size   int
	stride rollback.Frame    // the distance between states; 0: nothing is kept
	list   []*rollback.Saved // ordered by frame
	spare  *rollback.Saved
}

// savedCost is the memory that a saved state needs besides the state itself.
const savedCost = 64

// find returns the index where the state of a frame is, or would be.
func (c *cache) find(f rollback.Frame) (i int, found bool) {
	return slices.BinarySearchFunc(c.list, f, func(s *rollback.Saved, f rollback.Frame) int {
		switch {
		case s.Frame() < f:
			return -1
		case s.Frame() > f:
			return 1
		}
		return 0
	})
}

// best returns the newest state at a frame or before it, or nil.
func (c *cache) best(f rollback.Frame) *rollback.Saved {
	i, found := c.find(f)
	switch {
	case found:
		return c.list[i]
	case i > 0:
		return c.list[i-1]
	}
	return nil
}

// saver is the part of an engine that can save its state.
type saver interface {
	Frame() rollback.Frame
	Save(s *rollback.Saved) error
}

// offer saves the current state of an engine if the cache wants it.
func (c *cache) offer(e saver) {
	f := e.Frame()
	if c.stride == 0 || f%c.stride != 0 {
		return
	}
	i, found := c.find(f)
	if found {
		return
	}
	s := c.spare
	if c.spare = nil; s == nil {
		s = new(rollback.Saved)
	}
	if e.Save(s) != nil {
		c.stride = 0 // the game cannot save
		return
	}
	c.list = slices.Insert(c.list, i, s)
	c.size += s.Size() + savedCost
	for c.size > c.budget && c.stride > 0 {
		c.thin()
	}
}

// thin drops every second state.
func (c *cache) thin() {
	if len(c.list) <= 1 {
		*c = cache{} // there is no room for even one state
		return
	}
	c.stride *= 2
	c.list = slices.DeleteFunc(c.list, func(s *rollback.Saved) bool {
		if s.Frame()%c.stride == 0 {
			return false
		}
		c.size -= s.Size() + savedCost
		c.spare = s
		return true
	})
}
