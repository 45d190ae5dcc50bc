package served

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/wire/datagram"
)

func drawUpward(t *rapid.T) (u clientBody, near uint32) {
	near = rapid.Uint32Range(1<<15, 1<<31).Draw(t, "near")
	u.next = near + uint32(rapid.IntRange(-1<<15+1, 1<<15-1).Draw(t, "off"))
	if u.plain, u.any = rapid.Bool().Draw(t, "plain"), rapid.Bool().Draw(t, "any"); u.any {
		u.state = u.next - uint32(rapid.IntRange(-3, 400).Draw(t, "ahead"))
	}
	if u.next > 0 && rapid.Bool().Draw(t, "inputs") {
		u.count = rapid.Uint32Range(1, min(u.next, datagram.HistoryFrames-1)).Draw(t, "count")
		u.block = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "block")
	}
	return u, near
}

// Rule: a client's body is decoded as it was encoded, wherever its ticks are; and not if it is
// shorter.
func TestUpwardBodies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, near := drawUpward(t)
		b := append(u.append(nil), u.block...)
		var got clientBody
		if err := got.consume(b, near); err != nil {
			t.Fatal(err)
		}
		if len(u.block) == 0 {
			u.block, got.block = nil, nil
		}
		if !reflect.DeepEqual(got, u) {
			t.Fatalf("%+v becomes %+v", u, got)
		}
		for cut := range b[:len(b)-len(u.block)] {
			if err := got.consume(b[:cut], near); err == nil {
				t.Fatalf("%d of %d bytes are read", cut, len(b))
			}
		}
	})
}

// Rule: a server's body is decoded as it was encoded. Margins are rounded towards late, by less
// than their unit, and none is more than an hour.
func TestDownwardBodies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		newest := rapid.Uint32Range(1<<15, 1<<31).Draw(t, "newest")
		d := serverBody{near: rapid.Bool().Draw(t, "near"), any: rapid.Bool().Draw(t, "any")}
		if d.near {
			d.next = newest + uint32(rapid.IntRange(-nearBefore, sight.Keep-1).Draw(t, "off"))
		} else {
			d.next = newest + uint32(rapid.IntRange(-1<<15+1, 1<<15-1).Draw(t, "off"))
		}
		if d.any {
			d.taken = d.next + uint32(rapid.IntRange(-300, 300).Draw(t, "taken"))
		}
		count, ordered := rapid.IntRange(0, downMargins).Draw(t, "margins"), rapid.Bool().Draw(t, "ordered")
		for i := range count {
			tick := d.taken - uint32(count-i)
			if !ordered {
				tick = d.next + uint32(rapid.IntRange(-64, 300).Draw(t, "tick"))
			}
			d.margins = append(d.margins, sequencer.Margin{
				Tick:  Frame(tick),
				Early: time.Duration(rapid.Int64Range(-int64(2*time.Hour), int64(2*time.Hour)).Draw(t, "early")),
			})
		}
		if rapid.Bool().Draw(t, "update") {
			d.update = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes")
		}
		b := append(d.append(nil), d.update...)
		var got serverBody
		if err := got.consume(b, newest); err != nil {
			t.Fatal(err)
		}
		if got.next != d.next || got.any != d.any || got.taken != d.taken || (got.update == nil) != (d.update == nil) || !bytes.Equal(got.update, d.update) || len(got.margins) != len(d.margins) {
			t.Fatalf("%+v becomes %+v", d, got)
		}
		for i, m := range got.margins {
			want := d.margins[i]
			early := min(max(want.Early, -time.Hour), time.Hour)
			late := early - m.Early
			if step := max(marginUnit, early/marginSteps, -early/marginSteps+marginUnit); m.Tick != want.Tick || late < 0 || late >= step {
				t.Fatalf("margin %+v becomes %+v", want, m)
			}
		}
		for cut := range b[:len(b)-len(d.update)] {
			if err := got.consume(b[:cut], newest); err == nil {
				t.Fatalf("%d of %d bytes are read", cut, len(b))
			}
		}
	})
}

