package skirmishview

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/world"
)

// past has the last two states of a match, as snapshots. The view draws between them, so that units move in every
// picture, and neither changes while a step runs.
type past struct {
	before, now        *world.Snapshot
	frameBefore, frame tickback.Frame
	share              float32
	fresh              bool // now belongs to another frame than at the last call of look
	frozen             bool
}

// mark stores the state before the next frame runs.
func (p *past) mark(w *skirmish.World, f tickback.Frame) {
	p.before.Release()
	if p.now != nil && p.frame == f {
		p.before = p.now.Retain()
	} else {
		p.before = world.Save(w)
	}
	p.frameBefore = f
}

// look handles the view of a session. A state that does not follow a marked one, as after a jump, is shown without
// motion.
func (p *past) look(seen tickback.View[skirmish.World]) {
	if p.frozen {
		p.fresh = false
		return
	}
	last, at := p.now, p.frame
	had := last != nil
	p.now, p.frame, p.share = world.Save(seen.Current), seen.Frame, float32(seen.Fraction)
	p.fresh = !had || at != p.frame
	switch {
	case p.before != nil && (p.frameBefore+1 == p.frame || p.frameBefore == p.frame):
		last.Release()
	case had && at+1 == p.frame:
		p.before.Release()
		p.before, p.frameBefore = last, at
	default:
		last.Release()
		p.before.Release()
		p.before, p.frameBefore = p.now.Retain(), p.frame
	}
}

// close releases both states.
func (p *past) close() {
	p.before.Release()
	p.now.Release()
	*p = past{}
}

// states returns both as worlds for reading. They are valid until the next call of another method.
func (p *past) states() (before, now *skirmish.World) {
	return world.ViewOf[skirmish.World](p.before), world.ViewOf[skirmish.World](p.now)
}
