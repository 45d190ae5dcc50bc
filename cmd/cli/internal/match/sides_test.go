package match

import (
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/reports"
	"github.com/tickback/tickback/session/desync"
)

// The players whose states differ are named in words, the smaller group first.
func TestSidesInWords(t *testing.T) {
	for want, peers := range map[string][]uint32{
		"Player 2 has another one than player 1.":                                   {0, 1},
		"Player 1 has another one than players 2 and 3.":                            {0, 1, 1},
		"Players 2 and 4 have another one than players 1 and 3.":                    {0, 1, 0, 1},
		"There are 3 different ones: of players 1 and 3; of player 2; of player 4.": {0, 1, 0, 2},
	} {
		r := &desync.Report{}
		for p, g := range peers {
			r.Peers = append(r.Peers, desync.Peer{Players: 1 << p, Group: g})
			for int(g) >= len(r.Groups) {
				r.Groups = append(r.Groups, uint64(g))
			}
		}
		if got := reports.Differing(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
