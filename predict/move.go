package predict

import "time"

// Player is the number of a player, by whatever the game counts players.
type Player uint32

// Frame is the number of a state of the server. Later states have higher ones.
type Frame uint32

// Tick is the number of a move of one player. Later moves have higher ones; the
// first that [Predictor.Do] makes is 1, or the next one at a server that counts on (see
// [Predictor.Accept]). As an acknowledgement it stands for all moves up to it, and 0 is none.
type Tick uint32

// Move is what a player did for a while. It is what a client sends to the server.
type Move[I comparable] struct {
	Tick  Tick
	Input I
	For   time.Duration
}

// Update is what the server says about one player: the state at its frame, in which
// all moves up to Acked, and no other, have been made.
type Update[S any] struct {
	Player Player
	Frame  Frame
	Acked  Tick
	State  S
}
