package sight_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sight"
)

// This file decodes updates by docs/reference/sight.md, and by nothing else: it uses no code of
// the package. Differences are decoded by package canon, whose page has a reader of its own.

const sightPage = "../../docs/reference/sight.md"

var errPage = errors.New("the page allows no such update")

// pageBits are the bits that are left, as text.
type pageBits string

func bitsOf(b []byte) pageBits {
	var s strings.Builder
	for i := range 8 * len(b) {
		fmt.Fprint(&s, b[i/8]>>(i%8)&1)
	}
	return pageBits(s.String())
}

func (p *pageBits) read(n int) (v uint64) {
	if len(*p) < n {
		panic(errPage)
	}
	for i, c := range (*p)[:n] {
		v |= uint64(c-'0') << i
	}
	*p = (*p)[n:]
	return v
}

// pageTick is what is known of a tick.
type pageTick struct {
	gone, told uint64
	inputs     [][]byte
	orders     [][]byte
}

// pageMatch is what both sides have in common.
type pageMatch struct{ players, size, maxOrders int }

// pageUpdate is an update by the page.
type pageUpdate struct {
	age          int
	plain, exact bool
	check        uint16
	ticks        []pageTick
	difference   []byte
}

// read decodes an update. before is what was sent about the tick before the baseline.
func (m pageMatch) read(b []byte, before pageTick) (u pageUpdate, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	p := bitsOf(b)
	u.age = int(p.read(6))
	u.plain, u.exact, u.check = p.read(1) == 1, p.read(1) == 1, uint16(p.read(16))
	if u.age < 1 || u.age > 63 {
		return u, errPage
	}
	mask := uint64(0)
	for range u.age {
		before = m.tick(&p, before, &mask)
		u.ticks = append(u.ticks, before)
	}
	if p.read(len(p)%8) != 0 {
		return u, errPage
	}
	u.difference = b[len(b)-len(p)/8:]
	if !u.exact && len(u.difference) > 0 {
		return u, errPage
	}
	return u, nil
}

// tick decodes the section "Tick" of the page, with its contents.
func (m pageMatch) tick(p *pageBits, before pageTick, mask *uint64) pageTick {
	t := pageTick{gone: before.gone, told: before.told, inputs: make([][]byte, m.players), orders: make([][]byte, m.players)}
	if p.read(1) == 0 {
		t.gone, t.told = p.read(m.players), p.read(m.players)
		if t.gone&t.told != 0 || t.gone == before.gone && t.told == before.told {
			panic(errPage)
		}
	}
	for q := range m.players {
		if t.told>>q&1 == 0 {
			continue
		}
		t.inputs[q] = make([]byte, m.size)
		if before.told>>q&1 == 1 {
			copy(t.inputs[q], before.inputs[q])
		}
		m.input(p, &t, q, mask)
	}
	return t
}

func (m pageMatch) input(p *pageBits, t *pageTick, q int, mask *uint64) {
	if p.read(1) == 1 {
		if p.read(1) == 0 {
			written := p.read(m.size)
			if written == *mask {
				panic(errPage)
			}
			*mask = written
		}
		if *mask == 0 {
			panic(errPage)
		}
		for i := range m.size {
			if *mask>>i&1 == 0 {
				continue
			}
			x := byte(p.read(8))
			if x == 0 {
				panic(errPage)
			}
			t.inputs[q][i] ^= x
		}
	}
	if m.maxOrders == 0 || p.read(1) == 0 {
		return
	}
	n := int(p.read(16))
	if n < 1 || n > m.maxOrders {
		panic(errPage)
	}
	for range n {
		t.orders[q] = append(t.orders[q], byte(p.read(8)))
	}
}

// whole reads the section "Whole state".
func (m pageMatch) whole(b []byte) (t pageTick, state []byte) {
	t = pageTick{gone: uint64(binary.LittleEndian.Uint16(b)), told: uint64(binary.LittleEndian.Uint16(b[2:])), inputs: make([][]byte, m.players)}
	b = b[4:]
	for q := range m.players {
		if t.told>>q&1 == 1 {
			t.inputs[q], b = b[:m.size], b[m.size:]
		}
	}
	return t, b
}

