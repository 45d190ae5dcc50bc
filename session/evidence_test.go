package session

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// A game may have orders alone: inputs without bytes are simulated again, too.
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
	if err := box.Load(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if err := box.Step(&agreed.Frame{Orders: [][]byte{{1, 2, 3}, nil}}); err != nil {
		t.Fatal(err)
	}
	if b, err := box.Marshal(nil); err != nil || b[0] != 3 {
		t.Errorf("the state is % x: %v", b, err)
	}
}

// What is simulated again beside the match has the inputs of the match, and those players
// gone who were; what the game does there for the first time is an error, and no more.
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
		if s.Frame == 99 {
			panic("frame 99")
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
	if err := box.Load(make([]byte, 16)); err != nil {
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
	if err := box.Load(make([]byte, 15)); err == nil {
		t.Error("a state that is none is loaded")
	}
	state := make([]byte, 16)
	state[0] = 99
	if err := box.Load(state); err != nil {
		t.Fatal(err)
	}
	if err := box.Step(&agreed.Frame{Number: 99, Inputs: make([]byte, 4)}); err == nil || !strings.Contains(err.Error(), "the game panicked: frame 99") {
		t.Errorf("the game panics: %v", err)
	}
}
