package predict

import "time"

// Player is the number of a player; the game decides how players are numbered.
type Player uint32

// Frame is the number of a state of the server. Later states have higher numbers.
type Frame uint32

// Tick is the number of a move of one player. Later moves have higher numbers. The first move that [Predictor.Do] makes
// is 1, or the next one at a server that continues an earlier count (see [Predictor.Accept]). As an acknowledgement, it
// covers all moves up to it, and 0 covers none.
type Tick uint32

// Move is what a player did for some time. It is what a client sends to the server.
type Move[I comparable] struct {
	Tick  Tick
	Input I
	For   time.Duration
}

// Update is a message of the server about one player: the state at its frame, which includes all moves up to Acked, and
// no others.
type Update[S any] struct {
	Player Player
	Frame  Frame
	Acked  Tick
	State  S
}
