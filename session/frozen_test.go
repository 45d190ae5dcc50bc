package session_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// The same seed gives the same run, with spectators, too: every datagram is the
// same on every machine. (The version of the protocol changes these digests, but
// the machine does not.)
func TestFrozenAudience(t *testing.T) {
	th := open(t, smallGame(), 2, netem.Link{Delay: 30 * time.Millisecond, Loss: 3 * netem.Percent}, func(_ int, c *session.Config) {
		c.Match.Frames = 400
	})
	digest, count := uint64(0), 0
	th.tap = func(from, to int, b []byte) bool {
		digest = xxh3.HashSeed(b, digest+uint64(th.now)+uint64(from*64+to))
		count++
		return true
	}
	early := th.watch(smallGame(), []int{0, 1}, nil)
	th.run(4 * time.Second)
	late := th.watch(smallGame(), []int{1}, nil)
	th.run(8 * time.Second)
	got := ""
	for i, node := range []int{early, late} {
		o, _ := th.watchers[i].Outcome()
		got += fmt.Sprintf("%d frames, hash %016x, %v, live %v\n", o.Frames, o.Hash, o.Health, th.saw(node, session.Live) != nil)
	}
	got += fmt.Sprintf("%d datagrams, digest %016x\n", count, digest)
	const want = `400 frames, hash ab204b040007259e, healthy, live true
400 frames, hash ab204b040007259e, healthy, live true
1348 datagrams, digest 8aa60008305393b1
`
	if got != want {
		t.Errorf("the match is another one:\n%swant\n%s", got, want)
	}
}
