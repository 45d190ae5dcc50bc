package rollback

import "bytes"

// inputs says what the players do in each frame: which inputs and orders are known, which are guesses, and who is away.
// It also notes which of the frames that have run have to run again.
type inputs[I comparable] struct {
	frame     Frame             // the next to run; also the number of the current state
	known     Frame             // frames below it have all their inputs; NoFrame if no player is left
	next      [MaxPlayers]Frame // inputs of each player below it are known
	irregular PlayerSet         // players with inputs beyond a gap, with an absence to come, or with a supposed input
	roster    roster
	remote    PlayerSet // players of other machines
	ring      ring[I]
	outdated  outdated
	predict   Predictor[I]

	early     [MaxPlayers]int32 // how many inputs are known beyond a gap
	away      absences
	supposing PlayerSet // players with a supposed input
	start     Frame     // the first frame of the match, or of what this engine sees of it
	given     Frame     // the newest state that was set from outside
	history   Frame     // frames held behind the current one
	reserve   Frame     // the frame at which old rows are given to frames ahead

	mispredicted [MaxPlayers]uint64
	duplicates   uint64
}

// newInputs returns inputs of which none is known. There are rows for the frames held behind the current one, and for
// as many frames ahead.
func newInputs[I comparable](cfg *Config, predict Predictor[I]) inputs[I] {
	who := roster{everyone(cfg.Players), cfg.Local}
	return inputs[I]{
		roster: who, remote: who.all &^ who.local, predict: predict,
		history: Frame(cfg.History), ring: newRing[I](2*cfg.History, cfg.Players, cfg.MaxOrders),
	}
}

// reset begins anew with frame start: nobody is away, and no input is known.
func (n *inputs[I]) reset(start Frame) {
	n.frame, n.start, n.given, n.known, n.reserve, n.outdated = start, start, start, start, start+n.history, upToDate
	n.irregular, n.supposing = 0, 0
	n.ring.reset(start)
	for p := range n.next {
		n.next[p], n.early[p], n.away[p] = start, 0, present
	}
	n.mispredicted, n.duplicates = [MaxPlayers]uint64{}, 0
}

// count counts the frames that have all their inputs.
func (n *inputs[I]) count() {
	c := n.next[0]
	for p := 1; p < n.ring.players; p++ {
		c = min(c, n.next[Player(p).index()])
	}
	n.known = c
}

// right returns how many of the frames that have run are not known to be wrong.
func (n *inputs[I]) right() Frame { return min(n.outdated.first, n.frame) }

// has reports whether the input of player p in frame f, which has a row, is known.
func (n *inputs[I]) has(p Player, f Frame) bool {
	return f < n.next[p.index()] || n.ring.row(f).early().Has(p)
}

// add adds an input of a player that is not local.
func (n *inputs[I]) add(p Player, f Frame, in I, orders []byte) error {
	// Nearly always the input is the player's next one, and no player is absent, early or supposed. Orders were predicted
	// as none.
	if n.remote.Has(p) && f == n.next[p.index()] && f-n.ring.base < n.ring.mask && len(orders) == 0 && n.irregular == 0 {
		at := n.ring.input(p, f)
		if f < n.frame && *at != in {
			n.correct(p, f)
		}
		*at = in
		if n.next[p.index()] = f + 1; f == n.known {
			n.count()
		}
		return nil
	}
	return n.addAny(p, f, in, orders)
}

func (n *inputs[I]) addAny(p Player, f Frame, in I, orders []byte) error {
	if !n.remote.Has(p) || !n.ring.holds(f) || len(orders) > n.ring.maxOrders {
		return n.refuse(p, f, orders)
	}
	if n.has(p, f) {
		return n.compare(p, f, in, orders)
	}
	if f < n.frame && (*n.ring.input(p, f) != in || n.ring.orders != nil && !bytes.Equal(n.ring.ordersOf(p, f), orders)) {
		n.correct(p, f)
	}
	n.ring.set(p, f, in, orders)
	row := n.ring.row(f).settled(p)
	if f != n.next[p.index()] {
		n.ring.mark(f, row.with(p))
		n.early[p]++
		n.irregular |= p.bit()
		return nil
	}
	n.ring.mark(f, row)
	if n.next[p.index()] = f + 1; n.irregular != 0 {
		n.skip(p)
	}
	n.count()
	return nil
}

