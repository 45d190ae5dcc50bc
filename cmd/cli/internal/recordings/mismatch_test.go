package recordings

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// Rule: the recorded hash and the simulated one are shown with the same number of bits, so that they can be compared.
func TestHashesOfAMismatchHaveTheSameBits(t *testing.T) {
	for bits, want := range map[int]string{
		32: "recorded 0x80B458D9, simulated 0x6716AC43\n",
		64: "recorded 0x1122334480B458D9, simulated 0xC3AB843B6716AC43\n",
	} {
		recorded := tbr.Hash{State: 3, Hash: 0x1122334480B458D9, Bits: bits}
		var b strings.Builder
		printMismatch(&b, &verifyResult{File: "m.tbr", Mismatch: mismatchOf(&replay.Mismatch{Good: 2, State: 3, Recorded: recorded, Computed: 0xC3AB843B6716AC43})})
		if !strings.Contains(b.String(), want) {
			t.Errorf("of %d bits: %q, want %q", bits, b.String(), want)
		}
	}
}
