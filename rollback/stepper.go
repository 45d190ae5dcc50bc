package rollback

import (
	"fmt"

	"github.com/tickback/tickback/canon"
)

// Stepper runs a match whose inputs, orders and absences are all known, frame by frame. A step sees the same as in an
// [Engine] that is fed the same frames ([Engine.Feed]), except that effects are dropped. Nothing is predicted,
// journalled or held, so a frame costs little more than its step. Use it to check or search a recording.
//
// A Stepper holds one state. It starts no goroutines and is not safe for concurrent use. Several can run side by side,
// unless the game is an [OwnMemory] without New.
type Stepper[S any, I comparable] struct {
	box     box[S, I]
	tick    Tick[I]
	next    [MaxPlayers]Frame // all inputs are known
	most    int               // the maximum size in bytes of one player's orders in a frame
	orders  [][]byte          // the orders of a step, without those of disconnected players
	inputs  []I               // the inputs of a step, with zeros for disconnected players
	over    bool
	outcome Outcome
}

// NewStepper returns a stepper with the game in state 0. Orders of one player in one frame may have at most maxOrders
// bytes, and maxOrders is at most [MaxOrderBytes].
func NewStepper[S any, I comparable](game Definition[S, I], players, maxOrders int) (*Stepper[S, I], error) {
	if maxOrders < 0 || maxOrders > MaxOrderBytes {
		return nil, fmt.Errorf("rollback: orders of %d bytes, not 0 to %d", maxOrders, MaxOrderBytes)
	}
	if err := checkInput[I](); err != nil {
		return nil, err
	}
	b, common, err := game.sandbox(0, true)
	if err != nil {
		return nil, err
	}
	if err := common.admit(players); err != nil {
		return nil, err
	}
	s := &Stepper[S, I]{box: b, most: maxOrders, inputs: make([]I, players), orders: make([][]byte, players)}
	for p := range s.next {
		s.next[p] = NoFrame
	}
	t := &s.tick
	// The newest frame is always the frame that runs, because no frame is simulated again.
	t.players, t.rows, t.next, t.newest = Player(players), make([]row, 1), &s.next, &t.frame
	return s, nil
}

// Restart turns the live state into state 0 again, with init or, if that is nil, with the
// game's Init. See [Engine.Restart].
func (s *Stepper[S, I]) Restart(init func(*S)) error {
	if err := s.box.init(init); err != nil {
		return err
	}
	s.begin(0)
	return nil
}

// Load makes an encoded state the live one, as state f: the next frame to run is f. On an error everything is as it
// was. For a game that cannot unmarshal, the error is a [*CapabilityError]; for a number beyond the length of any
// match, it is [ErrFrames].
func (s *Stepper[S, I]) Load(f Frame, encoded []byte) error {
	if f >= lastFrame {
		return ErrFrames
	}
	if err := s.box.unmarshal(encoded); err != nil {
		return err
	}
	s.begin(f)
	return nil
}

func (s *Stepper[S, I]) begin(f Frame) { s.tick.frame, s.over, s.outcome = f, false, Outcome{} }

// Frame returns the number of the next frame to run, which is that of the live state.
func (s *Stepper[S, I]) Frame() Frame { return s.tick.frame }

// State returns the live state. It belongs to the stepper; do not change it.
func (s *Stepper[S, I]) State() *S { return s.box.live() }

// Result returns how the match ended, and whether it has ended: the first frame since the beginning, or since Load,
// that finished it, and its result.
func (s *Stepper[S, I]) Result() (Outcome, bool) { return s.outcome, s.over }

// Hash returns the hash of the live state.
func (s *Stepper[S, I]) Hash() (uint64, error) { return s.box.hash() }

// Marshal appends the encoding of the live state to b. For a game that cannot marshal, the error is a
// [*CapabilityError].
func (s *Stepper[S, I]) Marshal(b []byte) ([]byte, error) { return s.box.marshal(b) }

// Differences compares an encoded state (A) with the live one (B), which does not change, and returns at most the given
// number of fields. For a game with its own memory, it sees only what the game describes.
func (s *Stepper[S, I]) Differences(encoded []byte, most int) (canon.Report, error) {
	return s.box.against(encoded, most)
}

// Step runs one frame with the inputs and orders of each player; nil means no orders.
// Players in gone are [Disconnected]: their input counts as zero, and their orders are
// dropped.
func (s *Stepper[S, I]) Step(inputs []I, orders [][]byte, gone PlayerSet) error {
	t := &s.tick
	if len(inputs) != int(t.players) || orders != nil && len(orders) != len(inputs) {
		return fmt.Errorf("rollback: frame %d has %d inputs and %d orders for %d players", t.frame, len(inputs), len(orders), t.players)
	}
	copy(s.inputs, inputs)
	t.orders = nil
	if orders != nil {
		for p, o := range orders {
			if gone.Has(Player(p)) {
				o = nil
			}
			if len(o) > s.most {
				return &OrdersError{Player(p), len(o), s.most}
			}
			s.orders[p] = o
		}
		t.orders = s.orders
	}
	return s.run(s.inputs, gone)
}

// Run runs several frames without orders: inputs has those of each player in the first
// frame, then those of the second, and so on. The players in gone are disconnected in all
// of them; their inputs are set to zero in place.
func (s *Stepper[S, I]) Run(inputs []I, gone PlayerSet) error {
	if n := int(s.tick.players); len(inputs)%n != 0 {
		return fmt.Errorf("rollback: %d inputs are no frames of %d players", len(inputs), n)
	}
	s.tick.orders = nil
	return s.run(inputs, gone)
}

func (s *Stepper[S, I]) run(inputs []I, gone PlayerSet) error {
	t := &s.tick
	n := len(inputs) / int(t.players)
	if t.frame >= lastFrame || uint64(n) > uint64(lastFrame-t.frame) {
		return ErrFrames
	}
	t.rows[0] = 0
	for p := range (gone & everyone(int(t.players))).All() {
		t.rows[0] = t.rows[0].without(p)
		for i := int(p); i < len(inputs); i += int(t.players) {
			inputs[i] = *new(I)
		}
	}
	t.inputs, t.at, t.finished = inputs, 0, false
	for n > 0 {
		ran := s.box.run(t, n)
		n -= ran
		if t.finished {
			t.finished = false
			if !s.over {
				s.outcome, s.over = Outcome{t.frame - 1, t.result}, true
			}
		}
	}
	return nil
}
