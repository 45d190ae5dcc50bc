package arena_test

import (
	"testing"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
)

func (c *scene) untilPhase(p arena.Phase) int {
	c.Helper()
	return c.until(p.String(), func() bool { return c.Phase == p })
}

// win makes player p win the current round: all others drop out.
func (c *scene) win(p int) {
	c.Helper()
	for q := range c.Fighters {
		if f := &c.Fighters[q]; q != p && f.Stance == arena.Standing {
			f.Stance = arena.Out
		}
	}
	c.step(1)
	want(c, "the round is over", c.Phase, arena.RoundOver)
}

func TestAMatchWaitsForTwoPlayersAndCountsDown(t *testing.T) {
	c := match(t, 1)
	c.step(100)
	want(t, "alone", c.Phase, arena.Waiting)
	c.present = first(2)
	c.step(1)
	want(t, "two", c.Phase, arena.Countdown)
	c.hold(0, arena.StickEnd, 0, arena.Shoot|arena.Dash)
	before := c.Fighters
	want(t, "ticks", c.untilPhase(arena.Fighting), arena.CountdownTicks+1)
	want(t, "nobody moves meanwhile", c.Fighters, before)
	want(t, "the round", c.Round, 1)
}

func TestPlayersStartOppositeEachOther(t *testing.T) {
	c := match(t, 8)
	c.step(1)
	for p := 0; p < 8; p += 2 {
		f, g := &c.Fighters[p], &c.Fighters[p+1]
		want(t, "mirrored", f.Pos, g.Pos.Neg())
		want(t, "facing each other", [2]int8{f.FaceX, f.FaceY}, [2]int8{-g.FaceX, -g.FaceY})
	}
	c = match(t, 3)
	c.step(1)
	want(t, "there are three", c.Fighters[2].Stance, arena.Standing)
	want(t, "and no fourth", c.Fighters[3], arena.Fighter{})
}

func TestTheLastOneStandingWinsTheRound(t *testing.T) {
	c := fight(t, 3)
	third := match(t, 3)
	third.step(1)
	c.win(2)
	want(t, "the winner", c.RoundWinner, 3)
	want(t, "has won one", c.Fighters[2].Wins, 1)
	want(t, "the next round follows", c.untilPhase(arena.Countdown), arena.RoundOverTicks+1)
	want(t, "with everybody", c.Fighters[0].Stance, arena.Standing)
	want(t, "a pair further on", c.Fighters[0].Pos, third.Fighters[2].Pos)
}

func TestTimeUpGoesByHealth(t *testing.T) {
	c := fight(t, 3)
	c.Fighters[1].Hp, c.Fighters[2].Hp = 50, 99
	want(t, "a round lasts", c.untilPhase(arena.RoundOver), arena.RoundTicks)
	want(t, "the healthiest wins", c.RoundWinner, 1)

	c = fight(t, 3)
	c.Fighters[1].Hp = 50
	c.untilPhase(arena.RoundOver)
	want(t, "nobody, if two are", c.RoundWinner, 0)
}

func TestAfterARoundFightersOnlyRun(t *testing.T) {
	c := fight(t, 2)
	c.shoot(1, 1)
	c.win(0)
	want(t, "no shots are left", c.inTheAir(1), 0)
	before := c.Fighters[0].Pos
	c.hold(0, arena.StickEnd, 0, arena.AllButtons)
	c.step(20)
	f := &c.Fighters[0]
	holds(t, "running", f.Pos.X > before.X)
	want(t, "nothing else", [3]uint16{f.Shots, f.Dashes, uint16(f.Guard)}, [3]uint16{0, 0, uint16(arena.Lowered)})
}

func TestThreeRoundsWinTheMatch(t *testing.T) {
	c := fight(t, 2)
	for round, winner := range []int{0, 1, 0, 0} {
		want(t, "the match goes on", c.Phase, arena.Fighting)
		want(t, "round", int(c.Round), round+1)
		c.win(winner)
		c.until("what follows", func() bool { return c.Phase == arena.Fighting || c.Phase == arena.MatchOver })
	}
	want(t, "over", c.Phase, arena.MatchOver)
	p, ok := arena.WinnerOf(c.Result())
	want(t, "somebody has won", ok, true)
	want(t, "player", p, 0)
	before := c.Fighters
	c.hold(0, arena.StickEnd, 0, arena.AllButtons)
	c.step(100)
	want(t, "nothing moves any more", c.Fighters, before)
}

func TestAMatchEndsAfterSoManyRounds(t *testing.T) {
	draw := func(c *scene) {
		c.Fighters[0].Stance, c.Fighters[1].Stance = arena.Out, arena.Out
		c.step(1)
		c.until("what follows", func() bool { return c.Phase == arena.Fighting || c.Phase == arena.MatchOver })
	}
	c := fight(t, 2)
	for range arena.MaxRounds {
		want(t, "the match goes on", c.Phase, arena.Fighting)
		draw(c)
	}
	want(t, "over", c.Phase, arena.MatchOver)
	want(t, "a draw", c.Result(), arena.Draw)
	_, ok := arena.WinnerOf(c.Result())
	want(t, "without a winner", ok, false)

	c = fight(t, 2)
	c.Round, c.Fighters[1].Knockouts = arena.MaxRounds, 1
	draw(c)
	want(t, "with even rounds, knock-outs decide", c.Winner, 2)
}

func TestWhoLeavesIsGoneAndComesBackInTheNextRound(t *testing.T) {
	c := fight(t, 3)
	c.Fighters[1].Wins = 2
	c.shoot(1, 1)
	c.present = rollback.SetOf(0, 2)
	c.step(1)
	want(t, "gone at once, with its score", c.Fighters[1], arena.Fighter{Wins: 2, Shots: 1})
	want(t, "its shot flies on", c.inTheAir(1), 1)
	c.present = first(3)
	c.step(10)
	want(t, "back, and not in this round", c.Fighters[1].Stance, arena.Absent)
	c.win(0)
	c.untilPhase(arena.Countdown)
	want(t, "but in the next", c.Fighters[1].Stance, arena.Standing)
	want(t, "with its score", c.Fighters[1].Wins, 2)
}

func TestWhenAllOthersLeaveTheRoundIsWon(t *testing.T) {
	c := fight(t, 2)
	c.present = rollback.SetOf(1)
	c.step(1)
	want(t, "over", c.Phase, arena.RoundOver)
	want(t, "won by who stays", c.RoundWinner, 2)
	c.untilPhase(arena.Waiting)
	want(t, "and after a while the match", c.untilPhase(arena.MatchOver), arena.WaitTicks)
	want(t, "too", c.Winner, 2)
}

func TestACountdownWithoutASecondPlayerStops(t *testing.T) {
	c := match(t, 2)
	c.step(10)
	c.present = first(1)
	c.step(1)
	want(t, "waiting", c.Phase, arena.Waiting)
	want(t, "no round was begun", c.Round, 0)
}

func TestAMatchThatNobodyComesToIsADraw(t *testing.T) {
	c := match(t, 0)
	c.untilPhase(arena.MatchOver)
	want(t, "draw", c.Result(), arena.Draw)
}

func TestResultsThatNoMatchHasNameNobody(t *testing.T) {
	_, ok := arena.WinnerOf(arena.MaxPlayers + 1)
	want(t, "nobody", ok, false)
}
