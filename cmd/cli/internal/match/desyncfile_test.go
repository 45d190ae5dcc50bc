package match

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/reports"
	"github.com/tickback/tickback/session/desync"
)

// A report never takes the place of another file: the usual name gets a number, and a
// name that was asked for is an error.
func TestReportsOverwriteNothing(t *testing.T) {
	dir := t.TempDir()
	usual := filepath.Join(dir, "desync-1-7.tbd")
	for i, want := range []string{usual, filepath.Join(dir, "desync-1-7-2.tbd"), filepath.Join(dir, "desync-1-7-3.tbd")} {
		name, err := writeReport("", usual, []byte{byte(i)})
		b, read := os.ReadFile(want)
		if name != want || err != nil || read != nil || b[0] != byte(i) {
			t.Errorf("%s, %v, %v", name, err, read)
		}
	}
	if name, err := writeReport(usual, "", []byte{9}); !errors.Is(err, fs.ErrExist) || name != usual {
		t.Errorf("%s: %v", name, err)
	}
	if b, err := os.ReadFile(usual); err != nil || b[0] != 0 {
		t.Errorf("%v, %v", b, err)
	}
	if _, err := writeReport("", filepath.Join(dir, "none", "x.tbd"), nil); err == nil {
		t.Error("there is no such directory")
	}
}

// Who differs from whom is said in words, the fewer first.
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
