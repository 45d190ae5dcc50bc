package session

import (
	"testing"
	"time"
)

// Rule: if nobody is awaited, nothing times out.
func TestWhereNobodyIsAwaitedNothingTimesOut(t *testing.T) {
	for _, phase := range []Phase{Connecting, Starting} {
		for _, lobby := range []bool{false, true} {
			tr := newTrio(t, 2, func(c *Config) { c.Lobby = lobby })
			m := tr.peers[0].Machine
			m.phase, m.now = phase, time.Hour
			if m.await(0, "an answer", time.Second); m.Err() != nil || len(m.Events()) > 0 {
				t.Errorf("%v, lobby %v: %v", phase, lobby, m.Err())
			}
			m.await(0b10, "an answer", time.Second)
			if m.Err() == nil && len(m.Events()) == 0 {
				t.Errorf("%v, lobby %v: a peer is awaited for an hour", phase, lobby)
			}
		}
	}
}
