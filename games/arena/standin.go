package arena

import "github.com/tickback/tickback/rollback"

// Bots that stand in for disconnected players are part of the rules, not of a client. Each machine calls the
// bot in the step, with the same state, so that all get the same input and nothing is sent. The state says
// whether bots stand in, so that a spectator or a newcomer that gets a state during a match follows the same
// rules.
//
// That takes no extra space: it is in State.Winner, which has no other meaning before the end.

// WithBots returns state 0 with bots of this skill that stand in for disconnected players, from
// the first frame on: New(seed).WithBots(Normal). Let the parameters of the match decide it, and
// never change it during a match.
func (s State) WithBots(skill Skill) State {
	s.Winner = uint8(min(skill, Hard)) + 1
	return s
}

// Bots returns the skill of the bots that stand in for disconnected players, and whether there
// are any. After the end of the match there are none.
func (s *State) Bots() (skill Skill, ok bool) {
	if s.Phase == MatchOver || s.Winner == 0 {
		return 0, false
	}
	return Skill(s.Winner - 1), true
}

// StandIn returns what a bot holds for the disconnected player p in the next step from s, and
// whether a bot stands in. The bot is made from the state: from the skill, and from the
// generator, which differs between matches and is not drawn from here.
func (s *State) StandIn(p rollback.Player) (in Input, ok bool) {
	skill, ok := s.Bots()
	if !ok {
		return Input{}, false
	}
	return Bot{Seed: s.Rng.S0, Skill: skill}.Input(p, rollback.Frame(s.Frame), s), true
}
