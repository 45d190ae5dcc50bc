package rollback

import "fmt"

// ring holds the inputs and orders of all players in the frames around the current one: a row for each of the frames
// from base on. Which of them are known and which are guesses is decided by inputs.
type ring[I any] struct {
	base      Frame // the oldest frame with a row
	mask      Frame // frame f is in row f & mask
	players   int
	rows      []row
	inputs    []I      // one for each player in each row
	orders    [][]byte // like inputs; nil without orders
	maxOrders int      // in bytes, of one player in one frame
}

// newRing returns a ring of so many rows, a power of two.
func newRing[I any](rows, players, maxOrders int) ring[I] {
	r := ring[I]{
		mask: Frame(rows - 1), players: players, maxOrders: maxOrders,
		rows: make([]row, rows), inputs: make([]I, rows*players),
	}
	if maxOrders > 0 {
		r.orders = make([][]byte, rows*players)
	}
	return r
}

// reset empties all rows; the first is that of frame start.
func (r *ring[I]) reset(start Frame) {
	r.base = start
	clear(r.rows)
	clear(r.inputs)
	for i := range r.orders {
		r.orders[i] = emptied(r.orders[i])
	}
}

// advance gives the rows of the frames below base to frames ahead: inputs are left to be overwritten, and orders
// removed.
func (r *ring[I]) advance(base Frame) {
	for ; r.base < base; r.base++ {
		f := r.base + r.mask
		if r.rows[f&r.mask] = 0; r.orders != nil {
			r.emptyOrders(f)
		}
	}
}

// emptyOrders removes the orders of frame f.
func (r *ring[I]) emptyOrders(f Frame) {
	i := r.index(0, f)
	for p := range r.players {
		r.orders[i+p] = emptied(r.orders[i+p])
	}
}

// holds reports whether frame f has a row.
func (r *ring[I]) holds(f Frame) bool { return f-r.base <= r.mask-1 }

// row returns the row of frame f.
func (r *ring[I]) row(f Frame) row { return r.rows[f&r.mask] }

// index returns where the input and orders of a player are.
func (r *ring[I]) index(p Player, f Frame) int { return int(f&r.mask)*r.players + int(p) }

// input returns the place of an input.
func (r *ring[I]) input(p Player, f Frame) *I { return &r.inputs[int(f&r.mask)*r.players+int(p)] }

// ordersOf returns the orders of a player; nil without orders.
func (r *ring[I]) ordersOf(p Player, f Frame) []byte {
	if r.orders == nil {
		return nil
	}
	return r.orders[r.index(p, f)]
}

// set sets an input and a copy of its orders.
func (r *ring[I]) set(p Player, f Frame, in I, orders []byte) {
	i := r.index(p, f)
	r.inputs[i] = in
	if r.orders != nil {
		r.orders[i] = append(r.orders[i][:0], orders...)
	}
}

// mark changes the row of frame f.
func (r *ring[I]) mark(f Frame, to row) { r.rows[f&r.mask] = to }

// keptOrders is the memory in bytes that an entry of the ring keeps for orders: enough for
// most orders, and small enough to keep in every entry.
const keptOrders = 256

// fits returns an error unless there is an input of frame f for each player, and orders for all or none.
func (r *ring[I]) fits(f Frame, inputs []I, orders [][]byte) error {
	if n := r.players; len(inputs) != n || orders != nil && len(orders) != n {
		return fmt.Errorf("rollback: frame %d has %d inputs and %d orders for %d players", f, len(inputs), len(orders), n)
	}
	return nil
}

// emptied returns a buffer for orders, with its content removed.
func emptied(b []byte) []byte {
	if cap(b) > keptOrders {
		return nil
	}
	return b[:0]
}

// row is what the ring holds for a frame besides inputs and orders: the players whose
// input came before that of an earlier frame, the players that are gone, and those whose input
// is supposed. (Inputs that came in order are recorded by the player's next frame.)
type row uint64

const (
	rowGone     = 16 // shift of the disconnected players, also in frames ahead
	rowSupposed = 32 // shift of the players whose input and orders are supposed
)

// early returns the players whose input is known although an earlier one may be missing.
func (r row) early() PlayerSet { return PlayerSet(r) }

// gone returns the disconnected players.
func (r row) gone() PlayerSet { return PlayerSet(r >> rowGone) }

// with returns the row with the input of p marked as early.
func (r row) with(p Player) row { return r | row(p.bit()) }

// supposed returns the players whose input is supposed: it is not known.
func (r row) supposed() PlayerSet { return PlayerSet(r >> rowSupposed) }

// supposing returns the row with the input of p marked as supposed; settled returns it without that mark.
func (r row) supposing(p Player) row { return r | row(p.bit())<<rowSupposed }
func (r row) settled(p Player) row   { return r &^ (row(p.bit()) << rowSupposed) }

// without returns the row with p marked as disconnected.
func (r row) without(p Player) row { return r.settled(p).with(p) | row(p.bit())<<rowGone }

// open returns the row with the input of p marked as missing.
func (r row) open(p Player) row { return r &^ (row(p.bit()) | row(p.bit())<<rowGone) }
