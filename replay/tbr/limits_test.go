package tbr_test

import (
	"testing"

	"github.com/tickback/tickback/replay/tbr"
)

// Rule: the limits in docs/reference/recording-format.md, above which readers refuse.
func TestFrozenLimits(t *testing.T) {
	for name, c := range map[string][2]int{
		"a state":     {tbr.MaxState, 1 << 25},
		"a payload":   {tbr.MaxChunk, 1<<26 - 1},
		"data":        {tbr.MaxData, 64 << 10},
		"fields":      {tbr.MaxMeta, 64},
		"of a value":  {tbr.MaxValue, 4 << 10},
		"of one text": {tbr.MaxText, 255},
		"segments":    {tbr.MaxSegments, 1 << 20},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", name, c[0], c[1])
		}
	}
}
