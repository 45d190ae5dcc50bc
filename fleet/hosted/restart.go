package hosted

import (
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
)

// restart kills the process of a machine, or starts it again where it was. A server whose match is over is left alone.
func restart[S any, I comparable](r *run[S, I], m *machine, kills bool) {
	switch {
	case kills && (m.off || r.over):
	case kills && m.number == 0:
		m.off, m.killed = true, true
	case kills:
		r.remove(m, false)
		m.killed = true
	case !m.killed:
		// The machine was not running, or has been switched on since.
	case m.number == 0:
		r.server.process = process{number: r.server.process.number + 1}
		r.must(r.server.open())
	case r.over:
	default:
		g := r.guests[m.number-1]
		m.stays = true
		r.must(g.come())
	}
}

// lastStart returns when the last process of the server starts.
func lastStart(p *Plan) (at time.Duration) {
	for i := range p.Faults {
		if f := &p.Faults[i]; f.Kind == fleet.Restart && f.Machine == 0 {
			at = max(at, f.At+f.For)
		}
	}
	return at
}

// toldOfRestart checks a client's report that its server was started again.
func toldOfRestart[S any, I comparable](r *run[S, I], g *clientRun[S, I]) {
	if g.naive.truth == r.truth {
		r.violate(checkRestarts, g.number, "it says that its server was started again, which it was not")
	}
	g.count.Noticed = max(g.count.Noticed, restartUnnoticed(r, g))
	g.count.Restarts++
	g.count.Played += played(r, g)
	g.forget()
	g.in.process, g.in.had = unknown, 0
}

// restartUnnoticed checks that a client notices soon enough that its server was started again, and returns how long it
// has had to notice.
func restartUnnoticed[S any, I comparable](r *run[S, I], g *clientRun[S, I]) time.Duration {
	took := r.now - max(r.calm(g.number), r.server.process.since)
	if within := noticed(r, g.number); took > within && !unanswered(r, g.number, took-within) {
		r.violate(checkRestarts, g.number, "its server was started again at %v, and for %v nothing has kept it from learning that", r.server.process.since, took)
	}
	return took
}

const (
	// noticeTime is how long it takes, with a round trip, to ask a server that was started again: it is silent for 400 ms
	// first, and asked every 200 ms. noticeLosses is the same with losses: one of a dozen questions is answered.
	noticeTime, noticeLosses = 700 * time.Millisecond, 3 * time.Second
	// asksASecond is how often per second a server is asked.
	asksASecond = 5
)

// noticed returns how long it takes until a client knows that its server was started again. It may just have asked a
// server that takes twice as long to answer as usual.
func noticed[S any, I comparable](r *run[S, I], machine int) time.Duration {
	if up, down := r.plan.ways(machine); loses(up) || loses(down) {
		return noticeLosses + 4*r.reach(machine)
	}
	return noticeTime + 4*r.reach(machine)
}

// loses reports whether a link loses datagrams.
func loses(l netem.Link) bool { return l.Loss > 0 || l.Corrupt > 0 || l.Burst.Begin > 0 }

// unanswered reports whether a burst of losses can plausibly swallow all answers to a client's questions for this long.
func unanswered[S any, I comparable](r *run[S, I], machine int, d time.Duration) bool {
	up, down := r.plan.ways(machine)
	return lasts(up.Burst, d, asksASecond) || lasts(down.Burst, d, asksASecond)
}

// seated records at which process of the server a client has got a place, and checks that the place is right: a client
// that was started again at its address, or whose server was started again, gets its previous place, unless another
// client has it or has had it since.
func seated[S any, I comparable](r *run[S, I], g *clientRun[S, I], process int) {
	in := &g.in
	if in.process != process && in.process != unknown { // that process has never had the client
		*in = presence{}
	}
	p, _ := g.client.Player()
	if in.any && p != in.last && !in.had.Has(p) && process == r.server.process.number {
		if by := r.server.process.holds[in.last]; by == 0 || by == g.number {
			r.violate(checkRestarts, g.number, "it plays player %d, and has been player %d, whom nobody else has played", p, in.last)
		}
	}
	in.process, in.any, in.last = process, true, p
	in.had |= 1 << p
}

// unknown is the number of a server process if a client only knows that it is a different one.
const unknown = -1
