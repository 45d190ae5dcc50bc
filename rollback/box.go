package rollback

import (
	"fmt"

	"github.com/tickback/tickback/canon"
)

// plainBox holds the states of a [Game] in a sandbox: the live one is the last.
type plainBox[S any, I comparable] struct {
	*plain[S, I]
	states []S
}

func (g Game[S, I]) sandbox(slots int, _ bool) (box[S, I], common[I], error) {
	m, c, err := g.build(&Config{Snapshots: 1})
	if err != nil {
		return nil, c, err
	}
	return &plainBox[S, I]{m.(*plain[S, I]), make([]S, slots)}, c, nil
}

func (b *plainBox[S, I]) live() *S              { return b.slots[0] }
func (b *plainBox[S, I]) step(t *Tick[I])       { b.plain.step(b.live(), t) }
func (b *plainBox[S, I]) hash() (uint64, error) { return b.plain.hash(0) }

func (b *plainBox[S, I]) save(slot int) error {
	b.states[slot] = *b.live()
	return nil
}

func (b *plainBox[S, I]) restore(slot int) error {
	*b.live() = b.states[slot]
	return nil
}

func (b *plainBox[S, I]) equal(slot int) (bool, error) {
	return b.plan.Equal(b.live(), &b.states[slot]), nil
}
func (b *plainBox[S, I]) marshal(p []byte) ([]byte, error) { return b.plain.marshal(p, 0) }
func (b *plainBox[S, I]) unmarshal(p []byte) error         { return b.load(0, p) }

func (b *plainBox[S, I]) differences(slot, most int) (canon.Report, error) {
	return b.plan.Diff(&b.states[slot], b.live(), most), nil
}

func (b *plainBox[S, I]) parts() Parts                { return nil }
func (b *plainBox[S, I]) pausing(func(work int)) bool { return false }

func (b *plainBox[S, I]) run(t *Tick[I], n int) int {
	// The loop works on local copies of the tick's fields and only writes them back:
	// a step may be short, and this is all the overhead a frame has.
	s, step, f, at, players := b.live(), b.plain.step, t.frame, t.at, int(t.players)
	end := f + Frame(n)
	for f != end {
		t.frame, t.at = f, at
		step(s, t)
		f++
		at += players
		if t.finished {
			break
		}
	}
	t.frame, t.at = f, at
	return n - int(end-f)
}

func (b *plainBox[S, I]) against(encoded []byte, most int) (canon.Report, error) {
	s := new(S)
	if b.first != nil {
		b.first(s)
	}
	if err := b.plan.Decode(s, encoded); err != nil {
		return canon.Report{}, fmt.Errorf("rollback: the state to compare with: %w", err)
	}
	return b.plan.Diff(s, b.live(), most), nil
}

// ownBox holds the states of an [OwnMemory] in a sandbox.
type ownBox[S, V any, I comparable] struct {
	*own[S, V, I]
}

func (g OwnMemory[S, V, I]) sandbox(slots int, try bool) (box[S, I], common[I], error) {
	o, c, err := g.assemble(&Config{Snapshots: slots + 1})
	if err == nil && try {
		err = o.try()
	}
	if err != nil {
		return nil, c, err
	}
	if g.Slots.Diff == nil {
		o.shown = make([]any, slots+1)
	}
	return ownBox[S, V, I]{o}, c, nil
}

func (b ownBox[S, V, I]) init(by func(*S)) error { return b.first(by) } // the slots remain valid
func (b ownBox[S, V, I]) live() *S               { return b.s }
func (b ownBox[S, V, I]) hash() (uint64, error)  { return b.hashLive() }

func (b ownBox[S, V, I]) restore(slot int) error {
	b.lost = nil
	b.game.Restore(b.s, &b.slots[slot])
	return b.check(&b.slots[slot], "restored")
}

func (b ownBox[S, V, I]) step(t *Tick[I]) {
	b.used = true
	b.game.Step(b.s, t)
}

func (b ownBox[S, V, I]) save(slot int) error {
	b.lost = nil // the slots do not depend on each other
	b.game.Save(b.s, &b.slots[slot])
	if b.shown != nil {
		b.shown[slot] = b.show()
	}
	return b.check(&b.slots[slot], "saved")
}

func (b ownBox[S, V, I]) equal(slot int) (bool, error) {
	if b.game.Equal == nil {
		return false, &CapabilityError{Missing: "Equal", For: "comparing states exactly"}
	}
	return b.game.Equal(b.s, &b.slots[slot]), nil
}

func (b ownBox[S, V, I]) marshal(p []byte) ([]byte, error) { return b.own.marshal(p, b.at) }
func (b ownBox[S, V, I]) unmarshal(p []byte) error         { return b.own.unmarshal(b.at, p) }

func (b ownBox[S, V, I]) differences(slot, most int) (canon.Report, error) {
	if b.game.Slots.Diff != nil {
		return b.diff(&b.slots[slot], most), nil
	}
	return b.compare(b.shown[slot], b.show(), most)
}

func (b ownBox[S, V, I]) beside(other box[S, I], most int) (canon.Report, bool) {
	o, ok := other.(ownBox[S, V, I])
	if !ok || b.game.Slots.Diff == nil {
		return canon.Report{}, false
	}
	stored := new(V)
	b.game.Save(b.s, stored)
	defer b.game.drop(stored)
	return o.diff(stored, most), true
}

// parts keeps the state in a slot of its own, which the parts refer to.
func (b ownBox[S, V, I]) parts() Parts {
	if b.game.Slots.Parts == nil {
		return nil
	}
	slot := new(V)
	b.game.Save(b.s, slot)
	return b.game.Slots.Parts(slot)
}

func (b ownBox[S, V, I]) pausing(pause func(work int)) bool {
	if b.game.Pause == nil {
		return false
	}
	b.game.Pause(b.s, pause)
	return true
}

func (b ownBox[S, V, I]) run(t *Tick[I], n int) int {
	b.used = true
	for i := range n {
		b.game.Step(b.s, t)
		t.frame++
		t.at += int(t.players)
		if t.finished {
			return i + 1
		}
	}
	return n
}

// against describes the live state, then loads and describes the encoded one, and loads the live state again.
func (b ownBox[S, V, I]) against(encoded []byte, most int) (canon.Report, error) {
	if b.game.Slots.Diff != nil {
		return b.againstSlots(encoded, most)
	}
	live, err := b.marshal(nil)
	if err != nil {
		return canon.Report{}, err
	}
	second := b.show()
	if err := b.unmarshal(encoded); err != nil {
		return canon.Report{}, err
	}
	first := b.show()
	if err := b.unmarshal(live); err != nil {
		return canon.Report{}, err
	}
	return b.compare(first, second, most)
}
