package rollback

import (
	"strings"
	"testing"
)

// The error about a state that cannot be hashed is the first one, whatever comes later:
// that is what has to be fixed.
func TestTheFirstReasonNotToHashIsKept(t *testing.T) {
	type state struct{ First, Second any }
	m := &own[state, state, int32]{game: OwnMemory[state, state, int32]{}, s: &state{}}
	m.mustHash()
	if m.failed != nil {
		t.Fatal(m.failed)
	}
	m.s.First = make(chan int)
	m.mustHash()
	first := m.failed
	if first == nil || !strings.Contains(first.Error(), "First") {
		t.Fatalf("the error is %v", first)
	}
	*m.s = state{Second: make(chan int)}
	m.mustHash()
	*m.s = state{}
	m.mustHash()
	if m.failed != first {
		t.Errorf("it is now %v", m.failed)
	}
}

// A step that asks for a player who is not in the match panics with that message, whatever
// it asks for.
func TestAStepCannotAskForNobody(t *testing.T) {
	for name, ask := range map[string]func(t *Tick[int32], p Player){
		"Input":  func(t *Tick[int32], p Player) { t.Input(p) },
		"Orders": func(t *Tick[int32], p Player) { t.Orders(p) },
		"Status": func(t *Tick[int32], p Player) { t.Status(p) },
	} {
		for p, want := range map[Player]any{1: nil, 2: noPlayer, 255: noPlayer} {
			e, err := New(Game[int32, int32]{Step: func(_ *int32, tick *Tick[int32]) {
				defer func() {
					if got := recover(); got != want {
						t.Errorf("%s of player %d: %v", name, p, got)
					}
				}()
				ask(tick, p)
			}}, Config{Players: 2, Local: SetOf(0, 1)})
			if err != nil {
				t.Fatal(err)
			}
			for p := range Player(2) {
				if err := e.AddLocal(p, 1, nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := e.Tick(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
