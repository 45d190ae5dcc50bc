package session

// attendance is the set of players in the match, by the frames that a spectator has shown.
type attendance struct {
	known bool // a frame of the match was shown
	gone  PlayerSet
}

// members are the players, of so many, that were in the match in the frame shown last; none
// before the first one.
func (a *attendance) members(players int) PlayerSet {
	if !a.known {
		return 0
	}
	return PlayerSet(1<<players-1) &^ a.gone
}

// attend makes the events of players who left or came with the frame that was just run. What
// happened before the first frame that is shown is no event. After a state that skips frames
// of the match, Frame is the first that was shown with the change.
func (s *Spectator[S, I]) attend(f Frame, gone PlayerSet) {
	a := &s.present
	if a.known {
		if left := gone &^ a.gone; left != 0 {
			s.events.add(Event{What: Left, Players: left, Frame: f})
		}
		if back := a.gone &^ gone; back != 0 {
			s.events.add(Event{What: Joined, Players: back, Frame: f})
		}
	}
	*a = attendance{true, gone}
}
