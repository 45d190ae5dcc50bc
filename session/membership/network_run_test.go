package membership

import (
	"testing"
	"time"
)

// decided compares an entry that a peer has learned with the log, and with what the
// peer has.
func (n *network) decided(x *node, e Entry) {
	if x.applied == len(n.log) {
		s := n.begin
		if len(n.log) > 0 {
			s = n.after[len(n.log)-1]
		}
		if why := s.apply(e); why != "" {
			n.fail("%v has decided what cannot be: %v", x.core.me, why)
		}
		n.log, n.after = append(n.log, e), append(n.after, s)
	}
	before := n.begin
	if x.applied > 0 {
		before = n.after[x.applied-1]
	}
	if n.split = n.split || n.log[x.applied] != e && before.Len() == 2 && (e.Kind == Drop || n.log[x.applied].Kind == Drop); n.split {
		return
	}
	if n.log[x.applied] != e {
		n.fail("entry %d is %v for %v and was %v", x.applied, e, x.core.me, n.log[x.applied])
	}
	member := before.Has(x.core.me)
	if x.applied++; e.Kind == Join {
		if member && x.floor > e.Frame {
			n.fail("%v is at %d already, and has %v", x.core.me, x.floor, e)
		}
		for p := range e.Players.All() {
			x.next[p] = max(x.next[p], e.Frame)
		}
		return
	}
	for p := range e.Players.All() {
		switch {
		case !e.Kind.cuts() && e.Kind != Leave, x.core.me&e.Players != 0:
		case !member:
			x.next[p] = e.Cut(p) // a newcomer is given it with the state
		case x.next[p] != e.Cut(p):
			n.fail("%v holds %d of player %d, and has %v", x.core.me, x.next[p], p, e)
		}
	}
}

// last is the state after everything that any peer has decided.
func (n *network) last() *LogState {
	if len(n.after) == 0 {
		return &n.begin
	}
	return &n.after[len(n.after)-1]
}

// parted reports whether two peers do not hear each other.
func (n *network) parted(x, y *node) bool { return n.cut[[2]int{min(x.i, y.i), max(x.i, y.i)}] }

// tick is one frame at all peers.
func (n *network) tick() {
	n.now += tickTime
	for _, x := range n.nodes {
		if !x.up {
			continue
		}
		n.hear(x)
		n.poll(x)
		for _, y := range n.nodes {
			n.deliver(y, x)
		}
		if x.floor < x.core.Gate() {
			x.floor++
		}
		if x.core.role == removed {
			x.up = false
		}
	}
}

// hear takes inputs, and notes which peers are silent and which newcomers are there.
func (n *network) hear(x *node) {
	var silent PlayerSet
	for _, y := range n.nodes {
		member := x.core.log.state.Has(y.core.me) && x.core.log.state.IDs[y.core.low] == y.core.cfg.ID
		if y == x || !member && y.core.role != following {
			continue
		}
		if y.up && !n.parted(x, y) {
			x.heard[y.i] = n.now
			if y.core.role == following {
				x.core.Ready(y.core.me, y.core.cfg.ID)
			}
			for p := range y.core.me.All() {
				for range n.rng.IntN(4) {
					x.take(p, y.made())
				}
			}
			continue
		}
		if !member {
			x.core.Unready(y.core.me)
		}
		if n.now-x.heard[y.i] > time.Duration(300+5*x.i)*time.Millisecond && member {
			silent |= y.core.me
		}
	}
	x.core.Accuse(silent)
}

// made returns the first frame for which a peer has not made inputs.
func (x *node) made() Frame {
	if x.core.wishes.leaving {
		return min(x.core.wishes.leave, x.floor+3)
	}
	return x.floor + 3
}

func (n *network) deliver(from, to *node) {
	line := n.lines[[2]int{from.i, to.i}]
	for len(line) > 0 && line[0].at <= n.now && !n.parted(from, to) {
		l := line[0]
		line = line[1:]
		n.lines[[2]int{from.i, to.i}] = line
		if err := to.receive(l.from, l.packet); err != nil && !n.split {
			n.fail("%v gets of %v: %v", to.core.me, from.core.me, err)
		}
		n.flush(to)
		line = n.lines[[2]int{from.i, to.i}]
	}
}