// pageClient holds states by the page.
type pageClient struct {
	m      pageMatch
	look   func(*walk, rollback.Player) rollback.PlayerSet
	me     rollback.Player
	run    *rollback.Stepper[walk, act]
	values *canon.Plan[walk]
	inputs *canon.Plan[act]
	state  walk
	number rollback.Frame
	before pageTick
}

// apply applies an update of state n by the page; its baseline must be the state that is held.
func (c *pageClient) apply(n rollback.Frame, b []byte) error {
	u, err := c.m.read(b, c.before)
	if err != nil {
		return err
	}
	if n-rollback.Frame(u.age) != c.number {
		return errPage
	}
	next := c.state
	if !u.plain {
		if err := c.run.Put(c.number, &c.state); err != nil {
			return err
		}
		for _, t := range u.ticks {
			inputs := make([]act, c.m.players)
			for q, in := range t.inputs {
				if in != nil {
					if err := c.inputs.Decode(&inputs[q], in); err != nil {
						return err
					}
				}
			}
			if err := c.run.Step(inputs, t.orders, rollback.PlayerSet(t.gone)); err != nil {
				return err
			}
		}
		if next = *c.run.State(); c.look != nil {
			c.look(&next, c.me)
		}
	}
	if u.exact {
		if used, err := c.values.ApplyDelta(&next, u.difference); err != nil || used != len(u.difference) {
			return fmt.Errorf("%d of %d bytes: %w", used, len(u.difference), err)
		}
	}
	if uint16(c.values.Hash(&next)) != u.check {
		return errors.New("the hash differs")
	}
	c.state, c.number, c.before = next, n, u.ticks[len(u.ticks)-1]
	return nil
}

// Rule: a reader who decodes updates and whole states by the page alone knows what a client may
// know, to the bit: with full and partial sight, plain and not, with orders, and with players that
// come and go.
func TestThePageIsEnoughToReadUpdates(t *testing.T) {
	m := pageMatch{players: walkers, size: 4, maxOrders: 9}
	exact, plains, ordered, refused := 0, 0, 0, 0
	for name, look := range map[string]func(*walk, rollback.Player) rollback.PlayerSet{"full": nil, "partial": walkSight} {
		for seed := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, 21))
			cfg := sight.Config[walk, act]{Game: walkGame(), Players: walkers, MaxOrders: 9, Sight: look}
			truth, err1 := sight.NewTruth(cfg)
			server, err2 := rollback.NewStepper[walk, act](cfg.Game, walkers, 9)
			reader, err3 := rollback.NewStepper[walk, act](cfg.Game, walkers, 9)
			values, err4 := canon.PlanFor[walk]()
			inputs, err5 := canon.PlanFor[act]()
			if err := errors.Join(err1, err2, err3, err4, err5, server.Restart(nil), reader.Restart(nil)); err != nil {
				t.Fatal(err)
			}
			me := rollback.Player(seed % walkers)
			c := pageClient{m: m, look: look, me: me, run: reader, values: values, inputs: inputs}
			truth.Begin(0, server.State(), values.Hash(server.State()))
			acts := make([]act, walkers)
			gone := rollback.PlayerSet(0)
			held := false
			for range 300 {
				orders := make([][]byte, walkers)
				for p := range acts {
					if r.IntN(3) == 0 {
						acts[p] = act{Dir: int8(r.IntN(9) - 4), Jump: r.IntN(4) == 0, Aim: uint16(r.IntN(700))}
					}
					if r.IntN(6) == 0 {
						orders[p] = []byte("ordered!!")[:1+r.IntN(9)]
					}
				}
				if r.IntN(15) == 0 {
					gone ^= 1 << r.IntN(walkers)
				}
				if err := server.Step(bytesOfActs(acts), orders, gone); err != nil {
					t.Fatal(err)
				}
				truth.Add(acts, orders, gone, server.State(), values.Hash(server.State()))
				if !held {
					b, err := truth.AppendWhole(nil, me, server.Marshal)
					if err != nil {
						t.Fatal(err)
					}
					var state []byte
					c.before, state = m.whole(b)
					if err := values.Decode(&c.state, state); err != nil {
						t.Fatal(err)
					}
					c.number, held = truth.Newest(), true
				} else if r.IntN(3) > 0 {
					plain := r.IntN(4) == 0
					b, err := truth.Append(nil, me, c.number, plain, 1<<12)
					if err != nil {
						t.Fatal(err)
					}
					for range 3 {
						wrong := bytes.Clone(b)
						wrong[r.IntN(len(wrong))] ^= 1 << r.IntN(8)
						lost := c
						if lost.apply(truth.Newest(), wrong) != nil {
							refused++
						}
					}
					if err := c.apply(truth.Newest(), b); err != nil {
						t.Fatalf("%s, seed %d, state %d: %v", name, seed, truth.Newest(), err)
					}
					u, _ := m.read(b, c.before)
					if u.plain {
						plains++
					}
					if u.exact && !u.plain {
						exact++
					}
					for _, o := range c.before.orders {
						if o != nil {
							ordered++
						}
					}
				}
				want := *server.State()
				if look != nil {
					look(&want, me)
				}
				if c.number == truth.Newest() && !values.Equal(&c.state, &want) {
					t.Fatalf("%s, seed %d, state %d: %v", name, seed, c.number, values.Diff(&c.state, &want, 5))
				}
			}
		}
	}
	if exact < 50 || plains < 50 || ordered < 50 || refused < 1000 {
		t.Errorf("%d differences, %d plain updates, %d orders, %d refused", exact, plains, ordered, refused)
	}
}

