package session

import "fmt"

// itemPlace is the item of a [MismatchError] about which player plays on which machine.
const itemPlace = "place of the players"

// PlaceError means that the machine at a peer's address has other players than expected: either both machines claim
// the same players, or the addresses are given in a different order. It wraps a [MismatchError].
type PlaceError struct {
	Local    PlayerSet // players on this machine
	Expected PlayerSet // players expected at the peer
	Claimed  PlayerSet // players that the peer claims
}

// Error names the claimed players and says what to change.
func (e *PlaceError) Error() string {
	const counted = " (players count from 0)"
	if both := e.Local & e.Claimed; both != 0 {
		return fmt.Sprintf("both this machine and the one at the address of %v claim %v%s: have each play as players of its own",
			e.Expected, both, counted)
	}
	return fmt.Sprintf("at the address of %v is a machine that claims %v%s: give the addresses in the order of their players, and none of our own",
		e.Expected, e.Claimed, counted)
}

// Unwrap returns the error as a [MismatchError] of one item.
func (e *PlaceError) Unwrap() error {
	return &MismatchError{Players: e.Expected, Item: itemPlace, Ours: e.Expected.String(), Theirs: e.Claimed.String()}
}

// reason returns the error as text for the other machine: without player numbers.
func (e *PlaceError) reason() string {
	if e.Local&e.Claimed != 0 {
		return "two machines claim the same player"
	}
	return "the addresses are not in the order of the players"
}
