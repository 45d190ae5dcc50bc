package arena

import "github.com/tickback/tickback/rollback"

// Bots who stand in for players who are disconnected are a part of the rules, not
// of a client: each machine asks the bot in the step, about the same state, and so
// all have the same input without anybody sending it. That they do is a part of the
// state, so that whoever gets a state in the middle of a match, a spectator or a
// newcomer, goes by it too.
//
// It needs no room: it lies in State.Winner, which means nothing before the end.

// WithBots returns state 0 with bots of this skill who stand in for players who are
// disconnected, from the first frame on or later: New(seed).WithBots(Normal). Let
// the parameters of the match say so, and never change it in the middle.
func (s State) WithBots(skill Skill) State {
	s.Winner = uint8(min(skill, Hard)) + 1
	return s
}

// Bots returns how well the bots play who stand in for players who are disconnected,
// and whether there are any. After the end of the match there are none.
func (s *State) Bots() (skill Skill, ok bool) {
	if s.Phase == MatchOver || s.Winner == 0 {
		return 0, false
	}
	return Skill(s.Winner - 1), true
}

// StandIn returns what a bot holds for player p, who is disconnected, in the next
// step from s, and whether there is one. Who makes it is in the state: the skill,
// and the generator, which no two matches have alike and which is not drawn from.
func (s *State) StandIn(p rollback.Player) (in Input, ok bool) {
	skill, ok := s.Bots()
	if !ok {
		return Input{}, false
	}
	return Bot{Seed: s.Rng.S0, Skill: skill}.Input(p, rollback.Frame(s.Frame), s), true
}
