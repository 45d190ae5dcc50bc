package fleet_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// A machine that shows a match ahead plays the very same match as one that does not: every datagram, rollback, hash and
// outcome on every machine is the same, with a plain state and with memory of its own, in rollback and in lockstep. Nothing
// is shown beyond the last frame.
func TestShowingAMatchAheadIsNoticedByNobody(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		plain := arena.Game(seed)
		for name, game := range map[string]rollback.Definition[arena.State, arena.Input]{"plain": plain, "own": ownMemory(plain)} {
			for _, lockstep := range []bool{false, true} {
				without, _ := playedAhead(t, game, seed, lockstep, 0)
				with, shown := playedAhead(t, game, seed, lockstep, 1+int(seed)%4)
				if with != without {
					t.Errorf("%s, seed %d, lockstep %v: shown ahead the match is\n%swithout\n%s", name, seed, lockstep, with, without)
				}
				if shown < 200 {
					t.Errorf("%s, seed %d, lockstep %v: %d frames were shown ahead", name, seed, lockstep, shown)
				}
			}
		}
	}
}

// ownMemory is a plain game as one that owns its memory.
func ownMemory(g rollback.Game[arena.State, arena.Input]) rollback.OwnMemory[arena.State, arena.State, arena.Input] {
	plan, err := canon.PlanFor[arena.State]()
	if err != nil {
		panic(err)
	}
	return rollback.OwnMemory[arena.State, arena.State, arena.Input]{
		Init: func(s *arena.State) { *s = arena.State{}; g.Init(s) }, Step: g.Step, Effects: g.Effects, Predict: g.Predict,
		Save: func(s, slot *arena.State) { *slot = *s }, Restore: func(s, slot *arena.State) { *s = *slot },
		Hash: plan.Hash, Equal: plan.Equal, New: func() *arena.State { return new(arena.State) },
	}
}

// playedAhead returns all that three machines did in a match that the first two show ahead, and how many frames these
// have shown.
func playedAhead(t *testing.T, game rollback.Definition[arena.State, arena.Input], seed uint64, lockstep bool, ahead int) (did string, shown int) {
	t.Helper()
	const frames = 240
	script := arena.Random(seed)
	var inputs [][arena.MaxPlayers]arena.Input
	for frame := range session.Frame(2 * frames) {
		inputs = append(inputs, script(frame))
	}
	f, err := fleet.New(fleet.Setup[arena.State, arena.Input]{
		Game: game, Players: 3, Seed: seed, Late: staggered(3), Drift: []int64{300, -200, 0},
		Input: func(p session.Player, n int) arena.Input { return inputs[n][p] },
		Link: netem.Link{
			Delay: 30 * time.Millisecond, Jitter: 20 * time.Millisecond, Distribution: netem.Exponential, Reorder: true,
			Loss: 5 * netem.Percent,
		},
		Configure: func(peer int, c *session.Config) {
			if c.Match.Frames, c.RunAhead = frames, ahead; peer == 2 {
				c.RunAhead = 0
			}
			if c.Delay[peer] = 1; lockstep {
				c.Lockstep, c.Window, c.Delay[peer] = true, 0, 4
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	digest, count := uint64(0), 0
	f.OnSend = func(from, to int, b []byte) {
		digest = xxh3.HashSeed(b, digest+uint64(f.Now)+uint64(from*8+to))
		count++
	}
	newest := make([]session.Frame, 3)
	f.OnUpdate = func(node int) {
		p := f.Peers[node]
		_, after, at := p.Ahead()
		if after == nil {
			return
		}
		if at <= p.Frame() || at > p.Frame()+session.Frame(ahead) || at > frames {
			t.Fatalf("machine %d shows state %d in frame %d", node, at, p.Frame())
		}
		if at != newest[node] {
			newest[node] = at
			shown++
		}
	}
	f.Run(12 * time.Second)
	for _, p := range f.Peers {
		o, ended := p.Outcome()
		if !ended || o.Frames != frames {
			t.Fatalf("the match ended: %v, after %d frames; %v", ended, o.Frames, p.Err())
		}
		did += fmt.Sprintf("%d frames, hash %016x, %d simulated again, %v\n", o.Frames, o.Hash, o.Resimulated, o.Health)
	}
	return did + fmt.Sprintf("%d datagrams, digest %016x\n", count, digest), shown
}
