package recording

import (
	"cmp"
	"math"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/rate"
)

// Options are the RecordOptions of package tickback, which documents them.
type Options struct {
	HashEvery     int
	KeyframeEvery int
	Effects       bool
	Stats         bool
	Wait          bool
	Meta          []tbr.Field
}

// Subject describes what is recorded, as far as it is known before the match.
type Subject struct {
	Session   Session
	Game      string
	TickRate  int       // 0 for the default of package session
	Rate      rate.Rate // instead, if it is no integer
	Info      tbr.Info
	HashEvery int  // the interval of hashes in the match
	Marshals  bool // whether states can be encoded
}

// header returns the header of a recording, as far as it is known before the match.
func (s *Subject) header(o *Options) (tbr.Header, error) {
	h := tbr.Header{Game: s.Game, Info: s.Info}
	var err error
	if h.TickRate, h.Rate, err = rate.Settle(s.TickRate, s.Rate); err != nil {
		return h, err
	}
	h.TickRate = cmp.Or(h.TickRate, session.DefaultTickRate)
	h.Meta, h.HashEvery, h.KeyframeEvery = o.Meta, hashEvery(cmp.Or(o.HashEvery, h.TickRate), s.HashEvery), max(o.KeyframeEvery, tbr.NoKeyframes)
	if !s.Marshals {
		h.KeyframeEvery = tbr.NoKeyframes
	}
	h.Shape.Players = 1 // a valid value, since the real one is not known yet
	return h, h.Check()
}

// hashEvery returns the interval of hashes, or 0 for none. A match hashes each such state, unless its own interval is
// negative.
func hashEvery(every, match int) int {
	if every < 0 || match < 0 {
		return 0
	}
	if every > math.MaxInt32 {
		return every // it is invalid in a header, which reports it unchanged
	}
	a, b := every, max(match, 1)
	for b != 0 {
		a, b = b, a%b
	}
	if step := max(match, 1) / a; every <= math.MaxInt32/step {
		return every * step
	}
	return -1 // it is invalid in a header
}

// wants returns the data that a recording with this header needs from the session.
func wants(h *tbr.Header) session.RecordWants {
	w := session.RecordWants{Hashes: session.Frame(h.HashEvery)}
	if k := h.KeyframeEvery; k >= 0 {
		if every := uint64(h.SegmentFrames()) * uint64(max(k, 1)); every < uint64(session.NoFrame) {
			w.States = session.Frame(every)
		}
	}
	return w
}
