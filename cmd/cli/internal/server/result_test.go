package server

import (
	"strings"
	"testing"
)

// Rule: the table has the seed of a match if clients are told it, and otherwise not.
func TestTheSeedIsShownWhereItIsTold(t *testing.T) {
	for partial, want := range map[bool]string{false: "777", true: "-"} {
		var out strings.Builder
		printClients(&out, []*clientResult{{Game: "toy", Seed: 777, Frames: 9, Checksum: "0x1", Health: "healthy", Reason: "length"}}, partial)
		_, row, _ := strings.Cut(out.String(), "\n")
		if cells := strings.Fields(row); len(cells) < 7 || cells[5] != want {
			t.Errorf("partial %v: %q", partial, out.String())
		}
	}
}
