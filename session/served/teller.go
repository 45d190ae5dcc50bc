package served

import (
	"time"

	"github.com/tickback/tickback/session/sequencer"
)

// teller tells clients what they may know of the newest state: by an update of one that they hold,
// or else as a whole.
type teller struct {
	world     world
	sequencer *sequencer.Sequencer
	cfg       *ServerConfig
	body      []byte // memory
}

// due reports whether a client is told of the tick that has run.
func (t *teller) due(c *client) bool {
	if c.gone != "" || c.bye || !c.plays {
		return false
	}
	if c.updates++; c.updates*uint32(t.cfg.States) < uint32(t.cfg.TickRate) {
		return false
	}
	c.updates = 0
	return true
}

// tell tells a client of the newest state.
func (t *teller) tell(c *client, now time.Duration) {
	d := downward{next: uint32(t.sequencer.Next()), any: c.began, margins: t.margins(c)}
	if c.began {
		d.taken = c.inputs.Next()
	}
	told := false
	if c.view.any {
		d.update, d.near = nothing[:0], t.cfg.TickRate <= nearTicks*t.cfg.States
		b := d.append(t.body[:0])
		t.body, told = t.world.update(b, c.player, c.baseline(t.cfg, t.world.Frame()), c.view.plain, c.pipe.Room()-len(b))
	}
	if !told {
		d.update, d.near = nil, false
		t.body = d.append(t.body[:0])
		t.offerWhole(c, now)
	}
	c.send(now, t.body)
}

var nothing [1]byte

// margins takes how early inputs of a client came.
func (t *teller) margins(c *client) []sequencer.Margin {
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

// wholeEvery is how far apart whole states begin at least.
const wholeEvery = 250 * time.Millisecond

// offerWhole begins to send a client the newest state as a whole, unless one is on its way, or has
// come so lately that the client may not have said so.
func (t *teller) offerWhole(c *client, now time.Duration) {
	if c.state != nil || c.whole && (c.pipe.Channel.Pending() > 0 || now < c.wholeAt+max(c.pipe.Timeout(), wholeEvery)) {
		return
	}
	if c.state, c.sent = t.world.whole(nil, c.player), 0; len(c.state) == 0 {
		c.state = nil
		return
	}
	c.whole, c.wholeAt = true, now
	c.post(appendState(nil, t.world.Frame(), len(c.state)))
	c.serve(now)
}
