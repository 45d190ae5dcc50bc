package session

import (
	"testing"
	"time"
)

// Rule (ending.go): when a machine is gone, the match ends for all remaining ones at the
// same frame: the first for which none of them has its inputs. Machines that have fewer of
// them get the others, and nothing that was agreed is taken back.
func TestAMatchEndsWhereTheInputsOfWhoIsGoneEnd(t *testing.T) {
	for _, behind := range []int{0, 1} {
		ahead := 1 - behind
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, End })
		tr.reach(Playing)
		tr.run(300 * time.Millisecond)
		tr.forge = func(from, to int, b []byte) []byte {
			if from == 2 && to == behind {
				return nil // it hears nothing more from the machine that will be gone
			}
			return b
		}
		tr.run(60 * time.Millisecond)
		few, many := tr.peers[behind].sim.Confirmed(), tr.peers[ahead].sim.Confirmed()
		if few >= many {
			t.Fatalf("peer %d has %d frames of all, peer %d has %d: no difference to settle", behind, few, ahead, many)
		}
		held := tr.peers[ahead].inputs.Next(2)
		agreed := max(tr.peers[0].sim.Agreed(), tr.peers[1].sim.Agreed())
		tr.forge = func(from, to int, b []byte) []byte {
			if from == 2 || to == 2 {
				return nil
			}
			return b
		}
		tr.run(12 * time.Second)
		tr.agreeOnTheEnd(0, 1)
		if o, _ := tr.peers[0].Outcome(); o.Frames < agreed || o.Frames != held {
			t.Errorf("peer %d has inputs of %d frames, and %d were agreed; the match ends after %d", ahead, held, agreed, o.Frames)
		}
	}
}
