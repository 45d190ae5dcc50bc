package replay_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// chainAt is the position of the chain in an ENDS chunk.
const chainAt = 1 + 1 + 4 + 8

// withChain is a recording whose end has this chain, and which is otherwise unchanged; all
// checksums and digests are right.
func withChain(t *testing.T, file []byte, chain uint64) []byte {
	t.Helper()
	list := pieces(t, file)
	for i := range list {
		if list[i].kind == "ENDS" {
			binary.LittleEndian.PutUint64(list[i].payload[chainAt:], chain)
		}
	}
	return assemble(list, segmentsOf(list))
}

// chainOf is the chain of a match that hashes the states of this interval, by the formula
// of docs/reference/wire.md.
func chainOf(t *testing.T, m match, file []byte, every uint32) (chain uint64) {
	t.Helper()
	sim, err := m.game.Sim(&m.header)
	if err == nil {
		err = sim.Init()
	}
	cursor, e := open(t, file).Frames(0)
	for f := uint32(1); err == nil && e == nil && f <= m.frames; f++ {
		var frame *agreed.Frame
		if frame, e = cursor.Next(); e != nil {
			break
		}
		err = sim.Step(frame)
		if f%every != 0 {
			continue
		}
		hash, _ := sim.Hash()
		x := (chain ^ hash) * 0x9E3779B97F4A7C15
		chain = (x<<29 | x>>35) + uint64(f)
	}
	if err != nil || e != nil {
		t.Fatal(err, e)
	}
	return chain
}

// Rule: the chain at the end is that of the hashes of all states, however many workers
// simulate them; a file in which only the chain is wrong is detected.
func TestTheChainIsVerified(t *testing.T) {
	m := worldMatch(3000)
	file := record(t, m)
	for _, every := range []uint32{1, 2, 5} { // and 10 below, that of the recording
		if v := verify(t, withChain(t, file, chainOf(t, m, file, every)), m.game, replay.VerifyOptions{}); !v.OK() || !v.Chained {
			t.Errorf("a match that hashes every %d states: %+v", every, v)
		}
	}
	if v := verify(t, withChain(t, file, chainOf(t, m, file, 3)), m.game, replay.VerifyOptions{}); v.OK() {
		t.Errorf("3 does not divide 10: %+v", v)
	}
	chain, all := chainOf(t, m, file, 10), chainOf(t, m, file, 1)
	for _, workers := range []int{1, 4} {
		v := verify(t, withChain(t, file, chain), m.game, replay.VerifyOptions{Workers: workers})
		if !v.OK() || !v.Chained {
			t.Errorf("the right chain: %+v", v)
		}
		v = verify(t, withChain(t, file, chain^1<<63), m.game, replay.VerifyOptions{Workers: workers})
		if v.OK() || v.Damage != nil || v.Mismatch == nil || !strings.Contains(v.Mismatch.Ended, "chain") || v.Mismatch.Computed != all {
			t.Errorf("a forged chain: %+v", v)
		}
	}
	if v := verify(t, file, m.game, replay.VerifyOptions{}); !v.OK() || v.Chained {
		t.Errorf("without a chain: %+v", v)
	}
}

// Rule: a state that differs between two recorded hashes, and heals before the next one, is
// in no hash of the file, but in the chain.
func TestTheChainHasWhatHealsBetweenHashes(t *testing.T) {
	m := worldMatch(2000)
	file := record(t, m)
	healing := worldGame(func(w *world, k *rollback.Tick[keys]) {
		stepWorld(w, k)
		if f := k.Frame(); f == 101 || f == 102 {
			w.Score[3] = 102 - int32(f)
		}
	})
	if v := verify(t, file, healing, replay.VerifyOptions{}); !v.OK() {
		t.Fatalf("the hashes of the file should not have it: %+v", v)
	}
	if v := verify(t, withChain(t, file, chainOf(t, m, file, 1)), healing, replay.VerifyOptions{}); v.OK() || v.Mismatch == nil {
		t.Errorf("not found: %+v", v)
	}
}
