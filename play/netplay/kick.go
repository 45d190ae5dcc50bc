package netplay

import (
	"slices"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
)

// kick is somebody who is sent away from the room at a time.
type kick struct {
	id uint32
	at time.Time
}

// leaveTime is how long who is sent away has to leave the match by itself, so that nobody
// there has to wait; then all connections to it end.
const leaveTime = time.Second

// drawKick lets the host send somebody away, who is asked twice. It returns where the rest
// of the row ends.
func (v *visit) drawKick(p *app.Picture, m rooms.Member, row draw.Box) float32 {
	const width = 110
	sure, label := v.lobby.kick == m.ID, "Send away"
	switch {
	case slices.ContainsFunc(v.kicks, func(k kick) bool { return k.id == m.ID }):
		return row.X + row.W
	case sure:
		label = "Sure?"
	}
	if p.UI.Button(draw.Box{X: row.X + row.W - width - 6, Y: row.Y + 4, W: width, H: row.H - 8}, label) {
		if v.lobby.kick = m.ID; sure {
			v.lobby.kick = 0
			v.sendAway(m, time.Now())
		}
	}
	return row.X + row.W - width - 6
}

// sendAway sends somebody away: first from the match, if we play one together.
func (v *visit) sendAway(m rooms.Member, now time.Time) {
	v.notices.add(called(m)+" is sent away", 4)
	if player := v.played(); player != nil && m.Seat != rooms.NoSeat && m.Playing == v.state.Match {
		if player.Kick(tickback.SetOf(tickback.Player(m.Seat)), "") == nil {
			now = now.Add(leaveTime)
		}
	}
	v.kicks = append(v.kicks, kick{m.ID, now})
}

// finishKicks tells the room who has to go now.
func (v *visit) finishKicks(now time.Time) {
	v.kicks = slices.DeleteFunc(v.kicks, func(k kick) bool {
		if _, here := v.state.Member(k.id); here && now.Before(k.at) {
			return false
		}
		_ = v.room.Kick(k.id) // a refusal is an event, and none if it has gone
		return true
	})
}
