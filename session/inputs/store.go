package inputs

import (
	"slices"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// Aliases of types of package rollback.
type (
	Frame  = rollback.Frame
	Player = rollback.Player
)

// Engine simulates the inputs.
type Engine interface {
	// InputSize is the length of every encoded input.
	InputSize() int
	// AppendInput appends the encoded input of a known frame to b, and returns its orders.
	AppendInput(b []byte, p Player, f Frame) (input, orders []byte)
	// OrdersOf returns the orders of a frame, and whether the engine holds its input.
	OrdersOf(p Player, f Frame) (orders []byte, held bool)
	// TakeInput takes the encoded input of a remote player, and its orders; TakePlain one without orders.
	TakeInput(p Player, f Frame, input, orders []byte) error
	TakePlain(p Player, f Frame, input []byte) error
}

// Config is the configuration of a [Store]. It stays the same from match to match.
type Config struct {
	Players   int
	Local     []Player // the local players, ascending
	MaxOrders int      // maximum bytes of orders of a player per frame; 0 means none
	Ahead     Frame    // how many frames early inputs may come
}

// leastHistory is for how many inputs of a player of another machine there is room at first: twice as many as are sent
// again while an acknowledgement is under way for half a second.
const leastHistory = 64

// Store holds the newest inputs of all players in encoded form.
type Store struct {
	cfg     Config
	engine  Engine
	inline  int                // maximum bytes of orders that travel with their input
	history []datagram.History // of each player
	own     *datagram.History  // of the first local player
	books   []book
	block   []byte           // the blocks of the datagram being composed
	kept    datagram.Block   // that block if there is one local player
	list    []datagram.Order // of the datagram being read
}

// New returns a store without a match; call [Store.Reset] to begin one.
func New(cfg Config, engine Engine) *Store {
	s := &Store{
		cfg: cfg, engine: engine, inline: min(inlineOrders, ordersRoom/len(cfg.Local)-datagram.OrderSize),
		history: make([]datagram.History, cfg.Players), books: make([]book, cfg.Players),
	}
	s.own = &s.history[cfg.Local[0]]
	for p := range s.history {
		if cfg.MaxOrders == 0 && !slices.Contains(cfg.Local, Player(p)) {
			s.history[p].Least = leastHistory // with orders, an input may wait here for its own until it is old
		}
	}
	return s
}

// Reset empties the store for a match that begins at frame 0.
func (s *Store) Reset() {
	for p := range Player(s.cfg.Players) {
		s.Start(p, 0)
		s.Forget(p)
	}
}

// Start makes the inputs of a player begin at a frame.
func (s *Store) Start(p Player, f Frame) {
	s.history[p].Start(s.engine.InputSize(), uint32(f), nil)
	s.kept.Discard()
}

// Forget discards orders and inputs of a player that wait for each other.
func (s *Store) Forget(p Player) {
	o := &s.books[p]
	o.early, o.waiting = o.early[:0], o.waiting[:0]
}

// Next returns the first frame without an input of a player.
func (s *Store) Next(p Player) Frame { return Frame(s.history[p].Next()) }

// Sampled returns the number of frames for which the inputs of all local players exist. Nobody can have more.
func (s *Store) Sampled() Frame {
	n := rollback.NoFrame
	for _, p := range s.cfg.Local {
		n = min(n, s.Next(p))
	}
	return n
}

// Push adds the next input of a local player, encoded, and its orders. It reports whether these are too long to travel
// with it, and have to be sent separately.
func (s *Store) Push(p Player, input, orders []byte) (apart bool) {
	h := &s.history[p]
	s.books[p].note(h.Next(), len(orders))
	h.Push(input)
	return len(orders) > s.inline
}

// Idle gives a local player empty inputs up to a frame.
func (s *Store) Idle(p Player, until Frame) {
	for empty := make([]byte, s.engine.InputSize()); s.Next(p) < until; {
		s.Push(p, empty, nil)
	}
}

// Append appends an agreed input.
func (s *Store) Append(p Player, input []byte) { s.history[p].Push(input) }
