package tickbacktest

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/rollback"
)

// aMatch returns a match with everything that a line can hold.
func aMatch() *match[pad] {
	m := newMatch[pad](2, 40)
	m.check, m.depth, m.thorough = checkSync, 7, true
	for f := 10; f < 25; f++ {
		m.inputs[f*2] = pad{Stick: -300, Buttons: buttonY}
		m.gone[f] = rollback.SetOf(1)
	}
	m.orders[5], m.orders[70] = []byte("go"), []byte{0}
	return m
}

func padCodec(t testing.TB) codec[pad] {
	t.Helper()
	c, err := newCodec[pad]()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A line brings back its match.
func TestLineBringsBackTheMatch(t *testing.T) {
	c := padCodec(t)
	rapid.Check(t, func(r *rapid.T) {
		o, _ := Options[pad]{Players: rapid.IntRange(1, 8).Draw(r, "players"), Frames: rapid.IntRange(1, 300).Draw(r, "frames"), MaxOrders: 20}.withDefaults()
		s, _ := newSource(o)
		m := s.random(r)
		m.check, m.thorough = checkPurity, rapid.Bool().Draw(r, "thorough")
		back, err := c.parse(c.line(m))
		if err != nil {
			r.Fatal(err)
		}
		if !same(m, back) {
			r.Fatalf("%+v came back as %+v", m, back)
		}
	})
}

func same(a, b *match[pad]) bool {
	for i, o := range a.orders {
		if string(o) != string(b.orders[i]) {
			return false
		}
	}
	x, y := *a, *b
	x.orders, y.orders = nil, nil
	return reflect.DeepEqual(x, y)
}

// The format of a line is frozen, because tests of games contain lines.
func TestFrozenLine(t *testing.T) {
	const want = "tb1.gQcCAygUH9T-Ah5QCgAPAg8AAgUCZ29BAQBxyjo0"
	if got := padCodec(t).line(aMatch()); got != want {
		t.Errorf("the line is\n%s, want\n%s", got, want)
	}
}

// A line that was not copied completely is refused, wherever it is damaged.
func TestDamagedLinesAreRefused(t *testing.T) {
	c := padCodec(t)
	line := c.line(aMatch())
	for i := range line {
		changed := byte('A')
		if line[i] == changed {
			changed = 'B'
		}
		for _, bad := range []string{line[:i], line[:i] + line[i+1:], line[:i] + string(changed) + line[i+1:]} {
			if _, err := c.parse(bad); err == nil {
				t.Errorf("%s was taken", bad)
			}
		}
	}
}

// Even bytes with a correct checksum that were never printed cause no panic.
func TestForgedLinesAreRefused(t *testing.T) {
	c := padCodec(t)
	whole, _ := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(c.line(aMatch()), linePrefix))
	whole = whole[:len(whole)-4]
	seal := func(b []byte) string {
		b = binary.LittleEndian.AppendUint32(b[:len(b):len(b)], crc32.ChecksumIEEE(b))
		return linePrefix + base64.RawURLEncoding.EncodeToString(b)
	}
	for n := range whole {
		if _, err := c.parse(seal(whole[:n])); err == nil {
			t.Errorf("the first %d of %d bytes were taken", n, len(whole))
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		b := append([]byte(nil), whole...)
		b[rapid.IntRange(0, len(b)-1).Draw(r, "at")] = rapid.Byte().Draw(r, "value")
		if m, err := c.parse(seal(b)); err == nil {
			_ = c.line(m)
		}
	})
}

// Errors say what is wrong with a line.
func TestErrorsOfLines(t *testing.T) {
	line := padCodec(t).line(aMatch())
	wide := rollback.Game[counters, uint64]{Step: func(*counters, *rollback.Tick[uint64]) {}}
	reports(t, func(t testing.TB) { Replay(t, wide, line) }, "inputs have 3 bytes", "uint64 have 8")
	reports(t, func(t testing.TB) { Replay(t, comboGame, "tb2."+line[4:]) }, `does not begin with "tb1."`, "version")
	reports(t, func(t testing.TB) { Replay(t, comboGame, line[:20]) }, "damaged", "copy it whole")
	m := aMatch()
	m.check = 99
	reports(t, func(t testing.TB) { Replay(t, comboGame, padCodec(t).line(m)) }, "check 99")
	m.check = checkTwins
	game := worlds()
	game.New = nil
	reports(t, func(t testing.TB) { Replay(t, game, padCodec(t).line(m)) }, "gives no New")
}
