package hosted

import (
	"fmt"
	"strings"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
)

// String describes the plan, with a line for each machine and fault.
func (p Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, profile %s: a server with %d places, %d clients, %d spectators; %d frames at %d/s\n",
		p.Seed, p.Profile, p.Places, len(p.Clients), len(p.Spectators), p.Frames, p.TickRate)
	sight, states := "full", p.States
	if p.Partial {
		sight = "partial"
	}
	if states == 0 {
		states = p.TickRate
	}
	fmt.Fprintf(&b, "  %s sight, %d states/s, lost after %v", sight, states, p.DropAfter)
	if len(p.Spectators) > 0 {
		fmt.Fprintf(&b, ", spectators %d frames behind", p.Delay)
	}
	if p.Cost != (fleet.Cost{}) {
		fmt.Fprintf(&b, "; at the server, %v", p.Cost)
	}
	if p.Guarded {
		b.WriteString("; with a token")
	}
	b.WriteByte('\n')
	for i := range p.Clients {
		c := &p.Clients[i]
		extra := ""
		if c.PerTick > 0 {
			extra = fmt.Sprintf(", %d datagrams a tick", c.PerTick)
		}
		describe(&b, 1+i, "plays"+extra+costText(c.Cost), c.Comes, c.Drift, c.Up, c.Down)
	}
	for i := range p.Spectators {
		w := &p.Spectators[i]
		describe(&b, 1+len(p.Clients)+i, "watches"+costText(w.Cost), w.Comes, w.Drift, w.Up, w.Down)
	}
	for i := range p.Strangers {
		s := &p.Strangers[i]
		what := "is a stranger with " + string(s.Is)
		if s.Watches {
			what += " that wants to watch"
		}
		describe(&b, p.honest()+i, what, s.Comes, 0, s.Up, s.Down)
	}
	for _, f := range p.Faults {
		fmt.Fprintf(&b, "  %s\n", faultText(f))
	}
	return b.String()
}

func costText(c fleet.Cost) string {
	if c == (fleet.Cost{}) {
		return ""
	}
	return fmt.Sprintf(", %v", c)
}

func describe(b *strings.Builder, machine int, what string, comes time.Duration, drift int64, up, down netem.Link) {
	fmt.Fprintf(b, "  machine %d: %s", machine, what)
	if comes > 0 {
		fmt.Fprintf(b, ", comes at %v", comes)
	}
	if drift != 0 {
		fmt.Fprintf(b, ", clock %+d ppm", drift)
	}
	fmt.Fprintf(b, "; up: %s", fleet.LinkText(up))
	if down != up {
		fmt.Fprintf(b, "; down: %s", fleet.LinkText(down))
	} else {
		b.WriteString(", and down")
	}
	b.WriteByte('\n')
}

// faultText describes a fault. Here only one machine is suspended, not a set.
func faultText(f fleet.Fault) string {
	if f.Kind == fleet.Suspend {
		return fmt.Sprintf("%9v  suspend: machine %d for %v", f.At.Round(time.Millisecond), f.Machine, f.For.Round(time.Millisecond))
	}
	return f.String()
}
