package fleet_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// The same seed gives the same run: every datagram, every rollback and the last
// state, on every machine. (The version of the protocol changes these digests, but
// the machine does not.)
func TestFrozenMatch(t *testing.T) {
	script := arena.Random(3)
	var inputs [][arena.MaxPlayers]arena.Input
	for frame := range session.Frame(400) {
		inputs = append(inputs, script(frame))
	}
	f, err := fleet.New(fleet.Setup[arena.State, arena.Input]{
		Game: arena.Game(3), Players: 4, Seed: 3, Late: staggered(4), Drift: []int64{300, -200, 0, 50},
		Input: func(p session.Player, n int) arena.Input { return inputs[n][p] },
		Link: netem.Link{
			Delay: 30 * time.Millisecond, Jitter: 20 * time.Millisecond, Distribution: netem.Exponential, Reorder: true,
			Loss: 5 * netem.Percent, Duplicate: netem.Percent, Corrupt: netem.Percent,
		},
		Configure: func(_ int, c *session.Config) { c.Match.Frames = 240 },
	})
	if err != nil {
		t.Fatal(err)
	}
	digest, count := uint64(0), 0
	f.OnSend = func(from, to int, b []byte) {
		digest = xxh3.HashSeed(b, digest+uint64(f.Now)+uint64(from*8+to))
		count++
	}
	f.Run(10 * time.Second)
	var got string
	for _, p := range f.Peers {
		o, _ := p.Outcome()
		got += fmt.Sprintf("%d frames, hash %016x, %d simulated again, %v\n", o.Frames, o.Hash, o.Resimulated, o.Health)
	}
	got += fmt.Sprintf("%d datagrams, digest %016x\n", count, digest)
	const want = `240 frames, hash fd3a17d6d7a5fa9e, 164 simulated again, healthy
240 frames, hash fd3a17d6d7a5fa9e, 141 simulated again, healthy
240 frames, hash fd3a17d6d7a5fa9e, 190 simulated again, healthy
240 frames, hash fd3a17d6d7a5fa9e, 169 simulated again, healthy
3496 datagrams, digest b9b8ca7d6ee5f79a
`
	if got != want {
		t.Errorf("the match is another one:\n%swant\n%s", got, want)
	}
}
