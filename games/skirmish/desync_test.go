package skirmish

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/world"
)

// duel is a match of two machines in virtual time, on a link without delay.
type duel struct {
	testing.TB
	peers [2]*session.Session[World, Input]
	now   time.Duration
	// spent is how long each call of the sessions took, if requested.
	spent func(peer int, inquiring bool, d time.Duration)
}

func addr(peer int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(peer + 1)}), 7000)
}

// newDuel begins a match in which wrong is called after each step of machine 1, also when it simulates a frame again.
func newDuel(tb testing.TB, setup Setup, wrong func(w *World, f rollback.Frame)) *duel {
	tb.Helper()
	d := &duel{TB: tb}
	for i := range d.peers {
		game, err := New(setup, 1)
		if err != nil {
			tb.Fatal(err)
		}
		if step := game.Step; i == 1 && wrong != nil {
			game.Step = func(w *World, t *rollback.Tick[Input]) {
				step(w, t)
				wrong(w, t.Frame())
			}
		}
		n := uint64(i + 1)
		d.peers[i], err = session.New(game, session.Config{
			GameID: ID, Players: 2, Local: rollback.SetOf(rollback.Player(i)), MaxOrders: MaxOrderBytes, TickRate: TicksPerSecond,
			Peers: []session.Peer{{Players: rollback.SetOf(rollback.Player(1 - i)), Addr: addr(1 - i)}}, Match: session.Parameters{Frames: 600},
			Random: func() uint64 {
				n = n*6364136223846793005 + 1442695040888963407
				return n
			},
		}, session.Hooks[World, Input]{
			Sample: func(rollback.Player) Input { return Input{} },
			Orders: func(p rollback.Player) []byte { return d.orders(p) },
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return d
}

// orders sends all units to the opposite corner at first.
func (d *duel) orders(p rollback.Player) []byte {
	if s := d.peers[p]; s == nil || s.Frame() != 3 {
		return nil
	}
	b := (&Order{Verb: Select, To: Spot{1<<16 - 1, 1<<16 - 1}}).Append(nil)
	return (&Order{Verb: March, At: at(20+20*int64(p), 30)}).Append(b)
}

// play lets time pass until both machines have a report.
func (d *duel) play(length time.Duration) {
	d.Helper()
	for end := d.now + length; d.now < end; d.now += 4 * time.Millisecond {
		for i, p := range d.peers {
			before, begin := p.Health(), processorTime()
			p.Update(d.now)
			if took := processorTime() - begin; d.spent != nil {
				d.spent(i, before == session.Desynced, took)
			}
		}
		for i, p := range d.peers {
			for _, b := range p.Outgoing() {
				d.peers[1-i].Receive(d.now, addr(i), append([]byte(nil), b...))
			}
			p.Events()
			p.Effects()
		}
		if d.peers[0].Report() != nil && d.peers[1].Report() != nil {
			return
		}
	}
}

// run plays until both machines have a report.
func (d *duel) run(most time.Duration) (r *desync.Report) {
	d.Helper()
	d.play(most)
	if string(d.peers[0].Report()) != string(d.peers[1].Report()) || d.peers[0].Report() == nil {
		d.Fatalf("the reports have %d and %d bytes", len(d.peers[0].Report()), len(d.peers[1].Report()))
	}
	r, err := desync.Decode(d.peers[0].Report())
	if err != nil {
		d.Fatal(err)
	}
	return r
}

// Rule: a desync between two machines is reported on both: the frame, the entity, its component and the field, with
// both values.
func TestADesyncIsNamed(t *testing.T) {
	setup := Setup{Seed: 1, Size: 256, Players: 2, Units: 5000}
	if testing.Short() {
		setup = Setup{Seed: 1, Size: 64, Players: 2, Units: 100}
	}
	const row, frame = 77, 100
	var was, is fixed.Num
	d := newDuel(t, setup, func(w *World, f rollback.Frame) {
		if f != frame {
			return
		}
		world.Update(w, func(w *World) {
			v, _ := w.Units.Vel.Get(w.Units.At(row))
			was, is = v.Y, v.Y+1
			v.Y++
			w.Units.Vel.Set(w.Units.At(row), v)
		})
	})
	r := d.run(time.Minute)
	if r.State != frame+1 || r.Total != 1 || len(r.Fields) != 1 || r.AtLeast {
		t.Fatalf("%+v", r)
	}
	if f, want := r.Fields[0], fmt.Sprintf("Units#%d.Vel.Y", row); f.Path != want || f.Values[0].Text != was.String() || f.Values[1].Text != is.String() {
		t.Errorf("%+v, want %s: %v != %v", f, want, was, is)
	}
}
