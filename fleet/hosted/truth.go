package hosted

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// held is the number of seconds for which the truth is held: longer than it can take until a client is told.
const held = 60

// truth is what the server has played: the states, and the ticks between them.
type truth[S any, I comparable] struct {
	values *canon.Plan[S]
	ring   []moment[S, I]
	newest Frame
	// offline runs the same inputs, orders and absences without a server.
	offline *rollback.Stepper[S, I]
}

// moment is a state, and the tick that follows it.
type moment[S any, I comparable] struct {
	number Frame
	state  S
	hash   uint64

	inputs  []I
	orders  [][]byte
	gone    PlayerSet
	because reasons
	effects []occurrence
}

// reasons has the players whose input in a tick is not what they have sent for it, by reason.
type reasons struct{ replaced, carried, refused PlayerSet }

// occurrence is an effect that happened in a tick.
type occurrence struct {
	kind    uint8
	key     uint32
	payload string
}

func occurrenceOf(e *effects.Event) occurrence {
	return occurrence{e.Kind, e.Key, string(e.Bytes())}
}

func newTruth[S any, I comparable](game *Game[S, I], plan *Plan) (*truth[S, I], error) {
	t := &truth[S, I]{ring: make([]moment[S, I], held*plan.TickRate)}
	for i := range t.ring {
		t.ring[i].inputs, t.ring[i].orders = make([]I, plan.Places), make([][]byte, plan.Places)
	}
	var err error
	if t.values, err = canon.PlanFor[S](canon.AllowFloats); err != nil {
		return nil, err
	}
	t.offline, err = rollback.NewStepper(game.Game, plan.Places, game.MaxOrders)
	return t, err
}

// at returns a moment, or nil if it is not held.
func (t *truth[S, I]) at(f Frame) *moment[S, I] {
	if f > t.newest || t.newest-f >= Frame(len(t.ring))-1 {
		return nil
	}
	return &t.ring[f%Frame(len(t.ring))]
}

// begin records state 0 as the first one.
func (t *truth[S, I]) begin(s *S) error {
	m := &t.ring[0]
	m.number, m.state, m.hash = 0, *s, t.values.Hash(s)
	return t.offline.Put(0, s)
}

// add adds a tick, and the state that resulted from it.
func (t *truth[S, I]) add(a *rollback.Agreed[I], s *S, because reasons) {
	m := t.at(a.Frame)
	copy(m.inputs, a.Inputs)
	m.gone, m.because, m.effects = 0, because, m.effects[:0]
	for p := range m.orders {
		m.orders[p] = nil
		if a.Statuses[p] == rollback.Disconnected {
			m.gone |= rollback.SetOf(Player(p))
		} else if a.Orders != nil && len(a.Orders[p]) > 0 {
			m.orders[p] = append([]byte(nil), a.Orders[p]...)
		}
	}
	t.newest = a.Frame + 1
	m = t.at(t.newest)
	m.number, m.state, m.hash = t.newest, *s, a.Hash
}

// knows reduces state f, in *s, to what a player is allowed to know, and returns the players whose inputs in the
// following tick it may be told.
func (t *truth[S, I]) knows(sight func(s *S, p Player) PlayerSet, f Frame, p Player, s *S) (told PlayerSet) {
	m := t.at(f)
	*s = m.state
	told = ^PlayerSet(0)
	if sight != nil {
		told = sight(s, p)
	}
	return told &^ m.gone
}