// append sets the input of player p in the first frame without one, which has not run. It reports whether the player
// is present in the frame after it.
func (n *inputs[I]) append(p Player, in I, orders []byte) bool {
	f := n.next[p]
	n.ring.set(p, f, in, orders)
	if n.next[p] = f + 1; n.irregular != 0 {
		n.skip(p)
	}
	n.count()
	return n.next[p] == f+1
}

// follow is append for nearly every frame: without orders, and while irregular is empty.
func (n *inputs[I]) follow(p Player, in I) {
	f := n.next[p.index()]
	*n.ring.input(p, f) = in
	if n.next[p.index()] = f + 1; f == n.known {
		n.count()
	}
}

// leavesBefore reports whether the player, who is present in the current frame, leaves before its next input would take
// effect. It also considers an absence that only the rows still record because a later one has replaced it in n.away.
func (n *inputs[I]) leavesBefore(p Player) bool {
	next, away := n.next[p], n.away[p]
	return n.frame < away.from && next >= away.back ||
		n.frame < next && n.ring.row(next-1).gone().Has(p)
}

// still reports whether in repeats the player's newest known input, and that input had no orders.
func (n *inputs[I]) still(p Player, in I) bool {
	last := n.next[p] - 1
	return *n.ring.input(p, last) == in && len(n.ring.ordersOf(p, last)) == 0
}

// correct notes that frame f has run with a wrong input of player p.
func (n *inputs[I]) correct(p Player, f Frame) {
	n.mispredicted[p]++
	n.outdated.add(f)
}

// skip moves player p's next frame past inputs that came early, and past an absence.
func (n *inputs[I]) skip(p Player) {
	for {
		switch f := n.next[p]; {
		case f == n.away[p].from:
			n.next[p] = n.away[p].back
			if f == NoFrame || n.next[p] == NoFrame {
				return
			}
		case n.early[p] > 0 && n.ring.row(f).early().Has(p):
			n.next[p]++
			n.early[p]--
		default:
			if n.early[p] == 0 && n.away[p] == present {
				n.irregular &^= p.bit() &^ n.supposing
			}
			return
		}
	}
}

// compare distinguishes a duplicate from a conflict.
func (n *inputs[I]) compare(p Player, f Frame, in I, orders []byte) error {
	switch {
	case n.ring.row(f).gone().Has(p):
		return ErrDisconnected
	case f < n.given: // a given state has replaced the frame's inputs
	case *n.ring.input(p, f) != in:
		return &ConflictError{p, f, "input"}
	case !bytes.Equal(n.ring.ordersOf(p, f), orders):
		return &ConflictError{p, f, "orders"}
	}
	n.duplicates++
	return nil
}

// refuse returns the reason why an input is refused, as an error.
func (n *inputs[I]) refuse(p Player, f Frame, orders []byte) error {
	switch {
	case !n.remote.Has(p):
		return n.roster.refuse(p, "is local: give the input to AddLocal")
	case len(orders) > n.ring.maxOrders:
		return &OrdersError{p, len(orders), n.ring.maxOrders}
	}
	return n.outside(p, f)
}

// outside explains why frame f is not in the ring.
func (n *inputs[I]) outside(p Player, f Frame) error {
	if f < n.ring.base {
		setting := "History"
		if f < n.start {
			setting = ""
		}
		return &TooOldError{p, f, n.ring.base, setting}
	}
	return &TooEarlyError{p, f, n.ring.base + n.ring.mask - 1}
}

