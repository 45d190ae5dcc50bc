package tanks_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

func spawnOf(i int) fixed.Vec2 {
	return tanks.SpawnAt(i).Vec()
}

func TestTanksAppearWithTheirPlayers(t *testing.T) {
	c := match(t, 3)
	for p := range c.Tanks {
		tank := &c.Tanks[p]
		if p >= 3 {
			want(t, "absent", *tank, tanks.Tank{})
			continue
		}
		want(t, "alive", tank.Stance, tanks.Alive)
		want(t, "health", tank.Hp, tanks.FullHp)
		want(t, "place", tank.Pos, spawnOf(p))
		ahead := tank.Pos.Add(tank.Ahead().Scale(tank.Pos.Length()))
		holds(t, "it looks at the middle", ahead.Length() < fixed.One)
	}
	c.Tanks[1].Kills, c.Tanks[1].Deaths = 3, 2
	c.present = first(3) &^ rollback.SetOf(1)
	c.step(1)
	want(t, "only the score stays", c.Tanks[1], tanks.Tank{Kills: 3, Deaths: 2})
	c.present = first(3)
	c.step(1)
	want(t, "back on its spawn", c.Tanks[1].Pos, spawnOf(1))
	want(t, "with the score", c.Tanks[1].Kills, 3)
}

// destroyed is a match in which player 1's tank has just been destroyed.
func destroyed(t testing.TB) *scene {
	c := duel(t, 100)
	c.Tanks[1].Hp = 1
	c.tap(0)
	c.until("the end", func() bool { return c.Tanks[1].Stance == tanks.Out })
	return c
}

func TestATankComesBackWhereItsWreckSays(t *testing.T) {
	c := destroyed(t)
	spawn := c.Tanks[1].Spawn
	holds(t, "it is known at once", spawn >= 1 && spawn <= tanks.Spawns)
	pos, generator := c.Tanks[1].Pos, c.Rng
	c.hold(1, 0, tanks.StickEnd, tanks.Fire)
	c.step(tanks.RespawnTicks - 1)
	want(t, "a wreck stays where it is", c.Tanks[1].Pos, pos)
	want(t, "and does not shoot", c.Tanks[1].Shots, 0)
	c.step(1)
	want(t, "alive", c.Tanks[1].Stance, tanks.Alive)
	there := c.Tanks[1]
	there.Pos = spawnOf(int(spawn - 1))
	tanks.Drive(&there, c.in[1], tanks.TickMs)
	want(t, "there, and driving at once", c.Tanks[1].Pos, there.Pos)
	want(t, "health", c.Tanks[1].Hp, tanks.FullHp)
	want(t, "nothing more was drawn", c.Rng, generator)
}

// The spawn is drawn from the state: it varies from life to life, and all spawns are used.
func TestAllSpawnsAreUsed(t *testing.T) {
	used := [tanks.Spawns]int{}
	for seed := range uint64(200) {
		c := duel(t, 100)
		c.Rng = rng.New(seed)
		c.Tanks[1].Hp = 1
		c.tap(0)
		c.until("the end", func() bool { return c.Tanks[1].Stance == tanks.Out })
		used[c.Tanks[1].Spawn-1]++
	}
	for _, n := range used {
		holds(t, "used", n > 2)
	}
}

// A player from whom the generator is hidden is told long before where it will appear, and predicts it.
func TestAHiddenGeneratorMovesNoRespawn(t *testing.T) {
	truth := destroyed(t)
	blind := *truth
	tanks.Sight(&blind.State, 1)
	want(t, "no generator", blind.Rng, rng.Xorshift128Plus{})
	want(t, "but the spawn", blind.Tanks[1].Spawn, truth.Tanks[1].Spawn)
	truth.step(tanks.RespawnTicks + 5)
	blind.step(tanks.RespawnTicks + 5)
	want(t, "the same place", blind.Tanks[1], truth.Tanks[1])
}

// A player who knows no generator at all, and is told nothing, keeps waiting.
func TestAnUnknownSpawnIsWaitedFor(t *testing.T) {
	c := duel(t, 100)
	c.Tanks[1].Hp, c.Rng = 1, rng.Xorshift128Plus{}
	c.tap(0)
	c.until("the end", func() bool { return c.Tanks[1].Stance == tanks.Out })
	want(t, "unknown", c.Tanks[1].Spawn, 0)
	c.step(3 * tanks.RespawnTicks)
	want(t, "still", c.Tanks[1].Stance, tanks.Out)
	want(t, "nothing was drawn", c.Rng, rng.Xorshift128Plus{})
	c.Tanks[1].Spawn = 5
	c.step(1)
	want(t, "told", c.Tanks[1].Pos, spawnOf(4))
}
