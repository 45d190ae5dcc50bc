package tickbacktest

import (
	"bytes"
	"fmt"
	"slices"
)

// runFirst runs the frame for the first time, and checks the arguments of the step afterwards. It also compares Hash
// with Describe.
func (u *pureMatch[S, I]) runFirst(f int, before moment) (end, *failure) {
	frame := u.match.frame(f)
	after, found := u.step(f, frame)
	if found != nil {
		return after, found
	}
	from, stop := u.match.cells(f)
	for p, o := range u.match.orders[from:stop] {
		if !bytes.Equal(o, frame.Orders[p]) {
			return after, (&failure{
				frame: f, what: "changed the orders that it was given",
				causes: []string{"the bytes of Tick.Orders are the engine's: copy them before changing them"},
			}).note("player %d gave %x, and they are %x now", p, o, frame.Orders[p])
		}
	}
	if !slices.Equal(frame.Inputs, u.match.inputs[from:stop]) {
		return after, &failure{frame: f, what: "changed the inputs that it was given"}
	}
	if found := u.keepsOrders(f, frame.Orders, after); found != nil {
		return after, found
	}
	if before.hash == after.hash && before.look.changed(after.look) {
		diff, err := before.look.diff(after.look)
		found := &failure{
			frame: f, what: "changed the state, and Hash does not see it",
			causes: []string{"Hash leaves out fields that Describe shows"},
		}
		return after, found.show(after.number(), fmt.Sprintf("state %d", f), fmt.Sprintf("state %d", f+1), diff, err)
	}
	return after, nil
}

// keepsOrders returns a failure if the step has kept the memory of orders in the state.
func (u *pureMatch[S, I]) keepsOrders(f int, orders [][]byte, after end) *failure {
	any := false
	for _, o := range orders {
		for i := range o {
			o[i] ^= 0xff
			any = true
		}
	}
	if !any {
		return nil
	}
	now := u.moment(after.state)
	if now.hash == after.hash && !after.look.changed(now.look) {
		return nil
	}
	found := &failure{
		frame: f, what: "keeps the memory of orders in the state",
		causes: []string{"the bytes of Tick.Orders are the engine's, which uses them again: copy them"},
	}
	if after.look.ok && now.look.ok {
		diff, err := after.look.diff(now.look)
		found.show(after.number(), "was", "is", diff, err)
	}
	return found
}
