package app

import (
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// task is a step of the lesson: what to do, with which actions, and whether it is done. began is the state in which
// the step began.
type task struct {
	text string
	hint hint
	done func(began, s *duel.State) bool
}

// lessonTasks are the steps of the lesson, against a bot that stands still.
var lessonTasks = [...]task{
	{
		words.K("Run to the bot."), duelHints[0],
		func(_, s *duel.State) bool { return abs(s.P[0].X-s.P[1].X) <= duel.BodyWidth+duel.AttackWidth },
	},
	{
		words.K("Hit it. Four hits win a round."), duelHints[2],
		func(began, s *duel.State) bool { return s.P[1].Hp < began.P[1].Hp },
	},
	{
		words.K("Jump over it: hold a direction, too."), duelHints[1],
		func(began, s *duel.State) bool {
			return s.P[0].Y > duel.Ground && (s.P[0].X < s.P[1].X) != (began.P[0].X < began.P[1].X)
		},
	},
}

// lesson teaches the duel in three steps. The zero value is inactive.
type lesson struct {
	on    bool
	step  int
	began duel.State // the state at the beginning of the step
}

func (l *lesson) begin() { *l = lesson{on: true} }

// watch advances to the next step once one is done. It reports whether that was the last one.
func (l *lesson) watch(s *duel.State) (over bool) {
	if !l.on {
		return false
	}
	if l.began.Frame == 0 || s.Frame < l.began.Frame { // the lesson begins, or the next round does
		l.began = *s
	}
	if !lessonTasks[l.step].done(&l.began, s) {
		return false
	}
	l.step++
	l.began = *s
	l.on = l.step < len(lessonTasks)
	return !l.on
}

// text returns what to do, as text, or "" if there is no lesson.
func (l *lesson) text() string {
	if !l.on {
		return ""
	}
	return words.F("%d of %d   %s", l.step+1, len(lessonTasks), words.T(lessonTasks[l.step].text))
}

// draw shows the step with the keys to press, and a button to skip it. pad says that a gamepad was used last. It
// reports whether the lesson was skipped.
func (l *lesson) draw(p *Picture, pad bool) (skipped bool) {
	const size = 26
	c, text := p.C, l.text()
	at := draw.Point{X: Width / 2, Y: 236}
	if p.Pad != nil { // below the chips, which are larger for fingers
		at.Y = p.Below(108) + max(84, p.UIInput.Finger) + 84
	}
	width := c.TextWidth(size, text)
	c.RoundRect(draw.Box{X: at.X - width/2 - 22, Y: at.Y - 36, W: width + 44, H: 54}, 12, look.Ink.Alpha(0.75))
	c.Text(at, size, draw.Middle, look.Gold, text)
	fresh := hints{pad: pad} // shows keys even if they were used before
	fresh.draw(p, draw.Point{X: at.X, Y: at.Y + 52}, []hint{lessonTasks[l.step].hint})
	return p.chips(words.T("The bot stands still."), -1, []string{words.T("Skip")}) == 0
}

func abs(n int32) int32 { return max(n, -n) }

// teach begins the lesson, in a round that is not recorded.
func (s *duelScene) teach(a *App) {
	s.lesson.begin()
	s.begin(a)
}

// learn advances the lesson. After its last step the match begins.
func (s *duelScene) learn(p *Picture) {
	if v := s.stage.Session.View(); v.Current != nil && s.lesson.watch(v.Current) {
		s.begin(p.App)
	}
}

// Report adds the task of the lesson to the status.
func (s *duelScene) Report(status *Status) { status.Banner = s.lesson.text() }
