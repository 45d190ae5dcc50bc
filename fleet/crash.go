package fleet

// crash is a machine that dies as soon as its log has something to decide.
type crash struct {
	armed bool
	dying bool // whether that moment has come
	words int  // how many datagrams still leave it
}

// arm makes the machine die at that moment, after it has sent this many datagrams more.
func (c *crash) arm(words int) { *c = crash{armed: true, words: words} }

// disarm cancels the crash, unless it has begun.
func (c *crash) disarm() { c.armed = c.dying }

// strikes reports whether the machine dies before its next datagram leaves it. deciding reports whether its log has
// something to decide.
func (c *crash) strikes(deciding func() bool) bool {
	if !c.armed || !c.dying && !deciding() {
		return false
	}
	c.dying = true
	c.words--
	return c.words < 0
}
