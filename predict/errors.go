package predict

import "errors"

// ErrConfig means that a [Config] makes no sense; the message says why.
var ErrConfig = errors.New("predict: bad config")

// Errors of [Predictor.Do] and [Predictor.Play]. After an error nothing has changed.
var (
	// ErrDuration means that [Motion.Check] refuses the duration of a move.
	ErrDuration = errors.New("predict: bad duration of a move")
	// ErrOrder means that the tick of a move is not above that of the move before it.
	ErrOrder = errors.New("predict: the tick of a move does not go forward")
	// ErrFull means that there is no room for a move, since the server has not acknowledged any for so long. The next
	// update makes room.
	ErrFull = errors.New("predict: as many moves are pending as Config.Room allows")
)

// Errors of [Predictor.Accept]. After an error nothing has changed. Each means that the server is faulty or that the
// update is not from it: a late or duplicate update is not an error.
var (
	// ErrPlayer means that the state is that of another player.
	ErrPlayer = errors.New("predict: the state of another player")
	// ErrFuture means that a move is acknowledged that has not been made yet, after another update or a move: only the
	// first update may say where the count begins.
	ErrFuture = errors.New("predict: acknowledgement of a move that was never made")
	// ErrAckBack means that a later state acknowledges fewer moves than an earlier one.
	ErrAckBack = errors.New("predict: a later state acknowledges less")
)