// bytesOfActs copies inputs, since a stepper may keep them.
func bytesOfActs(in []act) []act { return append([]act(nil), in...) }

// The example on the page, bit by bit, is right.
func TestTheExampleOfTheSightPageIsTrue(t *testing.T) {
	cfg := sight.Config[walk, act]{Game: walkGame(), Players: walkers, MaxOrders: 9}
	truth, err1 := sight.NewTruth(cfg)
	run, err2 := rollback.NewStepper[walk, act](cfg.Game, walkers, 9)
	values, err3 := canon.PlanFor[walk]()
	if err := errors.Join(err1, err2, err3, run.Restart(nil)); err != nil {
		t.Fatal(err)
	}
	truth.Begin(0, run.State(), 0)
	step := func(in []act, orders [][]byte, gone rollback.PlayerSet) {
		if err := run.Step(in, orders, gone); err != nil {
			t.Fatal(err)
		}
		truth.Add(in, orders, gone, run.State(), values.Hash(run.State()))
	}
	none := make([]act, walkers)
	for range 9 {
		step(none, nil, 0b0100)
	}
	step([]act{{Dir: 1}, {}, {}, {Dir: 1, Aim: 300}}, nil, 0b0100)
	step([]act{{Dir: 1}, {}, {}, {Dir: 2, Aim: 300}}, [][]byte{nil, nil, nil, {7}}, 0b0110)
	b, err := truth.Append(nil, 0, 9, false, 100)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(sightPage)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| bits | what they say |")
	table, _, _ = strings.Cut(table, "\n\n")
	told := ""
	for _, row := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| `"), "`")
		told += strings.ReplaceAll(cell, " ", "")
	}
	if told != string(bitsOf(b)) {
		t.Errorf("the page tells\n%s, the bits are\n%s", told, bitsOf(b))
	}
	if whole := fmt.Sprintf("`% x`", b); !strings.Contains(string(page), whole) {
		t.Errorf("the page does not tell the bytes %s", whole)
	}
	m := pageMatch{players: walkers, size: 4, maxOrders: 9}
	zero := [][]byte{make([]byte, 4), make([]byte, 4), nil, make([]byte, 4)}
	u, err := m.read(b, pageTick{gone: 0b0100, told: 0b1011, inputs: zero})
	if err != nil || len(u.ticks) != 2 || !bytes.Equal(u.ticks[1].inputs[3], []byte{2, 0, 44, 1}) || !bytes.Equal(u.ticks[1].orders[3], []byte{7}) || u.ticks[1].gone != 0b0110 {
		t.Errorf("%+v, %v", u, err)
	}
}
