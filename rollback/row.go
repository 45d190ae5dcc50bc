package rollback

// row is what the ring holds for a frame besides inputs and orders: the players whose
// input came before that of an earlier frame, the players that are gone, those whose input
// is supposed, and two flags. (Inputs that came in order are recorded by the player's next
// frame.)
type row uint64

const (
	rowGone     = 16 // shift: the disconnected players, also of frames ahead
	rowFinished = 1 << 32
	rowHashed   = 1 << 33
	rowSupposed = 48 // shift: the players whose input and orders are supposed
)

// early returns the players whose input is known although an earlier one may be missing.
func (r row) early() PlayerSet { return PlayerSet(r) }

// gone returns the disconnected players.
func (r row) gone() PlayerSet { return PlayerSet(r >> rowGone) }

// with returns the row with the input of p marked as early.
func (r row) with(p Player) row { return r | row(p.bit()) }

// supposed returns the players whose input is not known, but supposed.
func (r row) supposed() PlayerSet { return PlayerSet(r >> rowSupposed) }

// supposing returns the row with the input of p marked as supposed, and settled the row without that mark.
func (r row) supposing(p Player) row { return r | row(p.bit())<<rowSupposed }
func (r row) settled(p Player) row   { return r &^ (row(p.bit()) << rowSupposed) }

// without returns the row with p marked as disconnected.
func (r row) without(p Player) row { return r.settled(p).with(p) | row(p.bit())<<rowGone }

// open returns the row with the input of p marked as missing.
func (r row) open(p Player) row { return r &^ (row(p.bit()) | row(p.bit())<<rowGone) }