// Rule: a body that no honest end sends returns a typed error, and nothing else.
func TestWrongBodies(t *testing.T) {
	for name, c := range map[string]struct {
		up   bool
		b    []byte
		want error
	}{
		"up, nothing":            {true, nil, datagram.ErrShort},
		"up, an unknown flag":    {true, []byte{16, 0, 0}, datagram.ErrKind},
		"up, bytes behind":       {true, []byte{0, 0, 0, 1}, datagram.ErrTrailing},
		"up, no state":           {true, []byte{2, 0, 0}, datagram.ErrVarint},
		"up, no count":           {true, []byte{4, 9, 0}, datagram.ErrVarint},
		"up, no inputs":          {true, []byte{4, 9, 0, 0}, datagram.ErrRange},
		"up, too many for that":  {true, []byte{4, 9, 0, 10}, datagram.ErrRange},
		"up, more than are held": {true, []byte{4, 0, 0x10, 0x80, 0x04}, datagram.ErrRange},
		"down, nothing":          {false, []byte{0, 0}, datagram.ErrShort},
		"down, order of nothing": {false, []byte{0x91, 0, 0, 0}, datagram.ErrVarint},
		"down, no order":         {false, []byte{0x90, 0, 0, 0}, datagram.ErrRange},
		"down, order of none":    {false, []byte{0x81, 0, 0, 0}, datagram.ErrRange},
		"down, a day early":      {false, []byte{0x91, 0, 0, 0, 0xFE, 0x7F}, datagram.ErrRange},
		"down, bytes behind":     {false, []byte{0, 0, 0, 0}, datagram.ErrTrailing},
		"down, half a margin":    {false, []byte{1, 0, 0, 0}, datagram.ErrVarint},
	} {
		var err error
		if c.up {
			err = new(clientBody).consume(c.b, 9)
		} else {
			err = new(serverBody).consume(c.b, 9)
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// Any bytes are either an error or a message whose numbers are in their ranges.
func FuzzMessages(f *testing.F) {
	o := outcomeOf()
	for _, b := range [][]byte{
		appendPlace(nil, 3, 700), appendState(nil, 9, 5000), appendOrders(nil, 70, []byte{1, 2}), appendEnd(nil, &o),
		{messageBye, 'x'},
		appendDiffers(nil, 9), appendTruth(nil, 9, 50, "here"),
	} {
		f.Add(b[1:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, _, err := consumePlace(b, 5); err == nil && p >= 5 {
			t.Errorf("player %d of 5", p)
		}
		if _, orders, err := consumeOrders(b, 4); err == nil && (len(orders) < 1 || len(orders) > 4) {
			t.Errorf("orders of %d bytes", len(orders))
		}
		var w whole
		if err := w.begin(b, 100); err == nil {
			for w.add(b) == nil {
			}
			if len(w.Bytes()) > w.size || w.size > 100 {
				t.Errorf("%d of %d bytes", len(w.Bytes()), w.size)
			}
		}
		g := given{asked: true, whole: whole{number: 9}}
		if err := g.begin(b, 100); err == nil {
			for g.add(b) == nil {
			}
			if len(g.Bytes()) > g.size || g.size > 100 || len(g.machine) > maxMachine {
				t.Errorf("%d of %d bytes, %q", len(g.Bytes()), g.size, g.machine)
			}
		}
		if o, err := consumeEnd(b); err == nil {
			if again := appendEnd(nil, &o)[1:]; !bytes.Equal(again, b) {
				t.Errorf("%x is written as %x", b, again)
			}
		}
		if len(text(b)) > maxText {
			t.Error("a text is too long")
		}
	})
}

// Rule: reading a body clears all fields of the one before.
func TestABodyLeavesNothingOfTheOneBefore(t *testing.T) {
	full := clientBody{plain: true, any: true, anew: true, state: 5, next: 9, count: 2}
	var u clientBody
	if err := u.consume(append(full.append(nil), 1, 2, 3), 9); err != nil || !u.plain || !u.any || !u.anew || u.count != 2 || len(u.block) != 3 {
		t.Fatalf("%+v, %v", u, err)
	}
	if err := u.consume((&clientBody{next: 10}).append(nil), 9); err != nil || u.plain || u.any || u.anew || u.state != 0 || u.next != 10 || u.count != 0 || u.block != nil {
		t.Errorf("%+v, %v", u, err)
	}
}

// Any bytes are either an error or a body that is encoded again in the same way.
func FuzzBodies(f *testing.F) {
	f.Add([]byte{7, 9, 0, 4, 2, 1, 2, 3}, uint32(9))
	f.Add([]byte{0x32, 9, 0, 4, 2, 1, 2, 3, 5, 6}, uint32(9))
	f.Fuzz(func(t *testing.T, b []byte, near uint32) {
		var u clientBody
		if u.consume(b, near) == nil {
			if again := append(u.append(nil), u.block...); len(again) > len(b) {
				t.Errorf("%x is written as %x", b, again)
			}
		}
		var d serverBody
		if d.consume(b, near) == nil {
			if again := append(d.append(nil), d.update...); len(again) > len(b) || len(d.margins) > downMargins {
				t.Errorf("%x is written as %x", b, again)
			}
		}
	})
}
