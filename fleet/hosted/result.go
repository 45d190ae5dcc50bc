package hosted

import (
	"time"

	"github.com/tickback/tickback/fleet"
)

// Result is the result of a run of [Play].
type Result struct {
	// Violations are the broken promises. A run stops with the first one.
	Violations []fleet.Violation
	Clients    []ClientResult
	Spectators []SpectatorResult
	// Length is how long the run took, in virtual time, and Ticks how many ticks the server ran.
	Length time.Duration
	Ticks  uint64
	// Joined, Left and Lost count the clients that the server let in, that left it, and that it lost.
	Joined, Left, Lost uint64
	// UpBytes and DownBytes are the payload bytes sent by the clients and to them, and Ups and Downs the datagrams.
	UpBytes, DownBytes, Ups, Downs uint64
	// Restarts is how often the server was started again.
	Restarts int
	// Digest covers all datagrams and events: two runs with the same digest were the same run.
	Digest uint64
}

// OK reports whether there were no violations.
func (r *Result) OK() bool { return len(r.Violations) == 0 }

// ClientResult is the result of one client, over all its lives.
type ClientResult struct {
	// Lives is how often it was switched on, and Started how often it got in; Entry is the longest time that getting in
	// took.
	Lives, Started int
	Entry          time.Duration
	// Restarts is how often it has noticed that its server was started again, and Noticed the longest time that this took.
	Restarts int
	Noticed  time.Duration
	// Played is how long it has played.
	Played time.Duration
	// States counts the states compared with the server's, and Predictions those compared with the naive client's.
	States, Predictions uint64
	// Corrections counts corrections of what it showed of its own player.
	Corrections Causes
	// Effects counts effects that have happened, TakenBack those that were shown at the wrong time, or never happened.
	Effects, TakenBack uint64
	// Wholes, Updates, Skipped and Stalls are as in served.ClientCounts.
	Wholes, Updates, Skipped, Stalls uint64
	// Losses is how often it was lost, Refusals how often it was not let in, and Outcomes and Finals how often it learned
	// the end and the last state.
	Losses, Refusals, Outcomes, Finals int
	// Err is why it ended the last time; nil if it did not end.
	Err error
}

func (c *ClientResult) entry(d time.Duration) { c.Entry = max(c.Entry, d) }

// SpectatorResult is the result of one spectator.
type SpectatorResult struct {
	Frames, Jumps uint64
	Ended         bool // it has seen the end
	Lost          bool // it was lost, which was allowed
	Err           error
}

// count counts a datagram.
func (t *Result) count(p *Plan, from, to, size int) {
	switch {
	case from == 0 && p.isClient(to):
		t.Downs, t.DownBytes = t.Downs+1, t.DownBytes+uint64(size)
	case p.isClient(from):
		t.Ups, t.UpBytes = t.Ups+1, t.UpBytes+uint64(size)
	}
}

// tally adds the counts of a client in one life.
func (r *run[S, I]) tally(g *clientRun[S, I]) {
	n := g.client.Counts()
	c := &g.count
	c.Wholes, c.Updates, c.Skipped, c.Stalls = c.Wholes+n.Wholes, c.Updates+n.Updates, c.Skipped+n.Skipped, c.Stalls+n.Stalls
	c.Played += played(r, g)
}

// played returns how long a client has played in its current stay.
func played[S any, I comparable](r *run[S, I], g *clientRun[S, I]) (d time.Duration) {
	if g.stay.in {
		until := r.now
		if g.stay.closed {
			until = g.stay.until
		}
		if r.over {
			until = min(until, r.overAt)
		}
		d = max(until-g.stay.inAt, 0)
	}
	return d
}

func (r *run[S, I]) result() Result {
	t := &r.total
	t.Length = r.now
	t.Restarts = r.server.process.number
	for _, g := range r.guests {
		t.Clients = append(t.Clients, g.count)
	}
	for _, w := range r.watchers {
		t.Spectators = append(t.Spectators, w.count)
	}
	return *t
}

// Sum adds up the results of all clients. Entry is the longest one, and Err is nil.
func (r *Result) Sum() (sum ClientResult) {
	for i := range r.Clients {
		sum.Add(&r.Clients[i])
	}
	return sum
}

// Add adds another result to a sum.
func (c *ClientResult) Add(o *ClientResult) {
	c.Lives, c.Started = c.Lives+o.Lives, c.Started+o.Started
	c.entry(o.Entry)
	c.Restarts, c.Noticed = c.Restarts+o.Restarts, max(c.Noticed, o.Noticed)
	c.Played += o.Played
	c.States, c.Predictions = c.States+o.States, c.Predictions+o.Predictions
	for i, n := range o.Corrections {
		c.Corrections[i] += n
	}
	c.Effects, c.TakenBack = c.Effects+o.Effects, c.TakenBack+o.TakenBack
	c.Wholes, c.Updates, c.Skipped, c.Stalls = c.Wholes+o.Wholes, c.Updates+o.Updates, c.Skipped+o.Skipped, c.Stalls+o.Stalls
	c.Losses, c.Refusals, c.Outcomes, c.Finals = c.Losses+o.Losses, c.Refusals+o.Refusals, c.Outcomes+o.Outcomes, c.Finals+o.Finals
}
