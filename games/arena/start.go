package arena

import "fmt"

// ID is what peers and recordings call the game.
const ID = "arena"

// Start returns what makes state 0 of a match whose parameters have this seed and data.
// The data is the skill of the bots that stand in for players who are not there (see
// [State.WithBots]), "easy", "normal" or "hard"; without it nobody does.
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
		return nil, fmt.Errorf("no bots of the arena are called %.20q", name)
	}
	return func(s *State) { *s = first }, nil
}
