package fleet

import (
	"time"

	"github.com/tickback/tickback/session"
)

// faults draws the faults of a match: each kind is in half of the plans. Faults that end a match are in few plans,
// and happen late.
func (d *drawer) faults() {
	r := d.r
	if oneIn(r, 8) {
		return // a match without faults
	}
	for _, kind := range []FaultKind{Partition, OneWay, Stall, Hitch, Detour, Move, SetDelay, Talk} {
		if !oneIn(r, 2) {
			continue
		}
		for range 1 + r.IntN(3) {
			d.add(kind)
		}
	}
	switch r.IntN(12) {
	case 0, 1:
		d.goes(Leave)
	case 2, 3:
		d.goes(Kill)
	case 4:
		d.goes(Leave)
		d.goes(Kill)
	case 5:
		d.long()
	case 6:
		d.diverge()
	}
	d.sort()
}

// add adds a fault that a match survives.
func (d *drawer) add(kind FaultKind) {
	r, p := d.r, d.plan
	n := len(p.Machines)
	f := Fault{Kind: kind, At: between(r, 0, d.length), Machine: r.IntN(n)}
	// Single interruptions are too short for machines to be lost, but two of them may overlap.
	longest := max(p.DropAfter-p.network().margin()-200*time.Millisecond, 100*time.Millisecond)
	switch kind {
	case Partition:
		f.Machine, f.Side = 0, uint16(1+r.IntN(1<<n-2))
		f.For = between(r, 50*time.Millisecond, longest)
	case OneWay:
		f.Other = (f.Machine + 1 + r.IntN(n-1)) % n
		f.For = between(r, 50*time.Millisecond, longest)
	case Stall, Hitch:
		f.For = between(r, 20*time.Millisecond, min(pick(r, 300*time.Millisecond, 3*time.Second), longest))
	case Detour:
		f.For, f.Value = between(r, time.Second, 10*time.Second), 10+r.IntN(150)
	case Move:
		if d.mover > 0 {
			f.Machine = d.mover - 1
		}
		d.mover = f.Machine + 1
	case SetDelay:
		f.Value = r.IntN(12)
	case Talk:
		f.Value = 1 + r.IntN(pick(r, 100, 5000, session.MaxMessage))
	}
	p.Faults = append(p.Faults, f)
}

// goes removes a machine, usually in the middle of a match.
func (d *drawer) goes(kind FaultKind) {
	at := between(d.r, d.length/4, d.length)
	if oneIn(d.r, 6) {
		at = between(d.r, 0, 3*time.Second)
	}
	d.plan.Faults = append(d.plan.Faults, Fault{Kind: kind, At: at, Machine: d.r.IntN(len(d.plan.Machines))})
}

// long adds an interruption long enough for machines to lose each other.
func (d *drawer) long() {
	d.add(pick(d.r, Partition, OneWay, Stall))
	f := &d.plan.Faults[len(d.plan.Faults)-1]
	f.At = between(d.r, d.length/2, d.length)
	f.For = d.plan.DropAfter + between(d.r, 100*time.Millisecond, 3*time.Second)
}

// diverge breaks the game of one machine.
func (d *drawer) diverge() {
	d.plan.Faults = append(d.plan.Faults, Fault{
		Kind: Desync, Machine: d.r.IntN(len(d.plan.Machines)), Value: d.r.IntN(int(d.plan.Frames/2) + 1),
	})
}
