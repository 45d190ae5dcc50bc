package arena_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
)

// lay puts a pickup on spot 0, and player 0 next to it.
func lay(t testing.TB, kind arena.PickupKind) (*scene, *arena.Fighter) {
	c := fight(t, 2)
	c.Pickups[0] = arena.Pickup{Kind: kind, Life: arena.PickupLife}
	f := c.place(0, 0, 0, 1, 0)
	f.Pos = arena.SpotAt(0)
	return c, f
}

func TestHealthHealsUpToTheFull(t *testing.T) {
	c, f := lay(t, arena.Health)
	f.Hp = 10
	c.step(1)
	want(t, "healed", f.Hp, 10+arena.HealthGain)
	want(t, "taken", c.Pickups[0], arena.Pickup{})
	c, f = lay(t, arena.Health)
	f.Hp = arena.FullHp - 1
	c.step(1)
	want(t, "full, and no more", f.Hp, arena.FullHp)
}

func TestRapidFireGoesOnWhileShootIsHeld(t *testing.T) {
	c, f := lay(t, arena.Rapid)
	c.step(1)
	want(t, "rapid", f.RapidTicks, arena.RapidTicks)
	c.hold(0, 0, 0, arena.Shoot)
	c.step(1 + 3*arena.RapidCooldown)
	want(t, "a shot for each cooldown", f.Shots, 4)
	want(t, "each a weak one", c.Shots[0][3].Damage, arena.ShotDamage)
	c.step(arena.RapidTicks)
	shots := f.Shots
	c.step(60)
	want(t, "then it is over", f.Shots, shots)
}

func TestSomeShotsAreBig(t *testing.T) {
	c, f := lay(t, arena.Big)
	c.step(1)
	want(t, "so many", f.BigShots, arena.BigShots)
	for range arena.BigShots {
		c.shoot(0, 1)
		shot := c.Shots[0][f.Shots-1]
		want(t, "big", shot.Radius(), arena.BigRadius)
		want(t, "hard", shot.Damage, arena.ShotDamage+arena.BigDamage)
		c.step(arena.ShotCooldown)
	}
	c.shoot(0, 1)
	want(t, "the next is small", c.Shots[0][f.Shots-1].Radius(), arena.ShotRadius)
}

func TestThePickupIsForTheNearestAndForNobodyOfTwo(t *testing.T) {
	c, f := lay(t, arena.Health)
	g := c.place(1, 0, 0, 1, 0)
	f.Hp, g.Hp = 50, 50
	f.Pos.X -= fixed.One * 7 / 10
	g.Pos.X = arena.SpotAt(0).X + fixed.One*7/10
	c.step(1)
	want(t, "equally near", c.Pickups[0].Kind, arena.Health)
	c.hold(1, -arena.StickEnd, 0, 0)
	c.step(1)
	want(t, "not for who is farther off", f.Hp, 50)
	want(t, "for the nearest", g.Hp, 50+arena.HealthGain)
}

func TestAPickupThatNobodyTakesIsGoneInTheEnd(t *testing.T) {
	c, f := lay(t, arena.Big)
	f.Pos = at(100, 80)
	c.step(arena.PickupLife - 1)
	want(t, "still there", c.Pickups[0].Kind, arena.Big)
	c.step(1)
	want(t, "gone", c.Pickups[0], arena.Pickup{})
}

func TestPickupsComeAtIntervals(t *testing.T) {
	c := lonely(t)
	c.place(0, 120, 80, 1, 0)
	c.SpawnIn = arena.PickupInterval
	c.step(arena.PickupInterval - 1)
	want(t, "not yet", c.PickupSerial, 0)
	c.step(1)
	want(t, "the first", c.PickupSerial, 1)
	var kinds [4]int
	for range 400 {
		c.Pickups, c.PhaseTicks = [arena.Spots]arena.Pickup{}, 0
		c.step(arena.PickupInterval)
		for _, p := range c.Pickups {
			kinds[p.Kind]++
		}
	}
	want(t, "all of them", c.PickupSerial, 401)
	for kind, n := range kinds[1:] {
		holds(t, arena.PickupKind(kind+1).String()+" is a third of them", n > 90 && n < 180)
	}
}

func TestASpotHoldsOnePickup(t *testing.T) {
	c := lonely(t)
	c.place(0, 120, 80, 1, 0)
	for i := range c.Pickups {
		c.Pickups[i] = arena.Pickup{Kind: arena.Big, Life: arena.PickupLife}
	}
	before := c.Rng
	c.SpawnIn = 1
	c.step(1)
	want(t, "none came", c.PickupSerial, 0)
	holds(t, "though it was drawn", c.Rng != before)
}
