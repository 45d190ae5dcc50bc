package inputs

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// Names of package rollback.
type (
	Frame  = rollback.Frame
	Player = rollback.Player
)

// Engine simulates the inputs.
type Engine interface {
	// InputSize is the length of every encoded input.
	InputSize() int
	// AppendInput appends the input of a frame that is known, encoded, and returns its orders.
	AppendInput(b []byte, p Player, f Frame) (input, orders []byte)
	// OrdersOf returns the orders of a frame, and whether the engine holds its input.
	OrdersOf(p Player, f Frame) (orders []byte, held bool)
	// TakeInput takes the encoded input of a player elsewhere, and its orders.
	TakeInput(p Player, f Frame, input, orders []byte) error
}

// Config is what stays the same from match to match.
type Config struct {
	Players   int
	Local     []Player // those who play here, ascending
	MaxOrders int      // bytes of orders of a player in a frame; 0 is none
	Ahead     Frame    // how many frames early inputs may come
}

// Store holds the newest inputs of all players as they are sent.
type Store struct {
	cfg     Config
	engine  Engine
	inline  int                // the most bytes of orders that travel with their input
	history []datagram.History // of each player
	books   []book
	block   []byte           // of the datagram that is composed
	made    made             // of which inputs that is, if one plays here
	list    []datagram.Order // of the datagram that is read
	input   []byte
}

// New returns a store without a match: [Store.Reset] begins one.
func New(cfg Config, engine Engine) *Store {
	return &Store{
		cfg: cfg, engine: engine, inline: min(inlineOrders, ordersRoom/len(cfg.Local)-datagram.OrderSize),
		history: make([]datagram.History, cfg.Players), books: make([]book, cfg.Players),
	}
}

// Reset empties the store, for a match from frame 0 on.
func (s *Store) Reset() {
	for p := range Player(s.cfg.Players) {
		s.Start(p, 0)
		s.Forget(p)
	}
}

// Start has the inputs of a player begin with a frame.
func (s *Store) Start(p Player, f Frame) {
	s.history[p].Start(s.engine.InputSize(), uint32(f), nil)
	s.made.any = false // inputs are only added until then, so that a block stays what it is
}

// Forget forgets orders and inputs of a player that wait for each other.
func (s *Store) Forget(p Player) {
	o := &s.books[p]
	o.early, o.waiting = o.early[:0], o.waiting[:0]
}

// Next returns the first frame of which there is no input of a player.
func (s *Store) Next(p Player) Frame { return Frame(s.history[p].Next()) }

// Sampled is of how many frames there are the inputs of all who play here. Nobody can have more.
func (s *Store) Sampled() Frame {
	n := rollback.NoFrame
	for _, p := range s.cfg.Local {
		n = min(n, s.Next(p))
	}
	return n
}

// Push takes the next input of a player who plays here from the engine. Its orders, if there
// are any, go apart if they are too long to travel with it.
func (s *Store) Push(p Player) (o Orders, apart bool) {
	h := &s.history[p]
	o = Orders{Player: p, Frame: Frame(h.Next())}
	s.input, o.Bytes = s.engine.AppendInput(s.input[:0], p, o.Frame)
	s.books[p].note(uint32(o.Frame), len(o.Bytes))
	h.Push(s.input)
	return o, len(o.Bytes) > s.inline
}

// Idle has a player who plays here do nothing until a frame.
func (s *Store) Idle(p Player, until Frame) {
	s.input = append(s.input[:0], make([]byte, s.engine.InputSize())...)
	for s.Next(p) < until {
		s.books[p].note(s.history[p].Next(), 0)
		s.history[p].Push(s.input)
	}
}

// Append appends an input on which all have agreed.
func (s *Store) Append(p Player, input []byte) { s.history[p].Push(input) }
