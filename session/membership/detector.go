package membership

import "time"

// detector knows which members this peer does not hear, and for how long members have disagreed about that.
type detector struct {
	silent, gone PlayerSet
	graceEnd     time.Duration // when they will have disagreed for too long; Never if they agree
}

// begin begins a slot with these members. One that has just joined accuses anew: silence that it noticed as a newcomer
// does not count.
func (d *detector) begin(members PlayerSet, joined bool) {
	if joined {
		d.silent = 0
	}
	*d = detector{d.silent & members, d.gone & members, Never}
}

func (d *detector) accuse(silent PlayerSet) { d.silent = silent }
func (d *detector) lose(gone PlayerSet)     { d.gone |= gone }
func (d *detector) accused() PlayerSet      { return d.silent | d.gone }

// overdue notes whether members disagree, and reports whether they have done so for the grace period.
func (d *detector) overdue(disagree bool, now, grace time.Duration) bool {
	if !disagree {
		d.graceEnd = Never
	} else if d.graceEnd == Never {
		d.graceEnd = now + grace
	}
	return now >= d.graceEnd
}
