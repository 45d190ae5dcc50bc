package hosted

import (
	"math/rand/v2"
	"time"

	"github.com/tickback/tickback/fleet"
)

// drawFaults draws the faults: a few kinds, each of them several times.
func (p *Plan) drawFaults(r *rand.Rand, length time.Duration) {
	kinds := []func(r *rand.Rand, at time.Duration, client int){
		p.leaves, p.leaves, p.vanishes, p.vanishes, p.hitches, p.hitches, p.sleeps, p.stalls, p.isCut, p.isCut, p.isKicked, p.goesRound, p.serverHitches,
	}
	var chosen []func(r *rand.Rand, at time.Duration, client int)
	for _, k := range kinds {
		if oneIn(r, 3) {
			chosen = append(chosen, k)
		}
	}
	if len(chosen) == 0 || oneIn(r, 8) {
		return
	}
	for range 1 + r.IntN(2+len(p.Clients)) {
		pick(r, chosen...)(r, between(r, 0, length), 1+r.IntN(len(p.Clients)))
	}
}

func (p *Plan) fault(k fleet.FaultKind, at, span time.Duration, client int) {
	p.Faults = append(p.Faults, fleet.Fault{Kind: k, At: at, For: span, Machine: client})
}

// returns makes a client come back, in most cases.
func (p *Plan) returns(r *rand.Rand, after time.Duration, client int) {
	if !oneIn(r, 4) {
		p.fault(fleet.Return, after+between(r, 100*time.Millisecond, 12*time.Second), 0, client)
	}
}

func (p *Plan) leaves(r *rand.Rand, at time.Duration, client int) {
	p.fault(fleet.Leave, at, 0, client)
	p.returns(r, at, client)
}

func (p *Plan) vanishes(r *rand.Rand, at time.Duration, client int) {
	p.fault(fleet.Kill, at, 0, client)
	p.returns(r, at, client)
}

func (p *Plan) hitches(r *rand.Rand, at time.Duration, client int) {
	p.fault(fleet.Hitch, at, pick(r, between(r, 50*time.Millisecond, 500*time.Millisecond), between(r, 100*time.Millisecond, 6*time.Second)), client)
}

func (p *Plan) sleeps(r *rand.Rand, at time.Duration, client int) {
	p.fault(fleet.Suspend, at, between(r, 500*time.Millisecond, 20*time.Second), client)
}

func (p *Plan) stalls(r *rand.Rand, at time.Duration, client int) {
	p.fault(fleet.Stall, at, between(r, 100*time.Millisecond, 8*time.Second), client)
}

func (p *Plan) isCut(r *rand.Rand, at time.Duration, client int) {
	span := between(r, 100*time.Millisecond, 8*time.Second)
	way := r.IntN(3)
	if way != 1 {
		p.Faults = append(p.Faults, fleet.Fault{Kind: fleet.OneWay, At: at, For: span, Machine: client})
	}
	if way != 0 {
		p.Faults = append(p.Faults, fleet.Fault{Kind: fleet.OneWay, At: at, For: span, Other: client})
	}
}

func (p *Plan) isKicked(r *rand.Rand, at time.Duration, client int) {
	p.fault(fleet.Kick, at, 0, client)
	p.returns(r, at, client)
}

func (p *Plan) goesRound(r *rand.Rand, at time.Duration, client int) {
	p.Faults = append(p.Faults, fleet.Fault{
		Kind: fleet.Detour, At: at, For: between(r, time.Second, 15*time.Second), Machine: client, Value: 20 + r.IntN(150),
	})
}

func (p *Plan) serverHitches(r *rand.Rand, at time.Duration, _ int) {
	p.fault(pick(r, fleet.Hitch, fleet.Hitch, fleet.Suspend), at, pick(r, between(r, 20*time.Millisecond, 300*time.Millisecond), between(r, 100*time.Millisecond, 3*time.Second)), 0)
}

// restartsLuck is the random stream of restarts, so that they do not change what else a seed draws.
const restartsLuck = 0x5E4D<<16 | 1

// drawRestarts kills and restarts processes in a third of the plans: the server, once or twice, a client, or both at
// about the same time.
func (p *Plan) drawRestarts(r *rand.Rand, length time.Duration) {
	if !oneIn(r, 3) {
		return
	}
	which := r.IntN(4)
	at := between(r, length/10, length*3/4)
	if which != 0 {
		p.fault(fleet.Restart, at, p.away(r), 0)
	}
	for i := 1 + r.IntN(2); which != 1 && i > 0; i-- {
		p.fault(fleet.Restart, pick(r, between(r, 0, length), at+between(r, 0, time.Second)), p.away(r), 1+r.IntN(len(p.Clients)))
	}
	if which == 3 {
		p.fault(fleet.Restart, at+pick(r, between(r, 0, time.Second), between(r, 0, length)), p.away(r), 0)
	}
}

// away returns how long a process does not run: usually too briefly for it to be lost.
func (p *Plan) away(r *rand.Rand) time.Duration {
	return pick(r, between(r, 0, 100*time.Millisecond), between(r, 0, time.Second), between(r, 0, p.DropAfter), between(r, 0, 12*time.Second))
}
