package skirmish

import (
	"bytes"
	"os"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// Rule: a recorded battle of four bots, from another machine, reproduces the recorded hashes on every machine and in
// every version of the game.
func TestFrozenRecording(t *testing.T) {
	b, err := os.ReadFile("../../testdata/skirmish.tbr")
	if err != nil {
		t.Fatal(err)
	}
	r, err := tbr.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	game, err := New(Usual, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, err := replay.Of(ID, "", game, func(h *tbr.Header) (func(*World), error) { return Start(h.Seed, h.Data) })
	if err != nil {
		t.Fatal(err)
	}
	v, err := replay.Verify(t.Context(), r, g, replay.VerifyOptions{Workers: 1})
	if err != nil || v.Mismatch != nil || v.Damage != nil || v.Unverified() {
		t.Fatalf("%v, %+v", err, v)
	}
	if v.Frames != 2700 || v.Last != 0xB10881BE17E33577 {
		t.Errorf("%d frames, and the last state is %#x", v.Frames, v.Last)
	}
}
