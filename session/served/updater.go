package served

import (
	"time"

	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/session/sight"
)

// updater sends clients what they may know about the newest state: as an update relative to a state that they hold,
// or else as a whole.
type updater struct {
	world     world
	sequencer *sequencer.Sequencer
	cfg       *ServerConfig
	last      bool   // the newest state is the last one
	body      []byte // reused memory
}

// due reports whether to send a client an update about the tick that has run.
func (t *updater) due(c *client) bool {
	if c.gone != "" || !c.plays {
		return false
	}
	if c.unsentNews.ticks++; c.unsentNews.ticks*uint32(t.cfg.States) < uint32(t.cfg.TickRate) {
		return false
	}
	c.unsentNews.ticks = 0
	return true
}

// tell sends a client the newest state.
func (t *updater) tell(c *client, now time.Duration) {
	d := serverBody{next: uint32(t.sequencer.Next()), any: c.began, margins: t.margins(c)}
	if c.began {
		d.taken = c.inputs.Next()
	}
	told := false
	if c.view.any {
		d.update, d.near = nothing[:0], t.cfg.TickRate <= nearTicks*t.cfg.States && t.world.Frame()-c.view.newest < sight.Keep
		b := d.append(t.body[:0])
		base := c.view.newest
		if !t.last { // after the last tick no overdue acknowledgement would show that a newer baseline was wrong
			base = c.baseline(t.cfg, t.world.Frame())
		}
		t.body, told = t.world.update(b, c.player, base, c.view.plain, c.pipe.Room()-len(b))
	}
	if told {
		c.view.told.add(t.world.Frame())
	} else {
		d.update, d.near = nil, false
		t.body = d.append(t.body[:0])
		t.startFullState(c, now)
	}
	c.send(now, t.body)
}

var nothing [1]byte

// margins returns how early inputs of a client arrived, and removes these margins from the sequencer.
func (t *updater) margins(c *client) []sequencer.Margin {
	c.margins = c.margins[:0]
	for len(c.margins) < downMargins {
		m, ok := t.sequencer.TakeMargin(c.player)
		if !ok {
			break
		}
		c.margins = append(c.margins, m)
	}
	return c.margins
}

// startFullState starts sending a client the newest state as a whole, unless one is being sent, or was completed so
// recently that its acknowledgement may be on the way. A silent client gets none: it would be old on arrival.
func (t *updater) startFullState(c *client, now time.Duration) {
	if c.silentFor(now) > max(time.Second, 4*t.cfg.nominal()) || !c.fullStates.due(now, c.pipe.Timeout(), c.pipe.Channel.Pending()) {
		return
	}
	state := t.world.whole(nil, c.player)
	if len(state) == 0 {
		return
	}
	f := t.world.Frame()
	c.fullStates.begin(f, state, now)
	c.view.told.add(f)
	c.post(appendState(nil, f, len(state)))
	c.serve(now)
}
