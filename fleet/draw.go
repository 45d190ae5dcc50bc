package fleet

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Profiles that are not in package netem.
const (
	// Swarm means links of every kind, different in each direction. Each plan leaves out some kinds of impairment, so that
	// the effect of the others shows.
	Swarm = "swarm"
	// All means one of all profiles, chosen by the seed.
	All = "all"
)

// ProfileNames returns the profiles that a plan can be drawn from: those of package
// netem, swarm, membership, boundary, arrivals and slow.
func ProfileNames() (names []string) {
	for _, p := range netem.Profiles() {
		names = append(names, p.Name)
	}
	return append(names, Swarm, Membership, Boundary, Arrivals, Slow)
}

// DefaultLength is a minute of play.
const DefaultLength = time.Minute

// Draw makes the plan of a seed, for this many players, on links of a profile ([ProfileNames], or
// [All]), with this length if nothing goes wrong. Most machines have one player, some have
// several. The faults are drawn like a swarm, too: each plan has a few random kinds of them. Half
// of the plans have up to four spectators.
//
// The error names what cannot be drawn.
func Draw(seed uint64, profile string, players int, length time.Duration) (Plan, error) {
	names := ProfileNames()
	switch {
	case players < 2 || players > session.MaxPlayers:
		return Plan{}, planError("%d players, must be 2 to %d", players, session.MaxPlayers)
	case length < time.Second || length > MaxPlanTime/4:
		return Plan{}, planError("a length of %v, must be %v to %v", length, time.Second, MaxPlanTime/4)
	}
	profile = strings.ToLower(profile)
	if profile == All {
		others := names[:len(names)-1] // without slow, which was added later: plans drawn from the others must not change
		if profile = others[seed%uint64(len(others))]; (seed/uint64(len(others))+seed)%8 == 7 {
			profile = Slow
		}
	}
	p := Plan{Seed: seed, Profile: profile, Matches: 1}
	d := drawer{plan: &p, players: players, length: length}
	d.r = d.on(0).r
	d.rules()
	d.machines()
	if profile == Slow {
		d.on(slowLuck).slow()
		return p, p.Validate()
	}
	if err := d.links(profile); err != nil {
		return Plan{}, fmt.Errorf("%w (or %s, %s)", err, Swarm, All)
	}
	switch profile {
	case Boundary:
		b := boundaryDrawer{drawer: d.on(boundaryLuck)}
		b.draw()
		d.length = time.Duration(p.Matches) * time.Duration(p.Frames) * time.Second / time.Duration(p.TickRate)
	case Membership:
		m := memberDrawer{d.on(membersLuck)}
		m.members()
	case Arrivals:
		m := memberDrawer{d.on(arrivalsLuck)}
		m.arrivals()
	default:
		d.on(continueLuck).continues()
		d.faults()
	}
	if profile != Boundary {
		d.on(troublesLuck).troubles()
		d.on(restartsLuck).restarts()
	}
	d.on(watchersLuck).spectators()
	d.on(strangersLuck).strangers()
	return p, p.Validate()
}

// drawer draws a plan.
type drawer struct {
	plan    *Plan
	players int
	length  time.Duration
	r       *rand.Rand
	mover   int // one more than the machine that moves
}

// on returns a drawer of the same plan with a random stream of its own, so that what it draws does not change what else
// a seed draws.
func (d *drawer) on(luck uint64) *drawer {
	return &drawer{plan: d.plan, players: d.players, length: d.length, r: rand.New(rand.NewPCG(d.plan.Seed, luck+uint64(d.players)))}
}

// put adds a fault.
func (d *drawer) put(f Fault) { d.plan.Faults = append(d.plan.Faults, f) }

// sort sorts the faults by time.
func (d *drawer) sort() {
	slices.SortStableFunc(d.plan.Faults, func(a, b Fault) int { return cmp.Compare(a.At, b.At) })
}

// watchersLuck is the random stream of spectators.
const watchersLuck = 1 << 32

// pick returns one of the values at random.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// oneIn returns true in one of n cases.
func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// between returns a random time from a to b.
func between(r *rand.Rand, a, b time.Duration) time.Duration {
	return (a + time.Duration(r.Int64N(int64(b-a)+1))).Truncate(time.Millisecond)
}

// rules draws the settings that are the same for all machines.
func (d *drawer) rules() {
	p, r := d.plan, d.r
	p.TickRate = pick(r, 60, 60, 60, 60, 60, 60, 30, 20, 50, 120)
	if oneIn(r, 8) {
		p.Matches = 2 + r.IntN(2)
	}
	seconds := d.length / time.Second
	p.Frames = session.Frame(max(int64(seconds)*int64(p.TickRate)/int64(p.Matches), 1))
	p.Until = d.length + d.length/2
	p.HashEvery, p.ChainEvery = 1, 60
	switch r.IntN(8) {
	case 0:
		p.HashEvery = pick(r, 60, 30, 20, 10, 2)
	case 1:
		p.ChainEvery = pick(r, 1, 7, 20, 300)
	case 2:
		p.HashEvery = -1
	}
	p.DropAfter = pick(r, 5*time.Second, 5*time.Second, 5*time.Second, 8*time.Second, 4*time.Second)
	p.Framed = oneIn(r, 3)
	switch r.IntN(6) {
	case 0:
		p.MaxOrders = 128
	case 1:
		p.MaxOrders = rollback.MaxOrderBytes
	}
}

// machines draws which players each machine has, and how the machine runs.
func (d *drawer) machines() {
	p, r, players := d.plan, d.r, d.players
	crowded := players > 2 && oneIn(r, 5)
	for next := 0; next < players; {
		n := 1
		if crowded && players-next > 1 {
			n = 1 + r.IntN(min(3, players-next-btoi(next == 0)))
		}
		p.Machines = append(p.Machines, Machine{Players: rollback.PlayerSet((1<<n - 1) << next)})
		next += n
	}
	if len(p.Machines) == 2 && oneIn(r, 2) {
		p.OnLeave = session.Continue
	}
	lockstep, window, delay := oneIn(r, 8), pick(r, 8, 8, 8, 4, 12, 20, 2), r.IntN(5)
	automatic, late, drift := oneIn(r, 4), oneIn(r, 3), oneIn(r, 3)
	for i := range p.Machines {
		m := &p.Machines[i]
		m.Window, m.Delay, m.AutoDelay = window, delay, automatic
		if oneIn(r, 4) {
			m.Window = 1 + r.IntN(24)
		}
		if m.AutoDelay {
			m.Delay = 0
		} else if oneIn(r, 3) {
			m.Delay = r.IntN(12)
		}
		if lockstep {
			m.Window = 0
		}
		if late && oneIn(r, 2) {
			m.Late = between(r, 0, 2*time.Second)
		}
		if drift {
			m.Drift = r.Int64N(1000) - 500
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
