package predict

import "errors"

// What [New] refuses.
var (
	// ErrConfig is a [Config] that makes no sense; the message says what.
	ErrConfig = errors.New("predict: bad config")
)

// What [Predictor.Do] and [Predictor.Play] refuse. Nothing has changed then.
var (
	// ErrDuration is a move whose duration [Motion.Check] refuses.
	ErrDuration = errors.New("predict: bad duration of a move")
	// ErrOrder is a move whose tick is not above that of the move before it.
	ErrOrder = errors.New("predict: the tick of a move does not go forward")
	// ErrFull is a move for which there is no room, since the server has
	// acknowledged none for so long. The next update makes room.
	ErrFull = errors.New("predict: too many moves are pending")
)

// What [Predictor.Accept] refuses. Then only [Stats.Refused] changes. Each means that the
// server is faulty or that the update is not from it: a late or duplicate update is no
// error.
var (
	// ErrPlayer is the state of another player.
	ErrPlayer = errors.New("predict: the state of another player")
	// ErrFuture is an acknowledgement of a move that has not been made yet, after another
	// update or a move: the first update may say where the count begins.
	ErrFuture = errors.New("predict: acknowledgement of a move that was never made")
	// ErrAckBack is a later state that acknowledges less than an earlier one.
	ErrAckBack = errors.New("predict: a later state acknowledges less")
)
