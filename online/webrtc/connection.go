package webrtc

import "time"

// connection is a peer connection with its data channel: pion's, or the browser's. Its
// methods, except send, are called by one goroutine, and never from a callback.
type connection interface {
	// offer makes a description, and restart looks for new ways.
	offer(restart bool) (sdp string, err error)
	// answer takes an offer, and makes the answer.
	answer(sdp string) (string, error)
	// accept takes an answer.
	accept(sdp string) error
	// add takes a way that the other side offers.
	add(c *candidate) error
	// serve has the servers of another maker used for ways that are looked for later.
	serve(m *maker)
	// send sends a datagram, and never waits. The bytes are the caller's again.
	send(b []byte) error
	// close frees everything; nothing is called back after it has returned.
	close()
}

// callbacks are what a connection tells. They do not block, and may come from any
// goroutine.
type callbacks struct {
	candidate func(c candidate)
	state     func(s pathState)
	open      func(open bool) // the data channel
	datagram  func(b []byte, at time.Time)
}

// pathState is the state of the way to the other side.
type pathState uint8

const (
	pathConnected pathState = iota + 1
	pathInterrupted
	pathFailed
)

const (
	// maxBuffered is how many bytes a connection may hold back. Natively what is not
	// acknowledged yet counts, too, so it is 200 KB a second for 300 ms: a match needs a
	// tenth of that, and the transfer of a state less.
	maxBuffered = 64 << 10

	channelLabel = "tickback"
	channelID    = 0
)
