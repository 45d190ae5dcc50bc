package served

import (
	"slices"

	"github.com/tickback/tickback/session/bulk"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
)

// goOn continues an inquiry and returns the event that reports its result, once. At the end of the match the
// inquiry ends at any stage.
func (q *inquiry[S, I]) goOn(r *serverLink, p *stream.Parameters, over bool) (e Event, ok bool) {
	open := q.stage == noticed || q.stage == asked
	switch {
	case open && over:
		q.fail("the match was over before the server had told its state")
	case q.stage == noticed:
		q.stage = asked
		if err := r.ask(q.state); err != nil {
			q.fail("the server could not be asked: " + err.Error())
		}
	case q.stage == asked && r.given.here:
		q.answered(&r.given, r.player, r.cfg, r.offer.Match, p)
		r.given.Receiver = bulk.Receiver{}
	}
	report, why, ok := q.take()
	if !ok {
		return e, false
	}
	return Event{What: event.Reported, Match: r.offer.Match, Text: why, Data: slices.Clone(report)}, true
}

// Report returns the report on the first difference between a state here and the server's, encoded for
// desync.Decode, or nil if there is none (yet). It belongs to the client and must not be modified.
func (c *Client[S, I]) Report() []byte { return c.clientMatch.inquiry.bytes }
