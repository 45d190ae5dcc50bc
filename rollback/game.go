package rollback

import (
	"github.com/tickback/tickback/rollback/effects"
)

// Game is a game whose state is plain: a type without pointers, as
// [canon.PlanFor] checks it. A copy of such a state is a snapshot, and canon
// gives its hash, equality, encoding and differences, so only these two functions have
// to be written.
//
// I is a plain type too, without floats, of at most [MaxInputSize] bytes in its
// canonical encoding: what one player does in one frame.
type Game[S any, I comparable] struct {
	// Init turns *s, which is zero, into state 0. Nil leaves it zero. An engine calls it once for each match.
	Init func(s *S)
	// Step advances the state by one frame, in place. Nothing but the state and
	// the tick may influence it, and it must not keep either.
	Step func(s *S, t *Tick[I])

	// Predict guesses an input that has not arrived. Nil repeats the newest one
	// before it.
	Predict Predictor[I]
	// Effects declares every kind of effect that Step may emit.
	Effects []effects.Declaration
	// Players returns an error if the game cannot have that number of players. Then no engine, stepper or sandbox is made,
	// and their error wraps this one. Nil accepts 1 to [MaxPlayers].
	Players func(n int) error
	// AllowFloats allows floats in the state; see canon.AllowFloats. The price is that only equal machines can play
	// together: the results of floats depend on the architecture and on the compiler. So a handshake refuses a peer with
	// another GOARCH, another level of it (GOAMD64) or another version of Go, and a recording that was made on such a
	// machine may not verify. Floats: [Strict] does not have this drawback.
	AllowFloats bool
	// Floats set to [Strict] allows floats that are the same on every machine, in the state and in what a step computes.
	// After each step, every NaN in the state is replaced by the same one.
	Floats Floats
}

// Predictor predicts the input of a player in frame f from last, the newest earlier input
// that is known, which is that of frame known. If no input is known, known is [NoFrame]
// and last is zero. It must depend on its arguments alone.
//
// Use it to release buttons that players rarely hold: if a button is pressed for one
// frame, the next frame is predicted better without it.
type Predictor[I any] func(p Player, f, known Frame, last I) I
