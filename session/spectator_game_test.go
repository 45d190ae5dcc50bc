package session_test

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// ownGame is the small game with its own memory, with or without an encoding.
func ownGame(marshals bool) rollback.OwnMemory[small, small, uint16] {
	g := rollback.OwnMemory[small, small, uint16]{
		Init: func(s *small) { *s = small{} }, Step: smallGame().Step,
		Save: func(s, slot *small) { *slot = *s }, Restore: func(s, slot *small) { *s = *slot },
		Hash: func(s *small) uint64 { return s.Frame<<48 ^ s.Total },
	}
	if marshals {
		g.Marshal = func(b []byte, s *small) ([]byte, error) {
			return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, s.Frame), s.Total), nil
		}
		g.Unmarshal = func(s *small, b []byte) error {
			if len(b) != 16 {
				return errors.New("not 16 bytes")
			}
			*s = small{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
			return nil
		}
	}
	return g
}

// A game that cannot encode its state is watched from frame 0 on, however late a spectator
// comes; one that can is watched from a state.
func TestAGameWithItsOwnMemoryCanBeWatched(t *testing.T) {
	for _, marshals := range []bool{false, true} {
		th := open(t, ownGame(marshals), 2, lan(), nil)
		th.run(12 * time.Second)
		w := th.watch(ownGame(marshals), []int{0}, nil)
		th.run(18 * time.Second)
		if marshals {
			th.sameStream(w, 300)
		} else {
			th.sameStream(w, 1200)
		}
		th.sameEnd(0, 0)
		states := th.players[0].Stats(nil).Spectators.States
		if (states > 0) != marshals {
			t.Errorf("marshals %v: %d states", marshals, states)
		}
	}
}

func TestWaysToPlayCanBeWatched(t *testing.T) {
	for name, c := range map[string]struct {
		players int
		change  func(i int, c *session.Config)
		watch   func(c *session.SpectatorConfig)
	}{
		"lockstep":                   {3, func(i int, c *session.Config) { c.Lockstep, c.Delay[i] = true, 4 }, nil},
		"eight players, long orders": {8, func(_ int, c *session.Config) { c.MaxOrders = 1500 }, func(c *session.SpectatorConfig) { c.MaxOrders = 1500 }},
		"alone":                      {1, nil, nil},
		"every frame compared":       {2, func(_ int, c *session.Config) { c.ChainEvery = 1 }, nil},
		"hardly compared":            {2, func(_ int, c *session.Config) { c.ChainEvery = 32768 }, nil},
		"a thousand frames a second": {2, func(i int, c *session.Config) {
			c.TickRate, c.Match.Frames, c.Window, c.Delay[i] = 1000, 15000, 60, 30
		}, func(c *session.SpectatorConfig) { c.TickRate, c.JitterBuffer = 1000, 200 }},
		"one frame a second": {2, func(_ int, c *session.Config) { c.TickRate, c.Match.Frames = 1, 22 }, func(c *session.SpectatorConfig) { c.TickRate, c.JitterBuffer = 1, 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			th := open(t, smallGame(), c.players, lan(), c.change)
			early := th.watch(smallGame(), []int{0}, c.watch)
			th.run(12 * time.Second)
			late := th.watch(smallGame(), []int{c.players - 1}, c.watch)
			th.run(18 * time.Second)
			out, _ := th.players[0].Outcome()
			th.sameStream(early, int(out.Frames))
			th.sameStream(late, 5)
			th.sameEnd(0, 0)
			th.sameEnd(1, c.players-1)
		})
	}
}

// States that are not hashed cannot be compared, but are still shown.
func TestAMatchWithoutHashesCanBeWatched(t *testing.T) {
	th := open(t, ownGame(false), 2, lan(), func(_ int, c *session.Config) { c.HashEvery = -1 })
	no := func(c *session.SpectatorConfig) { c.HashEvery = -1 }
	w := th.watch(ownGame(false), []int{0, 1}, no)
	th.run(10 * time.Second)
	th.nodes[0].down, th.reference = true, 1
	th.run(15 * time.Second)
	th.sameStream(w, 550)
	restarts := 0
	for _, e := range th.nodes[w].events {
		if e.What == session.Started {
			restarts++
		}
	}
	if restarts != 1 {
		th.log(w)
		t.Errorf("it has begun %d times", restarts)
	}
	if th.watchers[0].Health() != session.Unverified {
		t.Errorf("it is %v", th.watchers[0].Health())
	}
}

// A spectator sees which players have left, and at which frame; a spectator that comes later
// does not see it happen.
func TestASpectatorSeesWhoLeaves(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.OnLeave = session.Continue })
	early := th.watch(smallGame(), []int{0}, nil)
	th.run(8 * time.Second)
	th.players[1].Leave("")
	th.run(4 * time.Second)
	late := th.watch(smallGame(), []int{0}, nil)
	th.run(20 * time.Second)
	th.sameStream(early, 1200)
	th.sameStream(late, 400)
	for i := range 2 {
		th.sameEnd(i, 0)
	}
	if e := th.saw(early, session.Left); e == nil || e.Players != rollback.SetOf(1) {
		th.log(early)
		t.Errorf("who watched saw %v", e)
	}
	if e := th.saw(late, session.Left); e != nil {
		t.Errorf("who came later saw %v", e)
	}
}

// When one of three players is killed, the match ends, at the same frame for spectators.
func TestASpectatorSeesAMatchEndThatSomebodyIsLostFrom(t *testing.T) {
	th := open(t, smallGame(), 3, lan(), nil)
	th.watch(smallGame(), []int{0}, nil)
	th.watch(smallGame(), []int{1}, nil)
	th.run(8 * time.Second)
	th.nodes[2].down = true
	th.run(10 * time.Second)
	for i := range 2 {
		th.sameEnd(i, i)
		th.sameStream(3+i, 400)
		if out, _ := th.watchers[i].Outcome(); out.Frames < 400 || out.Left != rollback.SetOf(2) {
			t.Errorf("%+v", out)
		}
	}
	if th.watchers[0].Err() == nil {
		t.Error("the hosts are gone, and the spectator does not know")
	}
}
