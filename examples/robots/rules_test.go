package robots_test

import (
	"testing"

	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/rollback"
)

// scene is a world in which the robots stand where a test puts them, without programs.
type scene struct {
	testing.TB
	*box
	*robots.World
	players int
	frame   rollback.Frame
}

// newScene puts robots in a row from the cell (5, 5) on, two apart, looking east.
func newScene(t testing.TB, players int) *scene {
	b := sandbox(t, robots.Game(1), players, 0)
	s := &scene{TB: t, box: b, World: b.Live(), players: players}
	s.do()
	for p, r := range s.Robots {
		r.At, r.Dir = cell(5+2*p, 5), robots.East
	}
	return s
}

func cell(x, y int) robots.Cell { return robots.Cell(y*robots.Size + x) }

// do lets the players act for a tick: player 0 first, None for those not named.
func (s *scene) do(actions ...robots.Action) {
	s.Helper()
	s.tick(rollback.SandboxFrame[robots.Action]{Inputs: append(actions, make([]robots.Action, s.players-len(actions))...)})
}

func (s *scene) tick(f rollback.SandboxFrame[robots.Action]) {
	s.Helper()
	f.Frame = s.frame
	_, err := s.Step(f)
	must(s, err)
	s.frame++
}

func TestRobotsMoveAndTurn(t *testing.T) {
	s := newScene(t, 2)
	s.do(robots.Forward)
	want(t, "one cell forward", s.Robots[0].At, cell(6, 5))
	s.do(robots.Forward)
	want(t, "another robot is in the way", s.Robots[0].At, cell(6, 5))
	s.do(robots.Left)
	want(t, "left of east", s.Robots[0].Dir, robots.North)
	s.do(robots.Right)
	want(t, "and back", s.Robots[0].Dir, robots.East)
	s.Robots[0].At, s.Robots[0].Dir = cell(0, 0), robots.West
	s.do(robots.Forward)
	want(t, "the wall is in the way", s.Robots[0].At, cell(0, 0))
}

func TestBulletsHit(t *testing.T) {
	s := newScene(t, 2)
	s.do(robots.Fire)
	bullet := s.Bullets
	want(t, "the robot knows its bullet", s.Robots[0].Last, bullet)
	want(t, "the bullet knows its robot", bullet.By, s.Robots[0])
	s.do(robots.Fire)
	want(t, "nothing flies on after a hit, or before the gun is loaded", s.Bullets, nil)
	want(t, "nobody knows the bullet any more", s.Robots[0].Last, nil)
	want(t, "health", s.Robots[1].Hp, robots.FullHp-20)
}

func TestMinesGoOffInChains(t *testing.T) {
	s := newScene(t, 2)
	for range 3 {
		s.do(robots.LayMine)
		s.do(robots.None, robots.Lock)
		s.Robots[0].At++
	}
	want(t, "mines", len(s.Mines), 3)
	s.Robots[0].At, s.Robots[1].At, s.Robots[1].Dir = cell(5, 8), cell(9, 5), robots.West
	s.Robots[1].At = cell(8, 5)
	s.do(robots.None, robots.Forward)
	want(t, "mines", len(s.Mines), 0)
	want(t, "the victim is hit by its mine and the next one", s.Robots[1].Hp, 0)
	want(t, "who has laid them scores", s.Robots[0].Score, 1)
	want(t, "the victim is down", s.Robots[1].Down > 0, true)
	want(t, "and still locked on", s.Robots[1].Target, s.Robots[0])
}

func TestMinesGoOffInTheEnd(t *testing.T) {
	s := newScene(t, 2)
	s.do(robots.LayMine)
	s.Robots[0].At = cell(20, 20)
	for range robots.MineLife + 32 {
		s.do()
	}
	want(t, "mines", len(s.Mines), 0)
}

// Who was destroyed comes back, at the end of the ring of turns.
func TestTheDestroyedComeBackLast(t *testing.T) {
	s := newScene(t, 3)
	s.Robots[1].Hp, s.Robots[1].Down = 0, 3
	for s.Robots[1].Hp == 0 {
		s.do()
	}
	want(t, "health", s.Robots[1].Hp, robots.FullHp)
	last, n := s.First, 1
	for ; last.Next != s.First; last = last.Next {
		n++
	}
	want(t, "the last in the ring", last, s.Robots[1])
	want(t, "robots in the ring", n, 3)
}

// Orders are a program, and an input goes before what the program says.
func TestOrdersAreAProgram(t *testing.T) {
	s := newScene(t, 2)
	s.tick(rollback.SandboxFrame[robots.Action]{
		Inputs: make([]robots.Action, 2),
		Orders: [][]byte{{robots.OpPush, byte(robots.Forward), robots.OpAct}, {0xFF}},
	})
	want(t, "the program drives", s.Robots[0].At, cell(6, 5))
	want(t, "nonsense stops", s.Robots[1].VM.Fault, robots.BadOpcode)
	s.do(robots.Left)
	want(t, "the player steers", s.Robots[0].At, cell(6, 5))
	want(t, "to the left", s.Robots[0].Dir, robots.North)
	s.do()
	want(t, "the program goes on", s.Robots[0].At, cell(6, 4))
}

// The robot of a player who is gone stands still.
func TestTheDisconnectedStandStill(t *testing.T) {
	s := newScene(t, 2)
	s.Robots[0].VM.Load([]byte{robots.OpPush, byte(robots.Forward), robots.OpAct})
	s.tick(rollback.SandboxFrame[robots.Action]{
		Inputs: make([]robots.Action, 2), Statuses: []rollback.Status{rollback.Disconnected, rollback.Confirmed},
	})
	want(t, "place", s.Robots[0].At, cell(5, 5))
}

// Nobody can make the world larger than its bounds.
func TestBounds(t *testing.T) {
	b := sandbox(t, robots.Game(1), 4, 0)
	for f := range frames(t) {
		run(t, b, 4, 8, f, f+1)
		w, n := b.Live(), 0
		for x := w.Bullets; x != nil; x = x.Next {
			n++
		}
		if n > robots.MaxBullets || len(w.Mines) > robots.MaxMines || len(w.Robots) != 4 {
			t.Fatalf("frame %d: %d bullets, %d mines, %d robots", f, n, len(w.Mines), len(w.Robots))
		}
	}
}
