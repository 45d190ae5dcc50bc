package webrtc

import "time"

// connection is a peer connection with its data channel: pion's, or the browser's. Its methods, except send, are
// called by one goroutine, and never from a callback.
type connection interface {
	// offer makes a description; if restart is set, it searches for new paths.
	offer(restart bool) (sdp string, err error)
	// answer applies an offer, and makes the answer.
	answer(sdp string) (string, error)
	// accept applies an answer.
	accept(sdp string) error
	// add adds a candidate of the other side.
	add(c *candidate) error
	// serve sets the servers, those of another maker, for later searches for paths.
	serve(m *maker)
	// send sends a datagram, and never blocks. The caller may reuse b afterwards.
	send(b []byte) error
	// close frees everything; no callback is called after it has returned.
	close()
}

// callbacks are called by a connection. They do not block, and may come from any goroutine.
type callbacks struct {
	candidate func(c candidate)
	state     func(s pathState)
	open      func(open bool) // the data channel has opened or closed
	datagram  func(b []byte, at time.Time)
}

// pathState is the state of the path to the other side.
type pathState uint8

const (
	pathConnected pathState = iota + 1
	pathInterrupted
	pathFailed
)

const (
	// maxBuffered is how many bytes a connection may buffer. Natively, unacknowledged bytes count, too, so this allows
	// 200 KB a second at a round trip of 300 ms: a match needs a tenth of that, and the transfer of a state needs
	// less.
	maxBuffered = 64 << 10

	channelLabel = "tickback"
	channelID    = 0
)
