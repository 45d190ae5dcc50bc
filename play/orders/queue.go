package orders

import "github.com/tickback/tickback/games/skirmish"

// most limits the orders that wait. At 30 ticks a second they are sent within two seconds; further ones are dropped.
const most = 60 * skirmish.MaxOrders

// queue has orders that wait for a tick.
type queue struct {
	list []skirmish.Order
	out  []byte
}

func (q *queue) add(o skirmish.Order) {
	if len(q.list) < most {
		q.list = append(q.list, o)
	}
}

// take returns the orders of the next tick, encoded. The result is valid until the next call.
func (q *queue) take() []byte {
	n := min(len(q.list), skirmish.MaxOrders)
	q.out = q.out[:0]
	for i := range n {
		q.out = q.list[i].Append(q.out)
	}
	q.list = append(q.list[:0], q.list[n:]...)
	return q.out
}