// fault makes something go wrong, while there are more than three peers.
func (n *network) fault() {
	s := n.last()
	x, y := n.nodes[n.rng.IntN(len(n.nodes))], n.nodes[n.rng.IntN(len(n.nodes))]
	if !x.up || x.core.role != voting || x == y || !y.up || y.core.role != voting {
		return
	}
	crowd, few := s.Len() > 3, n.up() <= s.Len()/2+1
	switch k := n.rng.IntN(10); {
	case k == 0 && crowd && !few:
		x.up = false
	case k == 1 && crowd:
		n.cut[[2]int{min(x.i, y.i), max(x.i, y.i)}] = true
	case k <= 4:
		clear(n.cut)
	case k == 5 && crowd && !few:
		_ = x.core.Ask(Wish{Kind: Leave, Frame: x.floor + 3})
	case k == 6 && crowd && !few:
		_ = x.core.Ask(Wish{Kind: Kick, Players: y.core.me})
	case k == 7:
		_ = x.core.Ask(Wish{Kind: Pause + Kind(n.rng.IntN(2))})
	default:
		n.newcomer(x)
	}
}

func (n *network) up() (members int) {
	for _, x := range n.nodes {
		if x.up && x.core.role == voting {
			members++
		}
	}
	return members
}

// newcomer adds a peer in the place of a player that has left, with the state of x.
func (n *network) newcomer(x *node) {
	s := x.core.State()
	for p := range maxPlayers {
		who := PlayerSet(1) << p
		if s.Absent[p].Back == NoFrame && s.Absent[p].From != NoFrame && n.current(who) == nil {
			n.ids++
			y := n.add(who, *s, n.ids, int(s.Slot))
			y.next, y.floor = x.next, x.floor
			return
		}
	}
}

// Whichever peers crash, are cut off, join and leave: all that remain have one log, and
// hold the same inputs of those that have gone. At the end, they are the members, and
// nothing is blocked.
func TestNetworksKeepOneLog(t *testing.T) {
	entries, splits, quiet, count := 0, 0, 0, [kinds]int{}
	first, last := uint64(1), uint64(*seeds)
	if testing.Short() {
		last = 20
	}
	if *seed != 0 {
		first, last = *seed, *seed
	}
	for i := first; i <= last; i++ {
		n := newNetwork(t, i)
		for frame := range 1000 {
			if frame < 600 && n.rng.IntN(12) == 0 {
				n.fault()
			} else if frame == 600 {
				clear(n.cut)
			}
			if n.tick(); n.split {
				splits++
				break
			}
		}
		n.settled()
		entries += len(n.log)
		quiet += n.quiet
		for _, e := range n.log {
			count[e.Kind]++
		}
	}
	t.Logf("%d entries, by kind: %v; of %d matches, %d came apart in two; %d times a peer had nothing to decide", entries, count, last-first+1, splits, quiet)
	if quiet == 0 {
		t.Error("no peer has ever had nothing to decide")
	}
	for k, n := range count {
		if n == 0 && last-first >= 100 {
			t.Errorf("no entry was of kind %v", Kind(k))
		}
	}
}

// settled reports violations when nothing has happened for a while.
func (n *network) settled() {
	if n.split {
		return
	}
	var up PlayerSet
	for _, x := range n.nodes {
		if x.up && x.core.role == voting {
			up |= x.core.me
		}
	}
	if !n.last().quorum(up) {
		return // too many have crashed before they were dropped: frozen, as it must be
	}
	for _, x := range n.nodes {
		switch c := x.core; {
		case !x.up || c.role != voting:
		case c.log.state != *n.last():
			n.fail("%v has come to entry %d of %d", c.me, x.applied, len(n.log))
		case c.log.state.All() != up || c.guard.stopped != 0 || c.guard.gated != NoFrame || !c.Quorate():
			n.fail("%v has members %v, and %v are up; %v are stopped, and %d is the gate", c.me, c.log.state.All(), up, c.guard.stopped, c.guard.gated)
		}
	}
}
