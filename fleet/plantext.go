package fleet

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// String describes a plan, in a line for each machine, link and fault.
func (p Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, profile %s: %d players on %d machines, %d x %d frames at %d/s, until %v\n",
		p.Seed, p.Profile, p.Players(), len(p.Machines), p.Matches, p.Frames, p.TickRate, p.Until)
	fmt.Fprintf(&b, "  who leaves: %v; hashed every %d, compared every %d frames; orders up to %d bytes; lost after %v",
		p.OnLeave, p.HashEvery, p.ChainEvery, p.MaxOrders, p.DropAfter)
	if p.OnLeave == session.Continue {
		fmt.Fprintf(&b, "; no quorum for %v, a pause %v", p.quorumTimeout(), p.maxPause())
	}
	if p.Rest > 0 {
		fmt.Fprintf(&b, "; %v in the lobby", p.Rest)
	}
	if p.Framed {
		b.WriteString("; awake once a frame")
	}
	b.WriteByte('\n')
	for i, m := range p.Machines {
		fmt.Fprintf(&b, "  machine %d: %v, %s", i, m.Players, m.mode())
		if m.Joins {
			b.WriteString(", joins")
		}
		if m.Late > 0 {
			fmt.Fprintf(&b, ", %v late", m.Late)
		}
		if m.Drift != 0 {
			fmt.Fprintf(&b, ", clock %+d ppm", m.Drift)
		}
		if m.Cost != (Cost{}) {
			fmt.Fprintf(&b, ", %v", m.Cost)
		}
		b.WriteByte('\n')
	}
	p.showSpectators(&b)
	fmt.Fprintf(&b, "  link: %s\n", LinkText(p.Link))
	for _, w := range p.Links {
		fmt.Fprintf(&b, "  link %d to %d: %s\n", w.From, w.To, LinkText(w.Link))
	}
	for _, f := range p.Faults {
		fmt.Fprintf(&b, "  %v\n", f)
	}
	return b.String()
}

// mode describes how a machine predicts and delays.
func (m *Machine) mode() string {
	text := fmt.Sprintf("window %d", m.Window)
	if m.Window == 0 {
		text = "lockstep"
	}
	if m.AutoDelay {
		return text + ", delay by itself"
	}
	return text + fmt.Sprintf(", delay %d", m.Delay)
}

// LinkText describes a link by its effects.
func LinkText(l netem.Link) string {
	text := l.Delay.String()
	add := func(format string, args ...any) { text += ", " + fmt.Sprintf(format, args...) }
	if l.Jitter > 0 {
		add("jitter %v %v", l.Jitter, l.Distribution)
	}
	if l.Reorder {
		add("reorders")
	}
	if l.Loss > 0 {
		add("loss %v", l.Loss)
	}
	if l.Burst.Begin > 0 {
		add("bursts %v to %v, lose %v", l.Burst.Begin, l.Burst.End, l.Burst.Loss)
	}
	if l.Duplicate > 0 {
		add("duplicates %v", l.Duplicate)
	}
	if l.Corrupt > 0 {
		add("damages %v", l.Corrupt)
	}
	if l.Bandwidth > 0 {
		add("%d bytes/s, queue %d", l.Bandwidth, l.Queue)
	}
	if l.MTU > 0 {
		add("datagrams up to %d bytes", l.MTU)
	}
	if l.Down {
		add("down")
	}
	return text
}

// showSpectators describes the hosting for spectators, and the spectators.
func (p *Plan) showSpectators(b *strings.Builder) {
	if a := p.Hosting; a.Max > 0 {
		fmt.Fprintf(b, "  audience of each machine: %d, %d frames behind", a.Max, a.Delay)
		if a.Rate > 0 {
			fmt.Fprintf(b, ", %d bytes/s", a.Rate)
		}
		if a.Guarded {
			b.WriteString(", with a token")
		}
		b.WriteByte('\n')
	}
	for i, v := range p.Spectators {
		fmt.Fprintf(b, "  machine %d watches machines %v", len(p.Machines)+i, v.Hosts)
		if v.Delay > 0 {
			fmt.Fprintf(b, ", %d frames in hand", v.Delay)
		}
		if v.CatchUp > 0 {
			fmt.Fprintf(b, ", catches up by %d", v.CatchUp)
		}
		if v.Late > 0 {
			fmt.Fprintf(b, ", %v late", v.Late)
		}
		if v.Drift != 0 {
			fmt.Fprintf(b, ", clock %+d ppm", v.Drift)
		}
		if v.Cost != (Cost{}) {
			fmt.Fprintf(b, ", %v", v.Cost)
		}
		if v.Stranger != "" {
			fmt.Fprintf(b, ", gives %s for a token", v.Stranger)
		}
		b.WriteByte('\n')
	}
}
