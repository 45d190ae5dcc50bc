package fleet_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/tickback/tickback/rollback"
)

var runTicks = flag.String("fleet.ticks", "", "PLAYERS,AFTER,TICKS: run so many ticks of the match that BenchmarkFrame measures, to count instructions")

// TestTicks runs a match without a network for scripts/instructions.sh, which counts. All peers must have run
// the frames, or there would be less to count.
func TestTicks(t *testing.T) {
	players, after, ticks := 2, 4, 100
	if *runTicks != "" {
		if _, err := fmt.Sscanf(*runTicks, "%d,%d,%d", &players, &after, &ticks); err != nil {
			t.Fatalf("-fleet.ticks %s: %v", *runTicks, err)
		}
	}
	m := newMesh(t, players, after)
	before := m.peers[0].Frame()
	for range ticks {
		m.tick()
	}
	for i, p := range m.peers {
		if ran := p.Frame() - before; ran+2 < rollback.Frame(ticks) {
			t.Errorf("peer %d has run %d frames in %d ticks", i, ran, ticks)
		}
	}
}
