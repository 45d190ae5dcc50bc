package lab

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

// Rollback is a rollback of a peer, with the times in the lab at which its parts happened.
type Rollback struct {
	// From is the oldest frame whose input was mispredicted: the state before it was restored. Front is the newest
	// frame at that time, up to which the peer resimulated.
	From, Front tickback.Frame
	// Resimulated is how many frames were resimulated. It is less than Front - From if the peer reached a state that
	// it already knew.
	Resimulated int
	// Predicted is when From was first simulated, with a predicted input, and Arrived when the real input arrived:
	// the peer restored and resimulated at that moment.
	Predicted, Arrived time.Duration
	// Drawn is when the first frame after Front was simulated, which is the first new one on the corrected timeline;
	// 0 if that has not happened yet.
	Drawn time.Duration
}

// Depth returns how many frames the peer went back.
func (r *Rollback) Depth() int { return int(r.Front - r.From) }

// diary records when a peer simulated each frame, and its newest rollback.
type diary struct {
	ticked [shownStates]time.Duration // when each frame was first simulated
	last   Rollback
	any    bool
	chosen Rollback // the deepest recent one
}

// keep is how long a deep rollback is shown instead of newer ones that are less deep.
const keep = 2 * time.Second

func (d *diary) begin() { *d = diary{} }

// note records an update of a session at a time: the frame and the statistics before and after it.
func (d *diary) note(now time.Duration, before, after tickback.Frame, was, is rollback.Stats) {
	if d.any && d.last.Drawn == 0 && after > d.last.Front {
		d.last.Drawn = now
		d.choose()
	}
	if is.Rollbacks > was.Rollbacks {
		again := int(is.Resimulated - was.Resimulated)
		depth := again + int(is.Skipped-was.Skipped)
		if is.Rollbacks == was.Rollbacks+1 && depth > 0 && depth <= int(before) && depth < shownStates {
			from := before - tickback.Frame(depth)
			d.any = true
			d.last = Rollback{From: from, Front: before, Resimulated: again, Predicted: d.ticked[from%shownStates], Arrived: now}
			if after > before {
				d.last.Drawn = now
			}
			d.choose()
		}
	}
	for f := before; f < after; f++ {
		d.ticked[f%shownStates] = now
	}
}

// choose decides whether the newest rollback is shown.
func (d *diary) choose() {
	same := d.chosen.From == d.last.From && d.chosen.Arrived == d.last.Arrived
	if same || d.last.Depth() >= d.chosen.Depth() || d.last.Arrived-d.chosen.Arrived > keep {
		d.chosen = d.last
	}
}

// Rollback returns the newest rollback of the current duel. A deep one is returned for two seconds instead of newer
// ones that are less deep, so that there is time to look at it.
func (p *Peer) Rollback() (r Rollback, ok bool) { return p.diary.chosen, p.diary.any }
