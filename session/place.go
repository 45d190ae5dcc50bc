package session

import "fmt"

// itemPlace is the item of a [MismatchError] about who plays where.
const itemPlace = "place of the players"

// PlaceError says that other players play at the address of a peer than expected: both machines
// claim the same players, or their addresses are in another order. It wraps a [MismatchError].
type PlaceError struct {
	Local    PlayerSet // who plays here
	Expected PlayerSet // who should play at the peer
	Claimed  PlayerSet // who plays there, as it says
}

// Error names who claims what, and what to change.
func (e *PlaceError) Error() string {
	const counted = " (players count from 0)"
	if both := e.Local & e.Claimed; both != 0 {
		return fmt.Sprintf("both this machine and the one at the address of %v claim %v%s: have each play as players of its own",
			e.Expected, both, counted)
	}
	return fmt.Sprintf("at the address of %v is a machine that claims %v%s: give the addresses in the order of their players, and none of our own",
		e.Expected, e.Claimed, counted)
}

// Unwrap returns the same as a mismatch of one item.
func (e *PlaceError) Unwrap() error {
	return &MismatchError{e.Expected, itemPlace, quote(e.Expected), quote(e.Claimed)}
}

// reason returns the error as the other machine is told: without numbers of players.
func (e *PlaceError) reason() string {
	if e.Local&e.Claimed != 0 {
		return "two machines claim the same player"
	}
	return "the addresses are not in the order of the players"
}
