package hosted

import (
	"github.com/tickback/tickback/rollback"
)

// knowledge is what the server has sent to a client, collected by a naive client without an engine. It holds the newest
// state, as far as the player may see it, and the last known input of every player.
type knowledge[S any, I comparable] struct {
	any    bool
	newest Frame
	state  S
	last   []I
	gone   PlayerSet
}

// clone returns a copy that shares nothing.
func (k *knowledge[S, I]) clone(to *knowledge[S, I]) {
	to.any, to.newest, to.state, to.gone = k.any, k.newest, k.state, k.gone
	to.last = append(to.last[:0], k.last...)
}

// deed is the input that a client has supposed for its player in a tick.
type deed[I comparable] struct {
	of     Frame
	any    bool
	in     I
	orders []byte
}

// deedsHeld is the number of ticks for which deeds are held: more than a client can be ahead.
const deedsHeld = 512

// deeds are what a client has supposed, by tick.
type deeds[I comparable] [deedsHeld]deed[I]

func (d *deeds[I]) at(f Frame) *deed[I] {
	if k := &d[f%deedsHeld]; k.any && k.of == f {
		return k
	}
	return nil
}

// forget forgets the ticks from f on.
func (d *deeds[I]) forget(f Frame) {
	for i := range d {
		d[i].any = d[i].any && d[i].of < f
	}
}

// naive predicts from what a client knows, by stepping from there.
type naive[S any, I comparable] struct {
	game   *Game[S, I]
	sight  func(s *S, p Player) PlayerSet
	truth  *truth[S, I]
	step   *rollback.Stepper[S, I]
	player Player
	deeds  deeds[I]
	// feed, if given, is called with each tick as the client is told it.
	feed func(f Frame, inputs []I, orders [][]byte, gone PlayerSet)

	row    []I // the inputs of the tick that runs
	orders [][]byte
	state  S // reused memory
}

// learn updates the knowledge to state f, which has arrived in an update together with the ticks since the last one.
func (n *naive[S, I]) learn(k *knowledge[S, I], f Frame) {
	for g := k.newest; g != f; g++ {
		m := n.truth.at(g)
		told := n.truth.knows(n.sight, g, n.player, &n.state)
		n.note(k.last, m, told)
		if n.feed != nil {
			copy(n.orders, m.orders)
			n.keepOrders(told)
			n.feed(g, k.last, n.orders, m.gone)
		}
		if k.gone = m.gone; k.gone.Has(n.player) {
			n.deeds.forget(g)
		}
	}
	k.newest, k.any = f, true
	n.truth.knows(n.sight, f, n.player, &k.state)
}

// untold returns the first tick whose update from state f is incomplete, because a player is present but out of sight.
// It returns f if there is no such tick.
func (n *naive[S, I]) untold(k *knowledge[S, I], f Frame) Frame {
	for g := k.newest; g != f; g++ {
		told := n.truth.knows(n.sight, g, n.player, &n.state)
		for p := range n.row {
			if !(told | n.truth.at(g).gone).Has(Player(p)) {
				return g
			}
		}
	}
	return f
}

// keepOrders drops the orders of all but some players.
func (n *naive[S, I]) keepOrders(of PlayerSet) {
	for p := range n.orders {
		if !of.Has(Player(p)) {
			n.orders[p] = nil
		}
	}
}

// note records the inputs of a tick, for the players whose inputs the client is told.
func (n *naive[S, I]) note(last []I, m *moment[S, I], told PlayerSet) {
	for p := range last {
		switch {
		case told.Has(Player(p)):
			last[p] = m.inputs[p]
		case m.gone.Has(Player(p)):
			last[p] = *new(I)
		}
	}
}

// take updates the knowledge to a whole state. The ticks before it are not known. If the client was behind, it starts
// again from there.
func (n *naive[S, I]) take(k *knowledge[S, I], f Frame, behind bool) {
	if behind {
		clear(k.last)
		n.deeds.forget(0)
		k.gone = 0
		if f > 0 {
			k.gone = n.truth.at(f-1).gone &^ rollback.SetOf(n.player)
		}
	}
	for g := k.newest; g < f && !behind; g++ {
		if d := n.deeds.at(g); d != nil {
			k.last[n.player] = d.in
		}
	}
	k.newest, k.any = f, true
	n.truth.knows(n.sight, f, n.player, &k.state)
}

// fork says which parts of the truth a course uses.
type fork[S any, I comparable] struct {
	now    *knowledge[S, I] // what is known by now
	told   Frame            // ticks before this one may be true ones
	own    bool             // use the true actions of the client's own player there
	others bool             // use the true actions of the others there
}

// course returns state f as computed from what a client knows, using the true data for some of the following ticks, and
// the current predictions for those after them. Without any true ticks, it is the prediction. The state is valid until
// the next call.
func (n *naive[S, I]) course(k *knowledge[S, I], f Frame, with fork[S, I]) (*S, error) {
	if err := n.step.Put(k.newest, &k.state); err != nil {
		return nil, err
	}
	copy(n.row, k.last)
	gone := k.gone
	for g := k.newest; g != f; g++ {
		clear(n.orders)
		var m *moment[S, I]
		switch {
		case g < with.told:
			m = n.truth.at(g)
			gone = n.follow(g, m, gone, with)
		case g == with.told && with.now != nil:
			gone = n.turn(gone, with)
		}
		n.act(g, m, with.own)
		if err := n.step.Step(n.row, n.orders, gone); err != nil {
			return nil, err
		}
	}
	return n.step.State(), nil
}

// follow fills in the true inputs of the others in a tick, and returns the players that were not present.
func (n *naive[S, I]) follow(f Frame, m *moment[S, I], gone PlayerSet, with fork[S, I]) PlayerSet {
	own := rollback.SetOf(n.player)
	if with.others {
		told := n.truth.knows(n.sight, f, n.player, &n.state) &^ own
		n.note(n.row, m, told)
		copy(n.orders, m.orders)
		n.keepOrders(told)
		gone = m.gone&^own | gone&own
	}
	if with.own {
		gone = gone&^own | m.gone&own
	}
	return gone
}

// turn switches to the current predictions.
func (n *naive[S, I]) turn(gone PlayerSet, with fork[S, I]) PlayerSet {
	for p := range n.row {
		own := Player(p) == n.player
		if own && !with.own || !own && !with.others {
			continue
		}
		n.row[p] = with.now.last[p]
		gone = gone&^rollback.SetOf(Player(p)) | with.now.gone&rollback.SetOf(Player(p))
	}
	return gone
}

// act fills in the input of the client's own player in a tick.
func (n *naive[S, I]) act(f Frame, m *moment[S, I], truly bool) {
	p := n.player
	switch d := n.deeds.at(f); {
	case m != nil && truly:
		n.row[p], n.orders[p] = m.inputs[p], m.orders[p]
	case d != nil:
		n.row[p], n.orders[p] = d.in, d.orders
	}
}
