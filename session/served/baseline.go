package served

import "time"

// repeatFor is for how long an input is told again to a client that seems to get what it is told: in 6
// datagrams at 20 ticks a second, and in 3 at least. At a few ticks a second each lost datagram would cost all those until
// acknowledgements stay out.
const repeatFor = 300 * time.Millisecond

// baseline returns the state from which a client is told the newest one.
//
// The newest state that it is known to hold is older than the newest one that it holds, by a round
// trip. With full sight it can be told from any state in between, since all that it needs are the
// inputs since one that it holds. So a client on a long way is told the inputs of the last ticks only, as
// long as it seems to hold all that it was sent: otherwise each of them would be told for a round trip.
// If all datagrams of these ticks are lost, what follows is of no use to it, until its acknowledgements
// stay out: then it is told from the newest one again, and so is every other client that is behind. So is
// one that was told no state of these ticks, as a client that has just said that it holds its first one.
func (c *client) baseline(cfg *ServerConfig, now Frame) Frame {
	base := c.view.newest
	if cfg.Partial || c.view.plain {
		return base
	}
	n := cfg.nominal()
	ticks := func(d time.Duration) Frame { return Frame((d + n - 1) / n) }
	recent := now - min(max(ticks(repeatFor), baselineSlack+1), now)
	if way := c.pipe.RoundTrip.Smoothed + 2*c.pipe.RoundTrip.Deviation; recent > base && recent <= c.view.told.newest && now-base <= ticks(way)+baselineSlack {
		return recent
	}
	return base
}

// baselineSlack is how many ticks an acknowledgement may take besides the round trip: the client
// answers with its next datagram, and the server reads that with its next tick.
const baselineSlack = 2
