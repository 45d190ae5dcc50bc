package session

import (
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
