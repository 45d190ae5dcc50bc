package served_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// differing is a house with three clients, the last of which has a wrong step in one tick.
func differing(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet, at rollback.Frame, wrong func(s *tanks.State)) (*house, *guest) {
	t.Helper()
	h := newHouse(t, 1, 3, clean, look, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) { c.Machine = "a rack" })
	h.tune = func(c *served.ClientConfig) { c.Machine = "a telephone" }
	right := h.game
	for node := 1; node <= 2; node++ {
		h.join(node)
	}
	h.game.Step = func(s *tanks.State, k *rollback.Tick[tanks.Input]) {
		right.Step(s, k)
		if k.Frame() == at {
			wrong(s)
		}
	}
	g := h.join(3)
	g.deaf = true
	h.run(time.Duration(at+60) * tanks.Tick)
	h.game = right
	return h, g
}

// reports returns the reports of a client, or why there is none.
func reports(t *testing.T, g *guest) (reports []*desync.Report, why string) {
	t.Helper()
	desyncs := 0
	var noticed event.Event
	for _, e := range g.Events() {
		switch e.What {
		case event.Desync:
			desyncs++
			noticed = e
		case event.Reported:
			if desyncs != 1 {
				t.Fatalf("reported after %d desyncs", desyncs)
			}
			if e.Data == nil {
				return nil, e.Text
			}
			r, err := desync.Decode(e.Data)
			if err != nil {
				t.Fatal(err)
			}
			if noticed.Ours != r.Groups[1]&0xFFFF || noticed.Theirs != r.Groups[0]&0xFFFF || noticed.Frame != rollback.Frame(r.State) {
				t.Errorf("%v, and then a report of state %d with %x", noticed, r.State, r.Groups)
			}
			if string(g.Report()) != string(e.Data) {
				t.Error("the client has another report than its event")
			}
			reports = append(reports, r)
		}
	}
	return reports, ""
}

// Rule: a client whose state is another one than the server's gets a report, with the first state that
// differs, the fields with the values of both, and whose they are. With full sight it has the ticks before,
// too: running them with the server's step gives the server's state, and with the client's step the
// client's. The server says whose state differs.
func TestADifferenceIsExplained(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		const at = 100
		h, g := differing(t, look, at, func(s *tanks.State) { s.Tanks[2].Kills += 7 })
		list, why := reports(t, g)
		if len(list) != 1 {
			t.Fatalf("%d reports: %q", len(list), why)
		}
		r := list[0]
		truth := h.states[at+1]
		if look != nil {
			look(&truth, 2)
		}
		kills := truth.Tanks[2].Kills
		if r.State != at+1 || r.Noticed != at+1 || r.Equal != at || len(r.Fields) != 1 || r.Total != 1 || r.AtLeast {
			t.Fatalf("%+v", r)
		}
		if f := r.Fields[0]; f.Path != "Tanks[2].Kills" || f.Values[0].Text != fmt.Sprint(kills) || f.Values[1].Text != fmt.Sprint(kills+7) {
			t.Errorf("%+v", f)
		}
		server, client := r.Peers[0], r.Peers[1]
		if server.Players != 0xFFFF&^4 || client.Players != 4 || server.Group != 0 || client.Group != 1 || r.Groups[0] != h.plan.Hash(&truth) ||
			server.Machine != "the server: a rack" || client.Machine != "a telephone" || client.Origin != desync.Original {
			t.Errorf("%+v, %x", r.Peers, r.Groups)
		}
		if r.Game != "tanks" || r.Build != "1" || r.Match != 1 || r.TickRate != tanks.TicksPerSecond {
			t.Errorf("%+v", r)
		}
		if whole := look == nil; whole != (r.Begin != nil) || whole != (r.First == at+1-64) || !whole && r.First != r.State {
			t.Errorf("it begins with state %d, of %d bytes", r.First, len(r.Begin))
		}
		for _, p := range r.Peers {
			if whole := look == nil; whole != (p.Inputs == desync.Same) {
				t.Errorf("the inputs of %b are %v", p.Players, p.Inputs)
			}
		}
		if look == nil {
			for _, game := range []struct {
				wrong uint16
				hash  uint64
			}{{0, r.Groups[0]}, {7, r.Groups[1]}} {
				if got := replay(t, h, r, at, game.wrong); got != game.hash {
					t.Errorf("with %d more, its ticks lead to %x, want %x", game.wrong, got, game.hash)
				}
			}
		}
		said := 0
		for _, e := range h.events {
			if strings.HasPrefix(e, "desync: player 2, frame 101") {
				said++
			}
		}
		if said != 1 || g.Health() != stream.Desynced {
			t.Errorf("the server says it %d times: %v", said, h.events)
		}
	})
}

// replay runs the ticks of a report.
func replay(t *testing.T, h *house, r *desync.Report, at rollback.Frame, wrong uint16) uint64 {
	t.Helper()
	game := h.game
	game.Step = func(s *tanks.State, k *rollback.Tick[tanks.Input]) {
		h.game.Step(s, k)
		if k.Frame() == at {
			s.Tanks[2].Kills += wrong
		}
	}
	stepper, err := rollback.NewStepper(game, tanks.MaxPlayers, 0)
	if err == nil {
		err = stepper.Load(rollback.Frame(r.First), r.Begin)
	}
	if err != nil {
		t.Fatal(err)
	}
	inputs := make([]tanks.Input, tanks.MaxPlayers)
	plan, err := canon.PlanFor[tanks.Input]()
	if err != nil {
		t.Fatal(err)
	}
	err = r.Frames(func(f *agreed.Frame) error {
		if err := stream.Decode(plan, inputs, f); err != nil {
			return err
		}
		return stepper.Step(inputs, f.Orders, rollback.PlayerSet(f.Gone))
	})
	if err != nil {
		t.Fatal(err)
	}
	return h.plan.Hash(stepper.State())
}
