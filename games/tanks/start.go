package tanks

import "fmt"

// ID is the name of the game for peers and recordings.
const ID = "tanks"

// Start returns a function that makes state 0 of a match with this seed and data. The data is
// "endless" for a match that does not end, or nothing.
func Start(seed uint64, data []byte) (func(s *State), error) {
	first := New(seed)
	switch rule := string(data); rule {
	case "":
	case "endless":
		first = first.Endless()
	default:
		return nil, fmt.Errorf("no match of tanks is %.20q", rule)
	}
	return func(s *State) { *s = first }, nil
}
