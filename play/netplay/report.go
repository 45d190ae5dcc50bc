package netplay

import (
	"time"

	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
)

func (v *stay) Report(s *app.Status) {
	s.Room, s.Players = v.room.Link(), v.state.Seats
	s.Seat = v.room.Me().Seat
	if m, ok := v.bout.(*match[skirmish.World, skirmish.Input]); ok {
		m.stage.(*app.SkirmishStage).Report(s)
	}
	if v.failed != nil {
		s.Message = v.failed.Text()
	}
	s.Banner = v.stays(time.Now())
	score := v.standing()
	s.Wins, s.Rounds = score.Wins, score.Round
	s.Members = make([]app.Member, 0, len(v.state.Members))
	for _, m := range v.state.Members {
		state := "here"
		switch {
		case !m.Connected:
			state = "lost"
		case m.Status == statusAway, m.Status == statusAgain:
			state = m.Status
		}
		s.Members = append(s.Members, app.Member{Name: foyer.Called(m), Seat: m.Seat, State: state, Connection: v.connection(m)})
	}
}
