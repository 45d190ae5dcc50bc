package served

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// log passes the ticks that have run to their readers: a recording, the chain of hashes, and the spectators.
type log struct {
	world  world
	match  stream.Parameters
	offer  datagram.Offer
	told   datagram.Offer // offer as sent to clients
	shape  agreed.Shape
	stream stream.Stream
	// partial says that clients do not get everything.
	partial bool
}

// listen turns on the encoding of frames if anything reads them, or they are kept.
func (l *log) listen(kept bool) { l.world.encode(kept || l.stream.Reads()) }

// record makes a recorder record every tick from the next one on, or, if the match has gone on from a journal, from
// its beginning.
func (l *log) record(r stream.Recorder, wants stream.Wants, journal Journal) error {
	f := l.world.Frame()
	switch {
	case l.stream.Recording.On():
		return session.ErrRecording
	case f > 0 && journal != nil:
		if err := l.retell(journal, r, wants); err != nil {
			return err
		}
		l.stream.Recording.Continue(r, wants, 1, f)
		l.listen(true)
		return nil
	case f > 0 && !l.world.Marshals():
		return &rollback.CapabilityError{Missing: "Marshal", For: "a recording that begins in the middle of a match"}
	}
	b := stream.Begin{Match: 1, Parameters: l.match, Initial: l.offer.State, Shape: l.shape, First: f}
	if f > 0 {
		var err error
		if b.State, err = l.world.Marshal(nil, f); err != nil {
			return err
		}
	}
	l.stream.Recording.Prepare(r, wants)
	l.stream.Recording.Start(b)
	l.listen(journal != nil)
	return nil
}

// keep records the state before a tick if the recording needs it.
func (l *log) keep(f Frame) {
	if t := &l.stream.Recording; t.Misses(f) {
		encoded, err := l.world.Marshal(nil, f)
		t.Keep(f, encoded, err)
	}
}
