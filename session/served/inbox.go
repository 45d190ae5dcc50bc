package served

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/wire/datagram"
)

// inbox takes what clients send: inputs for the sequencer, orders, and what a client holds. It knows
// no places, and no way back.
type inbox struct {
	world     world
	sequencer *sequencer.Sequencer
	cfg       *ServerConfig
	orders    [rollback.MaxPlayers][]byte // of the tick that runs
	behind    [rollback.MaxPlayers]int    // how far behind the server each player is in it
}

// take takes the orders for a tick, by player, of all who are there, and notes how far behind they are. The
// orders are valid until the next call.
func (i *inbox) take(from *clients, f Frame, gone PlayerSet) *[rollback.MaxPlayers][]byte {
	clear(i.orders[:])
	clear(i.behind[:])
	for p, c := range from.of {
		if c != nil && !gone.Has(Player(p)) {
			i.orders[p], i.behind[p] = c.ordersOf(f), c.behind.ticks()
		}
	}
	return &i.orders
}

// messages takes the messages of a client, and reports whether it leaves.
func (i *inbox) messages(c *client) (leaves bool, err error) {
	for {
		b, ok := c.pipe.Channel.Next()
		if !ok {
			return false, nil
		}
		switch kind := b[0]; kind {
		case messageBye:
			return true, nil
		case messageOrders:
			f, orders, err := consumeOrders(b[1:], i.cfg.MaxOrders)
			if err != nil {
				return false, err
			}
			if !c.plays || len(c.orders) >= maxOrders || f > i.sequencer.Next()+maxAhead {
				c.faults.Orders++
				continue
			}
			c.orders = append(c.orders, order{f, append([]byte(nil), orders...)})
		case messageDiffers:
			f, err := consumeDiffers(b[1:])
			if err != nil || !c.plays || c.stateReply.asked {
				return false, datagram.ErrRange
			}
			i.differs(c, f)
		default:
			return false, datagram.ErrKind
		}
	}
}

// differs has a client be told a state of which it has another one.
func (i *inbox) differs(c *client, f Frame) {
	var state []byte
	if c.view.told.may(f) {
		state = i.world.known(nil, c.player, f)
	} else {
		c.faults.Unsent++
	}
	c.stateReply.begin(f, state, i.cfg.Machine)
}

// longLost is how many inputs are new in one datagram only if the path was cut, at 60 ticks a second and less: above
// that it is as many as there are in that time, since datagrams that overtake others are no cut. No lead helps
// against one, so all of its inputs but the last one say nothing about the way.
const longLost = 8

func (g *Game) longLost() int { return max(longLost, longLost*g.TickRate/60) }

// inputs takes the body of a datagram: what the client holds, and its inputs.
func (i *inbox) inputs(c *client, at time.Duration, b []byte) error {
	var u clientBody
	next := i.sequencer.Next()
	if err := u.consume(b, uint32(next)); err != nil {
		return err
	}
	held := c.view.any
	if !c.view.acknowledge(&u, c.pipe.Overtaken > 0) {
		c.faults.Unsent++
	}
	c.fullStates.asked = c.fullStates.asked || held && u.anew && !c.view.any
	if c.view.any {
		c.fullStates.held(c.view.newest)
	}
	if u.count == 0 || i.world.InputSize() == 0 {
		return nil
	}
	first := u.next - u.count
	limit := uint32(next + maxAhead + 1) // what is beyond counts when it comes again in time
	if u.next > limit {
		c.faults.Early += uint64(u.next - max(limit, first))
	}
	if !c.began || int32(first-c.inputs.Next()) > 0 { // its first inputs, or it has none of those in between any more
		if first >= limit || Frame(first) < c.from {
			c.faults.Early += uint64(min(u.next, limit) - min(first, limit))
			return nil
		}
		c.inputs.Start(i.world.InputSize(), first, nil)
		c.began = true
	}
	if known := c.inputs.Next() - first; int32(known) >= int32(c.inputs.Keep) {
		return nil // it has heard nothing for very long, and does so as soon as its way is back
	}
	c.inputs.SetLimit(limit)
	fresh, err := c.inputs.ConsumeBlock(u.block, first, int(u.count))
	if err != nil {
		return err
	}
	end := c.inputs.Next()
	if fresh > 0 && c.view.any {
		way := c.pipe.RoundTrip.Smoothed + 2*c.pipe.RoundTrip.Deviation
		c.behind.add(Frame(end-1), c.view.newest, next, way, i.cfg.nominal())
	}
	for f := end - uint32(fresh); f != end; f++ {
		add := i.sequencer.Add
		if fresh > i.cfg.longLost() && f+1 != end {
			add = i.sequencer.AddLost
		}
		add(c.player, Frame(f), c.inputs.At(f), at)
	}
	return nil
}
