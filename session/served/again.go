package served

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// A server that was killed and started again knows nothing of its clients, and what they send is of no use to it.
// It stays silent: an answer to a datagram that proves nothing could be had in the name of others, and a word that ends
// connections would have to be a secret that survives the process. Instead a client whose server is silent asks, with a
// Hello beside the connection, as it did at first. The Welcome says which run of the process it is from. Its tag takes
// the nonce of that Hello, so that nobody makes one who does not see the way; it is no larger than the Hello; and nobody
// answers a Welcome. If the run is another one, and the connection is still silent, that is over, and the client goes
// on from there like one that has just come. Otherwise nothing happens.

// again is a client's question to a silent server.
type again struct {
	caller
	on   bool   // it is asked
	run  uint64 // the one that we are connected to
	wish uint16 // the place to ask for: the one that we had
	lost bool   // the match: the server was started again
	of   uint32 // the number of that match
}

const (
	// askAfter is how long nothing has come from a server when it is asked. It sends every 250 ms at least.
	askAfter = 400 * time.Millisecond
	// askEvery is how often, on average. Clients that play together hear the last of a server at the same moment, and a
	// server answers few machines of one network at once: if all asked again together, it would be the same ones each time.
	askEvery = 200 * time.Millisecond
)

// askAgain asks a server that is silent, and returns when to call again.
func (r *serverLink) askAgain(now time.Duration) (next time.Duration) {
	a := &r.again
	switch {
	case r.pipe == nil || r.ended != nil:
		return now + time.Second
	case now-r.pipe.Heard < r.patience():
		a.on = false
		return r.pipe.Heard + r.patience()
	case !a.on:
		a.begin(r.cfg.Server, r.cfg.Random(), now)
		a.on = true
	}
	if now >= a.next {
		a.sendHello(now, datagram.MinSize, r.out)
		a.next = now + askEvery/2 + time.Duration(r.cfg.Random()%uint64(askEvery))
	}
	return a.next
}

// patience is how long nothing has come from a server when it is asked. A place takes a round trip.
func (r *serverLink) patience() time.Duration {
	if r.heard {
		return askAfter
	}
	return askAfter + 2*r.pipe.RoundTrip.Smoothed
}

// welcomedAgain takes the answer of a server that was silent.
func (r *serverLink) welcomedAgain(at time.Duration, b []byte) {
	a := &r.again
	due := a.next
	w, p, ok := a.answered(at, b, r.cfg.nominal())
	a.next = due
	switch {
	case !ok:
		r.strangers++
	case w.Run == a.run || at-r.pipe.Heard < r.patience():
		// it is the one that it was: the way is at fault
	default:
		if err := differs(&r.items, w.Version, &w.Items); err != nil {
			r.fail(fmt.Errorf("the server was started again: %w", err))
			return
		}
		now := serverLink{cfg: r.cfg, items: r.items, out: r.out, caller: a.caller, pipe: p, ours: upstream{size: r.ours.size}, strangers: r.strangers}
		now.caller.begun, now.caller.next = at, at
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

// errRestarted is why a recording ends before its match.
var errRestarted = errors.New("the server was started again, and has forgotten the match")

// restartMatch has a client forget the match of a server that was started again.
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

// forget forgets the match, and keeps the counts, and what bounds the work and the memory.
func (k *clientMatch[S, I]) forget() {
	i := inquiry[S, I]{states: k.inquiry.states, inputs: k.inquiry.inputs, shape: k.inquiry.shape}
	clear(k.told)
	*k = clientMatch[S, I]{
		engine: k.engine, events: k.events, agreed: k.agreed, full: k.full, counts: k.counts, inquiry: i,
		told: k.told, updates: allowance{most: k.updates.most}, maxLag: k.maxLag,
	}
}
