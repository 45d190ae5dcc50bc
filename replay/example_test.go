package replay_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// A recording is simulated again and compared with its hashes.
func ExampleVerify() {
	if err := verifyADuel(context.Background(), recordADuel()); err != nil {
		fmt.Println(err)
	}
	// Output: true <nil>
}

func verifyADuel(ctx context.Context, recording *tbr.Reader) error {
	rules, err := duel.Game(1)
	if err != nil {
		return err
	}
	start := func(h *tbr.Header) (func(s *duel.State), error) {
		first, err := duel.New(uint32(h.Seed))
		return func(s *duel.State) { *s = first }, err
	}
	game, err := replay.Of("duel", "frozen rules", rules, start)
	if err != nil {
		return err
	}
	result, err := replay.Verify(ctx, recording, game, replay.VerifyOptions{})
	if err != nil {
		return err // not the recording's fault: another game, a panic, an interrupt
	}
	fmt.Println(result.OK(), result.Mismatch)
	return nil
}

// recordADuel records a match in which nobody does anything.
func recordADuel() *tbr.Reader {
	var file bytes.Buffer
	w, err := tbr.NewWriter(&file, tbr.Header{
		Game: "duel", Shape: agreed.Shape{Players: 2, InputSize: 2}, TickRate: 60, Seed: 1, HashEvery: 60,
	})
	if err != nil {
		panic(err)
	}
	s, _ := duel.New(1)
	plan := duelPlan()
	for f := range uint32(300) {
		duel.Step(&s, [2]duel.Input{})
		if err := w.Frame(&agreed.Frame{Number: f, Inputs: make([]byte, 4)}); err != nil {
			panic(err)
		}
		if err := w.Hash(f+1, plan.Hash(&s)); err != nil {
			panic(err)
		}
	}
	if err := w.Close(tbr.End{}); err != nil {
		panic(err)
	}
	r, err := tbr.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		panic(err)
	}
	return r
}
