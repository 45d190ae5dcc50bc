package rollback_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// board is a small game that owns its memory.
type board struct{ Cells []uint32 }

var (
	ping    = effects.OneShot[struct{}](1, "ping")
	jingle  = effects.OneShot[struct{}](2, "jingle").OnlyConfirmed()
	pinging = []effects.Declaration{ping, jingle}
)

func stepBoard(s *board, t *rollback.Tick[button]) {
	for p := range t.Players() {
		s.Cells[p] = s.Cells[p]*3 + uint32(t.Input(p)) + 1
	}
	if t.Frame()%5 == 0 {
		ping.Emit(t.Effects(), 0, struct{}{})
		jingle.Emit(t.Effects(), 0, struct{}{})
	}
}

func boardGame() rollback.OwnMemory[board, board, button] {
	return rollback.OwnMemory[board, board, button]{
		Init:    func(s *board) { s.Cells = []uint32{10, 20, 30, 40} },
		Step:    stepBoard,
		Save:    func(s, slot *board) { slot.Cells = append(slot.Cells[:0], s.Cells...) },
		Restore: func(s, slot *board) { s.Cells = append(s.Cells[:0], slot.Cells...) },
		Effects: pinging,
	}
}

func equalBoards(s, slot *board) bool { return slices.Equal(s.Cells, slot.Cells) }

// syncTest runs a sync test for so many frames.
func syncTest[S any](game rollback.Definition[S, button], frames int) (*rollback.Engine[S, button], error) {
	e, err := rollback.New(game, rollback.Config{Players: 1, Local: 1, SyncTest: 4})
	if err != nil {
		return nil, err
	}
	for f := range frames {
		must(e.AddLocal(0, button(f), nil))
		if err := e.Tick(); err != nil {
			return e, err
		}
	}
	return e, nil
}

// The loop in the documentation gets everything, in this order or with the effects before the
// agreement, in every tick or in every third one.
func TestTheDocumentedLoopHearsEveryEffect(t *testing.T) {
	for _, every := range []rollback.Frame{1, 3} {
		e := fresh(rollback.New(boardGame(), rollback.Config{Players: 2, Local: 1, Window: 8}))
		heard := map[string]int{}
		for f := range rollback.Frame(100) {
			must(e.AddInput(1, f, 0, nil))
			must(e.AddLocal(0, 0, nil))
			must(e.Tick())
			if f%every == 0 {
				for _, ev := range e.Effects() {
					heard[fmt.Sprint(ev.What, ev.Kind)]++
				}
			}
			must(e.Agree(e.Confirmed()))
		}
		for _, ev := range e.Effects() {
			heard[fmt.Sprint(ev.What, ev.Kind)]++
		}
		want(t, "heard", fmt.Sprint(heard), "map[confirmed 1:20 confirmed 2:20 started 1:20 started 2:20]")
	}
}

// A slot that shares the game's memory always equals it: only an earlier hash shows that
// it has changed.
func TestASyncTestFindsSharedMemoryBehindEqual(t *testing.T) {
	game := boardGame()
	game.Equal = equalBoards
	if _, err := syncTest(game, 50); err != nil {
		t.Fatal("the game itself:", err)
	}
	game.Save = func(s, slot *board) { slot.Cells = s.Cells }
	game.Restore = func(s, slot *board) { s.Cells = slot.Cells }
	_, err := syncTest(game, 50)
	if e := refused[*rollback.SyncTestError](t, err); e.Total == 0 {
		t.Errorf("it names no field: %v", err)
	}
}

type handle struct{ ID uint32 }

// A handle to memory elsewhere has a hash that never changes.
func TestAHandleOfSomethingElsewhereNeedsAHash(t *testing.T) {
	elsewhere := uint32(0)
	game := rollback.OwnMemory[handle, uint32, button]{
		Init:    func(*handle) { elsewhere = 0 },
		Step:    func(_ *handle, t *rollback.Tick[button]) { elsewhere++ },
		Save:    func(_ *handle, slot *uint32) { *slot = elsewhere },
		Restore: func(_ *handle, slot *uint32) { elsewhere = *slot },
	}
	_, err := syncTest(game, 1)
	want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Hash")
	game.Hash = func(*handle) uint64 { return uint64(elsewhere) }
	if _, err := syncTest(game, 50); err != nil {
		t.Error("with a hash:", err)
	}
}

// After a mismatch there is still a state to draw, and the stream has ended.
func TestAMismatchLeavesAStateAndEndsTheStream(t *testing.T) {
	game, luck := boardGame(), 0
	game.Step = func(s *board, t *rollback.Tick[button]) {
		if stepBoard(s, t); t.Frame() == 9 {
			luck++
			s.Cells[2] += uint32(luck)
		}
	}
	e := fresh(rollback.New(game, rollback.Config{Players: 1, Local: 1, SyncTest: 2, Stream: true}))
	var err error
	for f := 0; err == nil; f++ {
		must(e.AddLocal(0, 0, nil))
		err = e.Tick()
		for a := e.NextAgreed(); a != nil; a = e.NextAgreed() {
			if !a.Hashed || a.Frame >= 9 {
				t.Errorf("frame %d: hashed %v", a.Frame, a.Hashed)
			}
		}
	}
	m := refused[*rollback.SyncTestError](t, err)
	want(t, "frame", m.Frame, 9)
	want(t, "report", m.Report.String(), "Cells[2]: 31 != 32")
	if e.State() == nil || e.Frame() != 10 {
		t.Errorf("no state %d", e.Frame())
	}
	if again := e.Tick(); !errors.Is(again, err) {
		t.Errorf("the next tick says %v", again)
	}
}

