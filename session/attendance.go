package session

// attendance is who plays, as the frames tell it that a spectator has shown.
type attendance struct {
	known bool // a frame of the match was shown
	gone  PlayerSet
}

// members are those of so many players who were in the match in the frame that was shown last:
// nobody before the first one.
func (a *attendance) members(players int) PlayerSet {
	if !a.known {
		return 0
	}
	return PlayerSet(1<<players-1) &^ a.gone
}

// attend tells who has left and who has come with the frame that was just run. Who was away
// before the first frame that is shown has not left now, and who has come before it has not
// come now: that is no news. After a state that leaves frames of the match out, Frame is the
// first that was shown with the change.
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
