package session

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/agreed"
)

// A game may have orders only: frames whose inputs have no bytes are resimulated, too.
func TestASandboxTakesInputsWithoutBytes(t *testing.T) {
	type orders struct{ Sum uint64 }
	game := rollback.Game[orders, struct{}]{Step: func(s *orders, t *rollback.Tick[struct{}]) {
		for p := range t.Players() {
			s.Sum += uint64(len(t.Orders(p)))
		}
	}}
	cfg := Config{Players: 2, Local: rollback.SetOf(0, 1), MaxOrders: 8}
	if err := cfg.complete(); err != nil {
		t.Fatal(err)
	}
	s, err := newSimulator(game, &cfg, Hooks[orders, struct{}]{Sample: func(Player) (none struct{}) { return none }})
	if err != nil {
		t.Fatal(err)
	}
	box, err := s.Sandbox()
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Unmarshal(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if err := box.Step(&agreed.Frame{Orders: [][]byte{{1, 2, 3}, nil}}); err != nil {
		t.Fatal(err)
	}
	if b, err := box.Marshal(nil); err != nil || b[0] != 3 {
		t.Errorf("the state is % x: %v", b, err)
	}
}

// A simulation outside the match has the inputs of the match, and the same players are
// absent.
func TestASandboxPlaysTheMatch(t *testing.T) {
	game := rollback.Game[sum, bool]{Step: func(s *sum, t *rollback.Tick[bool]) {
		for p := range t.Players() {
			if s.Total <<= 2; t.Input(p) {
				s.Total |= 1
			}
			if t.Status(p) == rollback.Disconnected {
				s.Total |= 2
			}
		}
	}}
	cfg := Config{Players: 4, Local: rollback.SetOf(0, 1, 2, 3)}
	if err := cfg.complete(); err != nil {
		t.Fatal(err)
	}
	s, err := newSimulator(game, &cfg, Hooks[sum, bool]{Sample: func(Player) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	box, err := s.Sandbox()
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Unmarshal(make([]byte, 16)); err != nil {
		t.Fatal(err)
	}
	if err := box.Step(&agreed.Frame{Inputs: []byte{1, 0, 0, 1}, Gone: 0b0110}); err != nil {
		t.Fatal(err)
	}
	if b, err := box.Marshal(nil); err != nil || b[8] != 0b01_10_10_01 {
		t.Errorf("the state is % x: %v", b, err)
	}
	if err := box.Step(&agreed.Frame{Number: 1, Inputs: []byte{0, 9, 0, 0}}); err == nil {
		t.Error("an input that is none is simulated")
	}
	if err := box.Unmarshal(make([]byte, 15)); err == nil {
		t.Error("a state that is none is loaded")
	}
}

// A game that cannot be created again outside the match gives an error that says why, and
// nothing else happens. A state is shown by the game's own description, or otherwise by
// the text of the state.
func TestASandboxShowsTheGame(t *testing.T) {
	game := rollback.OwnMemory[sum, sum, uint16]{
		New:  func() *sum { return &sum{Total: 7} },
		Init: func(s *sum) { *s = sum{Total: 7} }, Step: sumGame().Step,
		Save: func(s, slot *sum) { *slot = *s }, Restore: func(s, slot *sum) { *s = *slot },
		Hash: func(s *sum) uint64 { return s.Total },
	}
	cfg := Config{Players: 1}
	if err := cfg.complete(); err != nil {
		t.Fatal(err)
	}
	box := func(describe func(*sum) any) (desync.Sandbox, error) {
		game.Describe = describe
		s, err := newSimulator(game, &cfg, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 0 }})
		if err != nil {
			t.Fatal(err)
		}
		return s.Sandbox()
	}
	for what, describe := range map[string]func(*sum) any{
		"Total": nil,
		"apple": func(s *sum) any { return struct{ Apple uint64 }{s.Total} },
	} {
		b, err := box(describe)
		if err != nil {
			t.Fatal(err)
		}
		text, err := b.Text()
		if err != nil || !strings.Contains(strings.ToLower(string(text)), strings.ToLower(what)) || !strings.Contains(string(text), "7") {
			t.Errorf("it shows %q: %v", text, err)
		}
		if h, err := b.Hash(); h != 7 || err != nil {
			t.Errorf("the hash is %d: %v", h, err)
		}
	}
	game.New = nil
	if b, err := box(func(*sum) any { return 1 }); b != nil || err == nil || !strings.Contains(err.Error(), "the game gives no New") {
		t.Errorf("it has no New: %v", err)
	}
}