// A report first shows the state as it was last simulated, not as it was mispredicted.
func TestAReportAfterAMispredictionNamesOnlyTheCulprit(t *testing.T) {
	game, leak := boardGame(), false
	game.Step = func(s *board, t *rollback.Tick[button]) {
		if stepBoard(s, t); leak && t.Resimulating() && t.Frame() == 5 {
			s.Cells[3] = 77
		}
	}
	e := fresh(rollback.New(game, rollback.Config{Players: 2, Local: 1, Window: 8, SyncTest: 4}))
	for range 6 {
		must(e.AddLocal(0, 1, nil))
		must(e.Tick())
	}
	for f := range rollback.Frame(5) {
		must(e.AddInput(1, f, 9, nil)) // all of it was predicted otherwise
	}
	must(e.Settle())
	leak = true
	must(e.AddLocal(0, 1, nil))
	m := refused[*rollback.SyncTestError](t, e.Tick())
	if text := m.Report.String(); !strings.HasPrefix(text, "Cells[3]: ") || m.Total != 1 {
		t.Errorf("the report says %s", text)
	}
}

// A match can begin again with another state 0, if there is a function that can make one.
func TestARestartTakesAnotherBeginning(t *testing.T) {
	e := fresh(rollback.New(boardGame(), rollback.Config{Players: 1, Local: 1, Window: 2}))
	must(e.Restart(func(s *board) { s.Cells = []uint32{5, 6, 7, 8} }))
	want(t, "another", fmt.Sprint(e.State().Cells), "[5 6 7 8]")
	must(e.Restart(nil))
	want(t, "its own", fmt.Sprint(e.State().Cells), "[10 20 30 40]")

	poor := boardGame()
	poor.Init, poor.Step = nil, func(s *board, t *rollback.Tick[button]) { s.Cells = append(s.Cells, 1) }
	e = fresh(rollback.New(poor, rollback.Config{Players: 1, Local: 1, Window: 2}))
	must(e.AddLocal(0, 0, nil))
	must(e.Tick())
	want(t, "missing", refused[*rollback.CapabilityError](t, e.Restart(nil)).Missing, "Init")
	want(t, "it plays on in frame", e.Frame(), 1)
}

// Rule: only Step is required. A game without Init and New can have its first match, however often it
// begins before a frame has run; the second one needs a function that makes a state 0.
func TestAFirstMatchNeedsNoInit(t *testing.T) {
	begins := func(what string, e *rollback.Engine[board, button], missing string) {
		t.Helper()
		err := e.Restart(nil)
		if missing == "" {
			must(err)
			return
		}
		want(t, what, refused[*rollback.CapabilityError](t, err).Missing, missing)
		want(t, what, err.Error(), "the game gives no Init, which a second match (New would do, too) needs")
	}
	bare := boardGame()
	bare.Init, bare.Step = nil, func(s *board, t *rollback.Tick[button]) { s.Cells = append(s.Cells, 1) }
	bare.Marshal = func(b []byte, s *board) ([]byte, error) { return binary.Append(b, binary.LittleEndian, s.Cells) }
	bare.Unmarshal = func(s *board, encoded []byte) error {
		s.Cells = make([]uint32, len(encoded)/4)
		_, err := binary.Decode(encoded, binary.LittleEndian, s.Cells)
		return err
	}
	cfg := rollback.Config{Players: 1, Local: 1, Window: 2}

	e := fresh(rollback.New(bare, cfg))
	begins("the first", e, "")
	begins("the first, once more", e, "")
	must(e.AddLocal(0, 0, nil))
	must(e.Tick())
	begins("a second", e, "Init")

	e = fresh(rollback.New(bare, cfg))
	must(e.Restart(func(s *board) { s.Cells = []uint32{7} })) // no longer what it was made as
	begins("after one of another beginning", e, "Init")

	e = fresh(rollback.New(bare, cfg))
	state, err := e.Marshal(nil, 0)
	must(err)
	must(e.Load(5, state))
	begins("after a state was loaded", e, "Init")

	made := bare
	made.New = func() *board { return &board{Cells: []uint32{3}} }
	e = fresh(rollback.New(made, cfg))
	for range 2 {
		begins("with New", e, "")
		want(t, "its own", fmt.Sprint(e.State().Cells), "[3]")
		must(e.AddLocal(0, 0, nil))
		must(e.Tick())
	}
}

// Rule: the same holds in a sandbox, also for a game with its own memory.
func TestAFirstMatchOfASandboxNeedsNoInit(t *testing.T) {
	own := rollback.OwnMemory[int64, int64, uint8]{Step: func(s *int64, _ *rollback.Tick[uint8]) { *s++ }}
	own.Save, own.Restore = func(s, slot *int64) { *slot = *s }, func(s, slot *int64) { *s = *slot }
	s, err := rollback.NewSandbox[int64, uint8](own, 2, 1)
	must(err)
	must(s.Init())
	must(s.Init())
	if _, err := s.Step(rollback.SandboxFrame[uint8]{Inputs: make([]uint8, 2)}); err != nil {
		t.Fatal(err)
	}
	want(t, "a second", refused[*rollback.CapabilityError](t, s.Init()).Missing, "Init")
}
