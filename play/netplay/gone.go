package netplay

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// others has what is known about the other players of a match.
type others struct {
	absent    tickback.PlayerSet // those who have left it
	waits     bool               // we have chosen to wait for them
	sure      bool               // we have pressed the button to claim the win once
	goneAt    time.Time          // when the other player left
	asked     bool               // we have asked them for a rematch
	waitSince time.Time          // when frames began to wait for one of them
	again     tickback.PlayerSet // those whose games were restarted
}

// alone reports whether we play a duel whose other player has left: in a duel no bot stands in.
func alone(v *stay) bool {
	return v.kind.id == duelID && v.mine() != 0 && v.overAt.IsZero() && !v.retired &&
		v.others.absent|v.mine() == tickback.SetOf(0, 1)
}

// fightOn is how long the keys still control the fight after the other player has left.
const fightOn = 1500 * time.Millisecond

// aloneY is where the buttons begin in that case: below two notices of two lines each, and the pause button of a
// touch screen.
const aloneY = 320

// drawAlone draws the choices in that case, in addition to the menu. The keys of the fight also move the focus and
// press buttons, so the buttons appear a moment later, and the match only ends after a second press.
func drawAlone(v *stay, p *app.Picture, now time.Time) {
	if v.others.goneAt.IsZero() {
		v.others.goneAt = now
	}
	if now.Sub(v.others.goneAt) < fightOn {
		p.Play()
		p.UI.FocusNext()
		return
	}
	if v.room.Err() == nil && p.UI.Button(draw.Box{X: app.Width/2 - 320, Y: aloneY, W: 300, H: 62}, words.T("Wait")) {
		v.others.waits = true
	}
	label := words.T("Claim the win")
	if v.others.sure {
		label = words.T("End the match?")
	}
	p.UI.ID("claim", 0)
	switch {
	case !p.UI.Button(draw.Box{X: app.Width/2 + 20, Y: aloneY, W: 300, H: 62}, label):
	case !v.others.sure:
		v.others.sure = true
	default:
		v.notices.Add(words.N(v.others.absent.Len(), "You win: %[2]s has left the match", "You win: %[2]s have left the match", v.list(v.others.absent)), 8)
		t := v.terms
		t.Round, t.Wins = 0, [2]int{}
		if v.room.IsHost() {
			_ = v.change(t) // the next match begins anew in any case
		}
		v.drop()
	}
}

// missing says for whom a match waits.
func missing(v *stay) string {
	for _, m := range v.state.Members {
		if m.Seat != rooms.NoSeat && !m.Connected {
			return words.F("%s has lost the connection", foyer.Called(m))
		}
	}
	for _, m := range v.state.Members {
		if m.Seat != rooms.NoSeat && v.why(m) != peers.NoReason {
			return words.F("No connection to %s", foyer.Called(m))
		}
	}
	if text := v.unconnected(); text != "" {
		return words.F("Connecting to %s", text)
	}
	return words.T("Waiting for one more")
}

// withdrawRematch withdraws our request for a rematch.
func withdrawRematch(v *stay) {
	if v.others.asked {
		v.others.asked = false
		_ = v.room.SetStatus("") // it is sent later, unless the room has ended
	}
}

// drawAsking shows which guests have asked for a rematch.
func drawAsking(v *stay, p *app.Picture) {
	n, names := v.telling(statusAgain)
	if n == 0 {
		return
	}
	text := words.N(n, "%[2]s asks for a rematch", "%[2]s ask for a rematch", names)
	const size = 24
	w := p.C.TextWidth(size, text)
	p.C.RoundRect(draw.Box{X: app.Width/2 - w/2 - 18, Y: 578, W: w + 36, H: 44}, 12, look.Ink.Alpha(0.8))
	p.C.Text(draw.Point{X: app.Width / 2, Y: 608}, size, draw.Middle, look.Gold, text)
}
