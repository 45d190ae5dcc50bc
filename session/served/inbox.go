package served

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/wire/datagram"
)

// inbox handles what clients send: inputs for the sequencer, orders, and acknowledgements of states. It sends
// nothing and assigns no places.
type inbox struct {
	world     world
	sequencer *sequencer.Sequencer
	cfg       *ServerConfig
	orders    [rollback.MaxPlayers][]byte // the orders of the tick being run
	behind    [rollback.MaxPlayers]int    // how far each player is behind the server in that tick
}

// take takes the orders for a tick, by player, of all present players, and notes how far behind they are. The
// result is valid until the next call.
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

// messages handles the messages of a client and reports whether it leaves.
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

// differs prepares to send a client the server's version of a state that differs on the client.
func (i *inbox) differs(c *client, f Frame) {
	var state []byte
	if c.view.told.may(f) {
		state = i.world.known(nil, c.player, f)
	} else {
		c.faults.Unsent++
	}
	c.stateReply.begin(f, state, i.cfg.Machine)
}

// longLost is the number of new inputs in one datagram that indicates an interruption of the path, at up to 60
// ticks per second. At higher rates it is the number in the same time, since mere reordering is no interruption.
// Running farther ahead does not help against an interruption, so all inputs in such a datagram except the last one
// say nothing about the path.
const longLost = 8

func (g *Game) longLost() int { return max(longLost, longLost*g.TickRate/60) }

// inputs handles the body of a datagram: the state that the client holds, and its inputs.
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
	limit := uint32(next + maxAhead + 1) // inputs beyond that count when they are repeated in time
	if u.next > limit {
		c.faults.Early += uint64(u.next - max(limit, first))
	}
	if !c.began || int32(first-c.inputs.Next()) > 0 { // its first inputs, or it no longer has those in between
		if first >= limit || Frame(first) < c.from {
			c.faults.Early += uint64(min(u.next, limit) - min(first, limit))
			return nil
		}
		c.inputs.Start(i.world.InputSize(), first, nil)
		c.began = true
	}
	if known := c.inputs.Next() - first; int32(known) >= int32(c.inputs.Keep) {
		return nil // it has heard nothing for very long; it will as soon as its path is back
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
