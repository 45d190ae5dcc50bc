package served

import "time"

// repeatFor is how long an input is repeated to a client that seems to receive everything: in 6 datagrams at 20
// ticks per second, and in at least 3. With fewer, at a low tick rate, each lost datagram would make all those
// after it useless until acknowledgements are overdue.
const repeatFor = 300 * time.Millisecond

// baseline returns the state relative to which the newest state is encoded for a client.
//
// The newest state that a client is known to hold is older than the newest one that it actually holds, by a round
// trip. With full sight an update can be relative to any state in between, since it consists of the inputs since
// then. So a client with a long round trip gets only the inputs of the last ticks, as long as it seems to hold
// everything that was sent: otherwise each input would be repeated for a whole round trip. If all datagrams of
// these ticks are lost, it cannot use what follows until its acknowledgements are overdue: then the newest
// acknowledged state is used again, and so it is for every other client that is behind. The same holds for a client
// to which no state of these ticks was sent, such as one that has just acknowledged its first state.
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

// baselineSlack is how many ticks an acknowledgement may take in addition to the round trip: the client answers
// with its next datagram, and the server reads that at its next tick.
const baselineSlack = 2
