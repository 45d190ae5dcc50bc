package skirmish

import "github.com/tickback/tickback/rollback"

// StandIns reports whether bots command the units of players who are not there. They are part of the rules,
// not of a machine: each machine calls the bot in the step, with the same state, and nothing is sent. Whether
// bots stand in is a part of the state, so that spectators and newcomers that get a state during a match know
// it. It takes no extra space there: it is in Match.Winner, which has no other meaning before the end.
func (w *World) StandIns() bool {
	m := w.Match.Get()
	return !m.Over && (m.Winner == standIns || m.Winner == endlessStandIns)
}

// standIn returns a bot's orders for a player who is not there. They are valid until the next call.
func (s *step) standIn(p rollback.Player) []byte {
	if !s.StandIns() {
		return nil
	}
	s.memo.told = Bot{Seed: s.Match.Get().Seed}.Orders(s.memo.told[:0], p, s.World)
	return s.memo.told
}
