package membership

import (
	"bytes"
	"time"
)

// poll polls a peer as a session does: at each tick, unless there is nothing to decide and
// nothing is due.
func (n *network) poll(x *node) {
	at := x.floor + 20
	remembered := x.core.Quiet()
	if x.core.idle = false; x.core.Quiet() != remembered {
		n.fail("%v remembers that it is quiet: %v", x.core.me, remembered)
	}
	if !x.core.Quiet() || n.now >= x.due {
		x.due = x.core.Poll(n.now, at)
		n.flush(x)
	}
	if x.due <= n.now {
		n.fail("%v wants to be called at %v, which has passed", x.core.me, x.due)
	}
	if n.rng.IntN(8) == 0 {
		n.idle(x, x.due-1, at)
		if x.core.Quiet() {
			n.idle(x, n.now+time.Hour, at+1000)
			n.quiet++
		}
	}
}

// idle checks that a peer that was just polled keeps its word: until the given time there
// is nothing for it to do.
func (n *network) idle(x *node, until time.Duration, at Frame) {
	c := x.clone()
	before := c.encode()
	c.core.Poll(until, at)
	if sent := c.drain(); len(sent) > 0 {
		n.fail("%v does nothing before %v, it says, and sends %d messages", x.core.me, until, len(sent))
	}
	if !bytes.Equal(before, c.encode()) {
		n.fail("%v does nothing before %v, it says, and goes on", x.core.me, until)
	}
}
