package rollback_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback/portable/strict"
	"github.com/tickback/tickback/rollback"
)

// Rule: a game that requires floats that are the same everywhere is refused, with the command that helps, in a program that
// was not built for that, whatever its kind and whatever is made of it; without that requirement it is not.
func TestStrictFloatsNeedAProof(t *testing.T) {
	if _, err := strict.Proof(); err == nil {
		t.Skip("this program is built for strict floats")
	}
	type state struct{ X float64 }
	step := func(*state, *rollback.Tick[byte]) {}
	plain := rollback.Game[state, byte]{Step: step, Floats: rollback.Strict}
	own := rollback.OwnMemory[state, state, byte]{Step: step, Floats: rollback.Strict}
	cfg := rollback.Config{Players: 1, Local: rollback.SetOf(0)}
	for name, make := range map[string]func() error{
		"an engine":             func() error { _, err := rollback.New(plain, cfg); return err },
		"an engine, own memory": func() error { _, err := rollback.New(own, cfg); return err },
		"a sandbox":             func() error { _, err := rollback.NewSandbox(plain, 1, 1); return err },
		"a sandbox, own memory": func() error { _, err := rollback.NewSandbox(own, 1, 1); return err },
	} {
		if err := make(); !errors.Is(err, strict.ErrNot) || !strings.Contains(err.Error(), "build --strict") {
			t.Errorf("%s: %v", name, err)
		}
	}
	own.Floats = 0
	if _, err := rollback.NewStepper(own, 1, 0); err != nil {
		t.Errorf("without: %v", err)
	}
	own.Floats = 7
	if _, err := rollback.New(own, cfg); err == nil || !strings.Contains(err.Error(), "Floats: 7") {
		t.Errorf("a value that there is not: %v", err)
	}
}
