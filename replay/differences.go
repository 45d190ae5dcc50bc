package replay

import (
	"bytes"
	"fmt"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

// headerDifferences compares the agreed parts of two headers.
func headerDifferences(a, b *tbr.Header) (list []string) {
	add := func(name string, x, y any) {
		if x != y {
			list = append(list, fmt.Sprintf("%s: %v != %v", name, x, y))
		}
	}
	add("game", a.Game, b.Game)
	add("players", a.Shape.Players, b.Shape.Players)
	add("bytes of inputs", a.Shape.InputSize, b.Shape.InputSize)
	add("bytes of orders", a.Shape.MaxOrders, b.Shape.MaxOrders)
	add("tick rate", rate.Text(a.TickRate, a.Rate), rate.Text(b.TickRate, b.Rate))
	add("seed", a.Seed, b.Seed)
	add("content", hexOr(a.Content, "none"), hexOr(b.Content, "none"))
	add("length", lengthText(a.Length), lengthText(b.Length))
	if !bytes.Equal(a.Data, b.Data) {
		add("data", short(a.Data), short(b.Data))
	}
	add("hash every", a.HashEvery, b.HashEvery)
	add("keyframe every", a.KeyframeEvery, b.KeyframeEvery)
	add("hash of state 0", hexOr(a.State0, "not known"), hexOr(b.State0, "not known"))
	return list
}

// hexOr returns a digest in hexadecimal, or the given text if there is none.
func hexOr(v uint64, none string) string {
	if v == 0 {
		return none
	}
	return fmt.Sprintf("0x%016X", v)
}

func lengthText(frames uint32) string {
	if frames == 0 {
		return "without a limit"
	}
	return fmt.Sprintf("%d frames", frames)
}

// short returns the length of some data and its beginning, so that a reader can tell data apart.
func short(data []byte) string {
	const most = 32
	if len(data) > most {
		return fmt.Sprintf("%x... (%d bytes)", data[:most], len(data))
	}
	return fmt.Sprintf("%x (%d bytes)", data, len(data))
}

// frameDifference compares two frames of the same number, with inputs of size bytes.
func frameDifference(a, b *agreed.Frame, size int) *FrameDifference {
	d := &FrameDifference{Number: a.Number, Player: -1}
	switch {
	case !bytes.Equal(a.Inputs, b.Inputs):
		d.What = "inputs"
		i := 0
		for a.Inputs[i] == b.Inputs[i] {
			i++
		}
		d.Player = i / size
	case a.Gone != b.Gone:
		d.What = "statuses"
		for d.Player = 0; (a.Gone^b.Gone)>>d.Player&1 == 0; d.Player++ {
		}
	case ordersDiffer(a.Orders, b.Orders) >= 0:
		d.What, d.Player = "orders", ordersDiffer(a.Orders, b.Orders)
	case a.Finished != b.Finished || a.Result != b.Result:
		d.What = "finish"
	default:
		return nil
	}
	d.A, d.B = cloneFrame(a), cloneFrame(b)
	return d
}

// ordersDiffer returns the first player whose orders differ, or -1.
func ordersDiffer(a, b [][]byte) int {
	for p := range max(len(a), len(b)) {
		if !bytes.Equal(ordersOf(a, p), ordersOf(b, p)) {
			return p
		}
	}
	return -1
}

func ordersOf(all [][]byte, p int) []byte {
	if p < len(all) {
		return all[p]
	}
	return nil
}

func cloneFrame(f *agreed.Frame) agreed.Frame {
	c := *f
	c.Inputs = bytes.Clone(f.Inputs)
	c.Orders = nil
	for _, o := range f.Orders {
		c.Orders = append(c.Orders, bytes.Clone(o))
	}
	return c
}

// endDifferences compares how two recordings of the same frames end. The players gone at the end do not count: one
// recorder may know that a player left, and the other may not. Within the frames that both have, they agree on that.
func endDifferences(a, b *tbr.End) (list []string) {
	add := func(name string, x, y any) {
		if x != y {
			list = append(list, fmt.Sprintf("%s: %v != %v", name, x, y))
		}
	}
	add("finished", a.Finished, b.Finished)
	add("result", a.Result, b.Result)
	if a.Hashed && b.Hashed {
		add("hash of the last state", fmt.Sprintf("0x%016X", a.Hash), fmt.Sprintf("0x%016X", b.Hash))
	}
	if a.Chain != 0 && b.Chain != 0 {
		add("chain", hexOr(a.Chain, ""), hexOr(b.Chain, ""))
	}
	return list
}
