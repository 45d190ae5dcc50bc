package served

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/stream"
)

// A server that was killed and restarted knows nothing of its clients, and cannot use what they send. It stays
// silent: if it answered datagrams that prove nothing, anybody could trigger answers in the name of others, and a
// message that ends connections would need a secret that survives the process. Instead, a client whose server is
// silent sends a Hello beside the connection, as it did at first. The Welcome contains the number of the server's
// run. Its tag depends on the nonce of that Hello, so that only a machine on the path can forge it; it is no larger
// than the Hello; and nobody answers a Welcome. If the run is a new one, and the connection is still silent, the
// client gives up the connection and starts over like a new client. Otherwise nothing happens.

// again is the query of a client to a silent server.
type again struct {
	caller peer.Caller
	on     bool   // a query is running
	run    uint64 // the run that we are connected to
	wish   uint16 // the place to ask for: the one that we had
	lost   bool   // the match is lost: the server was restarted
	of     uint32 // the number of that match
}

const (
	// askAfter is the silence after which a server is queried. It sends at least every 250 ms.
	askAfter = 400 * time.Millisecond
	// askEvery is the average interval between queries. All clients of a match stop hearing from a server at the
	// same moment, and a server answers only a few machines of one network at a time: if all clients repeated their
	// queries in step, the same ones would be answered each time.
	askEvery = 200 * time.Millisecond
)

// askAgain queries a silent server and returns when to call it again.
func (r *serverLink) askAgain(now time.Duration) (next time.Duration) {
	a := &r.again
	switch {
	case r.pipe == nil || r.ended != nil:
		return now + time.Second
	case now-r.pipe.Heard < r.patience():
		a.on = false
		return r.pipe.Heard + r.patience()
	case !a.on:
		a.caller.Begin(r.cfg.Server, r.cfg.Random(), now, peer.HelloInterval)
		a.on = true
	}
	if now >= a.caller.Due() {
		a.caller.Query(now, r.out)
		a.caller.SetDue(now + askEvery/2 + time.Duration(r.cfg.Random()%uint64(askEvery)))
	}
	return a.caller.Due()
}

// patience returns the silence after which a server is queried. It allows for the round trip of an Attach.
func (r *serverLink) patience() time.Duration {
	if r.heard {
		return askAfter
	}
	return askAfter + 2*r.pipe.RoundTrip.Smoothed
}

// welcomedAgain handles the answer of a server that was silent.
func (r *serverLink) welcomedAgain(at time.Duration, b []byte) {
	a := &r.again
	due := a.caller.Due()
	w, p, ok := r.answered(&a.caller, at, b)
	a.caller.SetDue(due)
	switch {
	case !ok:
		r.strangers++
	case w.Run == a.run || at-r.pipe.Heard < r.patience():
		// it is the same run: the network is at fault
	default:
		if err := admission.Compare(0, &r.items, w.Version, &w.Items); err != nil {
			r.fail(fmt.Errorf("the server was started again: %w", err))
			return
		}
		now := serverLink{cfg: r.cfg, items: r.items, out: r.out, caller: a.caller, pipe: p, ours: upstream{size: r.ours.size}, strangers: r.strangers}
		now.caller.Begun = at
		now.caller.SetDue(at)
		now.again.run, now.again.wish, now.again.lost = w.Run, a.wish, true
		if r.offer != nil {
			now.again.of = r.offer.Match
		}
		if r.placed {
			now.again.wish = uint16(rollback.SetOf(r.player))
		}
		*r = now
	}
}

// errRestarted ends a recording before the end of its match.
var errRestarted = errors.New("the server was started again, and has forgotten the match")

// restartMatch makes a client forget the match of a server that was restarted.
func restartMatch[S any, I comparable](c *Client[S, I]) {
	c.server.again.lost = false
	c.recording.End(&stream.End{Over: errRestarted})
	if q := &c.clientMatch.inquiry; q.stage == noticed || q.stage == asked {
		q.fail(errRestarted.Error())
	}
	if report, why, ok := c.clientMatch.inquiry.take(); ok {
		c.events.Add(Event{What: event.Reported, Match: c.server.again.of, Text: why, Data: report})
	}
	if c.phase != session.Connecting {
		c.events.Add(Event{What: event.Restarted, Text: c.cfg.Server.String()})
	}
	c.clientMatch.forget()
	c.timing = timing{nominal: c.timing.nominal, stalls: c.timing.stalls, skipped: c.timing.skipped}
	c.nextInput = nextInput[I]{sample: c.nextInput.sample, order: c.nextInput.order, plan: c.nextInput.plan}
	c.match, c.send, c.down, c.shown, c.phase = match{}, sending{}, serverBody{}, arrivals{}, session.Connecting
}

// forget forgets the match, but keeps the counters and the limits on work and memory.
func (k *clientMatch[S, I]) forget() {
	i := inquiry[S, I]{states: k.inquiry.states, inputs: k.inquiry.inputs, shape: k.inquiry.shape}
	clear(k.told)
	*k = clientMatch[S, I]{
		engine: k.engine, events: k.events, agreed: k.agreed, full: k.full, counts: k.counts, inquiry: i,
		told: k.told, updates: allowance{most: k.updates.most}, maxLag: k.maxLag,
	}
}
