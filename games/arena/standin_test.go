package arena_test

import (
	"testing"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
)

// engineWithBots is an engine with the given local players, in a match in which bots stand in.
func engineWithBots(t testing.TB, cfg rollback.Config, skill arena.Skill) *rollback.Engine[arena.State, arena.Input] {
	t.Helper()
	e, err := rollback.New(arena.Game(0), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Restart(func(s *arena.State) { *s = arena.New(5).WithBots(skill) }); err != nil {
		t.Fatal(err)
	}
	return e
}

// recordWithBots is like record, but with a bot that stands in for player 3, and random inputs for the others.
func recordWithBots(t testing.TB, frames, leaves, returns int) recording {
	t.Helper()
	r := recording{last: arena.New(5).WithBots(arena.Hard)}
	script := arena.Random(5)
	for f := range frames {
		in := script(rollback.Frame(f))
		r.inputs = append(r.inputs, in)
		if f >= leaves && f < returns {
			bot, ok := r.last.StandIn(3)
			holds(t, "there is a bot", ok)
			in[3] = bot
		}
		arena.Step(&r.last, &in, first(4), nil)
	}
	return r
}

// Bots that stand in do the same with late inputs as with timely ones.
func TestBotsWhoStandInSurviveRollbacks(t *testing.T) {
	const frames, leaves, returns = 3000, 700, 1500
	l := newLate(t, recordWithBots(t, frames, leaves, returns))
	l.must(l.Restart(func(s *arena.State) { *s = arena.New(5).WithBots(arena.Hard) }))
	for f := range frames {
		switch f {
		case leaves - 20:
			l.must(l.Disconnect(3, leaves))
		case returns - 20:
			l.must(l.Connect(3, returns))
		}
		l.tick(f)
	}
	for p := rollback.Player(1); p < 4; p++ {
		l.deliver(p, frames)
	}
	l.must(l.Settle())
	if report := plan(t).Diff(&l.last, l.State(), 10); report.Total > 0 {
		t.Error(report)
	}
	holds(t, "there were rollbacks", l.Stats().Rollbacks > frames/10)
	holds(t, "the bot fought", l.last.Fighters[3].Shots > 20)
}

// The engine's own test finds nothing.
func TestSyncTestPassesWithBots(t *testing.T) {
	e := engineWithBots(t, rollback.Config{Players: 3, Local: first(3), Window: 7, SyncTest: 7}, arena.Normal)
	for p := range rollback.Player(3) {
		if err := e.Disconnect(p, 0); err != nil {
			t.Fatal(err)
		}
	}
	for range 1500 {
		if err := e.Tick(); err != nil {
			t.Fatal(err)
		}
	}
	holds(t, "they fight", e.State().Fighters[0].Shots+e.State().Fighters[1].Shots > 10)
}

// A player who joins takes over the bot's fighter as it is, even during a round; a player who leaves hands it over.
func TestABotHandsItsFighterOver(t *testing.T) {
	e := engineWithBots(t, rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 4}, arena.Easy)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	tick := func(in arena.Input) *arena.Fighter {
		t.Helper()
		must(e.AddLocal(0, arena.Input{}, nil))
		if e.Next(1) != rollback.NoFrame {
			must(e.AddInput(1, e.Frame(), in, nil))
		}
		must(e.Tick())
		must(e.Agree(e.Frame()))
		return &e.State().Fighters[1]
	}
	must(e.Disconnect(1, 0))
	moved := false
	for range arena.CountdownTicks + 100 {
		f := tick(arena.Input{})
		moved = moved || f.Vel.X != 0 || f.Vel.Y != 0
	}
	holds(t, "the bot runs", moved)
	want(t, "fighting", e.State().Phase, arena.Fighting)
	before := e.State().Fighters[1]
	must(e.Connect(1, e.Frame()))
	f := tick(arena.Input{X: 1, Y: arena.StickEnd})
	want(t, "standing", f.Stance, arena.Standing)
	want(t, "with what it had", f.Shots, before.Shots)
	want(t, "and looking where its player says", f.FaceY, arena.StickEnd)
	for range 30 {
		tick(arena.Input{X: 1, Y: arena.StickEnd})
	}
	must(e.Disconnect(1, e.Frame()))
	must(e.Agree(e.Frame()))
	f = tick(arena.Input{})
	want(t, "and it stays", f.Stance, arena.Standing)
}

// Without bots in the setup, and after the end of the match, no bot stands in.
func TestNobodyStandsInUnlessItIsSaid(t *testing.T) {
	s := arena.New(1)
	_, ok := s.Bots()
	want(t, "bots", ok, false)
	_, ok = s.StandIn(0)
	want(t, "a stand-in", ok, false)
	for _, c := range []struct{ said, is arena.Skill }{{arena.Easy, arena.Easy}, {arena.Hard, arena.Hard}, {200, arena.Hard}} {
		s = arena.New(1).WithBots(c.said)
		skill, ok := s.Bots()
		want(t, "bots", ok, true)
		want(t, "skill", skill, c.is)
		want(t, "no result", s.Result(), arena.Draw)
	}
	s.Phase = arena.MatchOver
	_, ok = s.Bots()
	want(t, "at the end", ok, false)
}

// Without players, a match is played to its end by bots, and differs from other matches.
func TestBotsPlayAMatchOut(t *testing.T) {
	for seed := range uint64(3) {
		e := engineWithBots(t, rollback.Config{Players: 2, Local: first(2)}, arena.Hard)
		if err := e.Restart(func(s *arena.State) { *s = arena.New(seed).WithBots(arena.Hard) }); err != nil {
			t.Fatal(err)
		}
		for p := range rollback.Player(2) {
			if err := e.Disconnect(p, 0); err != nil {
				t.Fatal(err)
			}
		}
		const most = arena.MaxRounds * (arena.RoundTicks + arena.CountdownTicks + arena.RoundOverTicks + 10)
		for e.State().Phase != arena.MatchOver && e.Frame() < most {
			if err := e.Tick(); err != nil {
				t.Fatal(err)
			}
		}
		outcome, ok := e.Result()
		want(t, "it is over", ok, true)
		want(t, "with the result of the state", outcome.Result, e.State().Result())
		holds(t, "of a fight", e.State().Round >= arena.WinsToMatch)
	}
}

// The state that a match with bots that stand in leads to, on every architecture.
func TestFrozenStandIns(t *testing.T) {
	s := arena.New(7).WithBots(arena.Normal)
	for range 5000 {
		var in [arena.MaxPlayers]arena.Input
		for p := range rollback.Player(4) {
			in[p], _ = s.StandIn(p)
		}
		arena.Step(&s, &in, first(4), nil)
	}
	want(t, "hash", plan(t).Hash(&s), 18220446016035053590)
}