// get returns an input, its orders, and how much is known about them. They are zero unless they are confirmed.
func (n *inputs[I]) get(p Player, f Frame) (in I, orders []byte, status Status) {
	switch {
	case !n.roster.all.Has(p) || !n.ring.holds(f) || !n.has(p, f):
		return in, nil, Predicted
	case n.ring.row(f).gone().Has(p):
		return in, nil, Disconnected
	}
	return *n.ring.input(p, f), n.ring.ordersOf(p, f), Confirmed
}

// waiting returns the players whose inputs are missing, if frames may run so far beyond the known ones.
func (n *inputs[I]) waiting(window Frame) (players PlayerSet) {
	for p := range Player(n.ring.players) {
		if next := n.next[p.index()]; n.frame >= next && n.frame-next >= window {
			players |= p.bit()
		}
	}
	return players
}

// advance goes on to the next frame, and reports whether rows were reused.
func (n *inputs[I]) advance() bool {
	if n.frame++; n.frame <= n.reserve {
		return false
	}
	n.retire()
	return true
}

// retire reuses the rows of the oldest frames for frames ahead. It does many at a time, to keep ticks cheap.
func (n *inputs[I]) retire() {
	fresh := n.ring.base + n.ring.mask
	if n.ring.advance(n.frame - n.history); n.irregular != 0 {
		n.markAbsent(fresh)
		n.forgetAbsences()
	}
	n.reserve = n.frame + n.history/reserveShare
}

// reserveShare sets how often retire runs: once every history/reserveShare frames.
const reserveShare = 8

// settleBelow makes everything before state f known, which has been set. It reports whether an input was missing.
func (n *inputs[I]) settleBelow(f Frame) (missing bool) {
	missing = n.known < f
	for p := range Player(n.ring.players) {
		if n.next[p.index()] < f {
			n.pass(p, f)
		}
	}
	n.count()
	n.given = max(n.given, f)
	return missing
}

// pass marks all inputs of player p before frame f as known.
func (n *inputs[I]) pass(p Player, f Frame) {
	for g := n.next[p]; g != f; g++ {
		if r := n.ring.row(g); r.early().Has(p) && !r.gone().Has(p) {
			n.early[p]--
		}
	}
	n.next[p] = f
	if n.away[p].covers(f) {
		n.next[p] = n.away[p].back
	}
	if n.next[p] != NoFrame {
		n.skip(p)
	}
}

// outdated are the frames that have run with an input or from a state that was wrong: the first and the last of them.
type outdated struct{ first, last Frame }

// upToDate is the value if there are no such frames.
var upToDate = outdated{NoFrame, 0}

// add adds frame f.
func (o *outdated) add(f Frame) { o.first, o.last = min(o.first, f), max(o.last, f) }

// addAll adds the frames from f on of those before end, if there are any.
func (o *outdated) addAll(f, end Frame) {
	if f < end {
		o.add(f)
		o.add(end - 1)
	}
}

// take returns the frames, and then there are none.
func (o *outdated) take() (first, last Frame) {
	first, last = o.first, o.last
	*o = upToDate
	return first, last
}

// AddInput adds the input and the orders of a player that is not local. Frames may come
// in any order. Orders are copied; most frames have none.
//
// A second input for a frame is ignored if it is the same, and is a [*ConflictError] if
// not. Other errors: [*TooOldError], [*TooEarlyError], [*OrdersError], [*PlayerError],
// [ErrDisconnected]. After an error the match is as it was.
//
// If the frame has been simulated with another input, the next [Engine.Tick]
// rolls back.
func (e *core[I]) AddInput(p Player, f Frame, in I, orders []byte) error {
	return e.inputs.add(p, f, in, orders)
}

// Input returns the input and the orders of player p in frame f, and their status: [Confirmed] if they were received or
// sampled, [Disconnected], with zeros, if the player is gone, and otherwise [Predicted], with zeros too. A loop that
// collects inputs to send therefore stops at the first one that is not Confirmed. The orders belong to the engine and
// are valid until the next call of Tick.
func (e *core[I]) Input(p Player, f Frame) (in I, orders []byte, status Status) {
	return e.inputs.get(p, f)
}
