package rollback

import "github.com/tickback/tickback/rollback/effects"

// Frame numbers a step: the inputs of frame f drive state f to state f+1, and
// state 0 is the initial one.
type Frame = effects.Frame

// NoFrame means no frame.
const NoFrame = effects.NoFrame

// Status says how much is known about a player's input in a frame.
type Status uint8

const (
	// Predicted: the input has not arrived yet, and this one is a guess.
	Predicted Status = iota
	// Confirmed: this is what the player really did.
	Confirmed
	// Disconnected: the player has left, or has not joined yet. The input is
	// zero, and there are no orders.
	Disconnected
)

var statusNames = [...]string{"predicted", "confirmed", "disconnected"}

// String names the status in lower case.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "unknown"
}

// Tick is what a step sees of its frame besides the state. An engine has one Tick: it is
// valid during the step, and must not be kept.
type Tick[I any] struct {
	frame    Frame
	at       int                // the index of the frame's inputs in the ring
	inputs   []I                // the ring of inputs
	orders   [][]byte           // the ring of orders; nil if the engine takes none
	rows     []row              // the ring of early inputs and absences
	next     *[MaxPlayers]Frame // each player's inputs below this frame are known
	mask     Frame
	newest   *Frame // the first frame that has not run yet
	players  Player
	ahead    bool // the frame is run only to be shown
	testing  bool // a sync test is running: predictions are not marked as such
	finished bool
	result   uint64
	emitter  *effects.Emitter
	meter    *meter // only in ticks that are measured
}

// Frame returns the number of the frame being simulated.
func (t *Tick[I]) Frame() Frame { return t.frame }

// Players returns how many players the match has, whether they are connected or not.
// "for p := range t.Players()" visits them in order.
func (t *Tick[I]) Players() Player { return t.players }

// Input returns the input of player p in this frame, which may be a prediction. It panics
// if there is no player p.
func (t *Tick[I]) Input(p Player) I {
	if p >= t.players {
		panic(noPlayer)
	}
	return t.inputs[t.at+int(p)]
}

// noPlayer is the message of the panic when the step asks for a player that does not exist.
const noPlayer = "rollback: there is no such player in this match: see Tick.Players"

// Orders returns the orders that player p gives in this frame; usually there are none. The bytes belong to the engine:
// read them during the step, but do not change or keep them. It panics if there is no player p.
func (t *Tick[I]) Orders(p Player) []byte {
	if p >= t.players {
		panic(noPlayer)
	}
	if t.orders == nil {
		return nil
	}
	return t.orders[t.at+int(p)]
}

// Status returns how much is known about the input of player p. Whether a player is [Disconnected] may influence the
// state. Whether an input is [Confirmed] or [Predicted] must not: that differs between machines, and between the first
// simulation of a frame and the next. It panics if there is no player p.
func (t *Tick[I]) Status(p Player) Status {
	if p >= t.players {
		panic(noPlayer)
	}
	switch r := t.rows[t.frame&t.mask]; {
	case r.gone().Has(p):
		return Disconnected
	case t.testing && !t.Resimulating():
		return Predicted
	case t.frame < t.next[p.index()] || r.early().Has(p):
		return Confirmed
	}
	return Predicted
}

// Resimulating reports whether this frame has been simulated before. It is for presentation and logs; the state and the
// effects must not depend on it. In a frame that is only run ahead ([Tick.Ahead]) it is false.
func (t *Tick[I]) Resimulating() bool { return t.frame != *t.newest }

// Effects returns the emitter for effects of the step outside of the state:
//
//	Hit.Emit(t.Effects(), key, payload)
//
// It may be nil; emitting to nil does nothing.
func (t *Tick[I]) Effects() *effects.Emitter { return t.emitter }

// Finish says that the match is over after this frame, with a result that the game defines, such as the winner. The
// result is provisional until the frame is agreed, since a prediction may have led to it; see [Engine.Result]. The last
// call in a frame counts. Calls in later frames change nothing.
func (t *Tick[I]) Finish(result uint64) { t.finished, t.result = true, result }
