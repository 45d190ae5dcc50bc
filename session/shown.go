package session

// shownPlayers tracks the players in the match, by the frames that a spectator has shown.
type shownPlayers struct {
	known bool // a frame of the match has been shown
	gone  PlayerSet
}

// members returns which of the given number of players were in the match in the last frame shown; none before the
// first frame.
func (a *shownPlayers) members(players int) PlayerSet {
	if !a.known {
		return 0
	}
	return PlayerSet(1<<players-1) &^ a.gone
}

// attend takes the players that are gone in the frame that has just run, and returns which players left and which
// came back with it. Changes before the first frame shown do not count. After a state that skips frames, the first
// frame shown reports the changes.
func (a *shownPlayers) attend(gone PlayerSet) (left, back PlayerSet) {
	if a.known {
		left, back = gone&^a.gone, a.gone&^gone
	}
	*a = shownPlayers{true, gone}
	return left, back
}
