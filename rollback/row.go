package rollback

// row is what the ring holds of a frame besides inputs and orders: who is known,
// who is gone, and two flags. It is one word, always read and written whole: a
// processor that reads what was written in parts waits for it.
type row uint32

const (
	rowGone     = 8 // shift: who is disconnected, which is known too
	rowFinished = 1 << 16
	rowHashed   = 1 << 17
)

// known returns whose inputs are known; the others are predictions.
func (r row) known() PlayerSet { return PlayerSet(r) }

// gone returns who is disconnected.
func (r row) gone() PlayerSet { return PlayerSet(r >> rowGone) }

// with returns the row in which the input of p is known.
func (r row) with(p Player) row { return r | row(p.bit()) }

// without returns the row in which p is disconnected.
func (r row) without(p Player) row { return r.with(p) | row(p.bit())<<rowGone }

// open returns the row in which the input of p is awaited.
func (r row) open(p Player) row { return r &^ (row(p.bit()) | row(p.bit())<<rowGone) }
