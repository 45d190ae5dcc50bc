package hosted

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/session/served"
)

// Rule: a client whose server is killed and started again learns that within a second, and plays its new match to the end in
// its old place, and spectators do so, too; a client that is killed and started again itself does as well, while the others
// notice nothing.
func TestProcessesThatAreStartedAgain(t *testing.T) {
	for _, partial := range []bool{false, true} {
		for _, away := range []time.Duration{0, 300 * time.Millisecond, 3 * time.Second} {
			p := calmPlan(partial)
			p.Delay = p.TickRate * btoi(partial) // spectators see everything, which with partial sight is not for now
			p.Faults = []fleet.Fault{
				{Kind: fleet.Restart, At: 3 * time.Second, For: away},
				{Kind: fleet.Restart, At: 9 * time.Second, For: away, Machine: 2},
			}
			had, has := make([]Player, len(p.Clients)), make([]Player, len(p.Clients))
			res := play(t, p, options{watch: func(r lies) {
				for i, g := range r.guests {
					if g.client == nil {
						continue
					}
					if at, ok := g.client.Player(); ok {
						if has[i] = at; r.now < 3*time.Second {
							had[i] = at
						}
					}
				}
			}})
			if !res.OK() || res.Restarts != 1 {
				t.Errorf("partial %v, away for %v: %d restarts, %v", partial, away, res.Restarts, res.Violations)
			}
			for i, c := range res.Clients {
				if i != 1 && (c.Lives != 1 || c.Restarts != 1 || c.Started != 2) || i == 1 && (c.Lives != 2 || c.Started != 3) ||
					c.Noticed > time.Second || had[i] != has[i] || !errors.Is(c.Err, served.ErrEnd) || c.Finals != 1 {
					t.Errorf("partial %v, away for %v, client %d, player %d and now %d: %+v", partial, away, i, had[i], has[i], c)
				}
			}
			if w := res.Spectators[0]; !w.Ended || w.Frames < 200 {
				t.Errorf("partial %v, away for %v: the spectator: %+v", partial, away, w)
			}
		}
	}
}

// Rule: the end of a fault starts a process again only if that fault has killed it.
func TestWhatIsNotStartedAgain(t *testing.T) {
	p := calmPlan(false)
	const s = time.Second
	p.Faults = []fleet.Fault{
		{Kind: fleet.Leave, At: 2 * s, Machine: 1},
		{Kind: fleet.Restart, At: 3 * s, For: s, Machine: 1},
		{Kind: fleet.Restart, At: 2 * s, For: 3 * s, Machine: 2},
		{Kind: fleet.Return, At: 3 * s, Machine: 2},
		{Kind: fleet.Restart, At: 2 * s, For: 4 * s},
		{Kind: fleet.Restart, At: 3 * s, For: s},
	}
	res := play(t, p, options{})
	if c := res.Clients; !res.OK() || res.Restarts != 1 || c[0].Lives != 1 || c[1].Lives != 2 || c[2].Lives != 1 {
		t.Errorf("%d restarts, %+v: %v", res.Restarts, res.Clients, res.Violations)
	}
}

// Rule: a third of the plans have restarts, of servers and of clients; slow ones have none.
func TestRestartsAreDrawn(t *testing.T) {
	plans, servers, clients := 0, 0, 0
	for seed := range uint64(300) {
		p, err := Draw(seed, fleet.All, tanksRules, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		any := false
		for _, f := range p.Faults {
			if f.Kind == fleet.Restart {
				any = true
				servers += btoi(f.Machine == 0)
				clients += btoi(f.Machine > 0)
			}
		}
		if plans += btoi(any); any && p.Profile == fleet.Slow {
			t.Errorf("seed %d: %v", seed, p)
		}
	}
	if plans < 60 || plans > 130 || servers < 50 || clients < 50 {
		t.Errorf("of 300 plans %d have restarts: %d of servers, %d of clients", plans, servers, clients)
	}
}
