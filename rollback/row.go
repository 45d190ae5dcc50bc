package rollback

// row is what the ring holds of a frame besides inputs and orders: the players whose
// input came before that of an earlier frame, the players who are gone, and two flags.
// (Inputs that came in order are known by the player's next frame.)
type row uint32

const (
	rowGone     = 8 // shift: the disconnected players, also of frames ahead
	rowFinished = 1 << 16
	rowHashed   = 1 << 17
)

// early returns whose inputs are known although one before may be missing.
func (r row) early() PlayerSet { return PlayerSet(r) }

// gone returns the disconnected players.
func (r row) gone() PlayerSet { return PlayerSet(r >> rowGone) }

// with returns the row in which the input of p came early.
func (r row) with(p Player) row { return r | row(p.bit()) }

// without returns the row in which p is disconnected.
func (r row) without(p Player) row { return r.with(p) | row(p.bit())<<rowGone }

// open returns the row in which the input of p is awaited.
func (r row) open(p Player) row { return r &^ (row(p.bit()) | row(p.bit())<<rowGone) }
