package session

// shownPlayers is the set of players in the match, by the frames that a spectator has shown.
type shownPlayers struct {
	known bool // a frame of the match was shown
	gone  PlayerSet
}

// members returns the players, of so many, that were in the match in the frame shown last; none
// before the first one.
func (a *shownPlayers) members(players int) PlayerSet {
	if !a.known {
		return 0
	}
	return PlayerSet(1<<players-1) &^ a.gone
}

// attend takes the players that are gone in the frame that was just run, and returns which of them
// left and which others came with it. What happened before the first frame that is shown does not
// count. After a state that skips frames, players left or came with the first frame shown.
func (a *shownPlayers) attend(gone PlayerSet) (left, back PlayerSet) {
	if a.known {
		left, back = gone&^a.gone, a.gone&^gone
	}
	*a = shownPlayers{true, gone}
	return left, back
}
