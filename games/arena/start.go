package arena

import "fmt"

// ID is the name of the game for peers and recordings.
const ID = "arena"

// Start returns a function that makes state 0 of a match with this seed and data. The data is
// the skill of the bots that stand in for missing players (see [State.WithBots]), "easy",
// "normal" or "hard"; without data there are no bots.
func Start(seed uint64, data []byte) (func(s *State), error) {
	first := New(seed)
	switch name := string(data); name {
	case "":
	case "easy":
		first = first.WithBots(Easy)
	case "normal":
		first = first.WithBots(Normal)
	case "hard":
		first = first.WithBots(Hard)
	default:
		return nil, fmt.Errorf("the arena has no bots called %.20q", name)
	}
	return func(s *State) { *s = first }, nil
}
