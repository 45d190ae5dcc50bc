package skirmish

import "github.com/tickback/tickback/rollback"

// StandIns reports whether bots command the units of players who are not there. They are part of the rules,
// not of a machine: each machine asks the bot in the step, about the same state, and nothing is sent. Whether
// they do is part of the state, for spectators and newcomers that get one during a match. It takes no extra
// space there: it is in Match.Winner, which has no other meaning before the end.
func (w *World) StandIns() bool {
	m := w.Match.Get()
	return !m.Over && (m.Winner == standIns || m.Winner == endlessStandIns)
}

// standIn returns what a bot orders for a player who is not there. They are valid until the next call.
func (s *step) standIn(p rollback.Player) []byte {
	if !s.StandIns() {
		return nil
	}
	s.memo.told = Bot{Seed: s.Match.Get().Seed}.Orders(s.memo.told[:0], p, s.World)
	return s.memo.told
}
