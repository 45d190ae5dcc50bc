package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/letters"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/samples"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/rollback"
)

// theatreScene is the list of recordings.
type theatreScene struct {
	page  int
	error string // why the last file could not be played
}

func newTheatre(*App) Scene { return &theatreScene{} }

// newTheatreAfter returns the list with the reason why a file could not be played.
func newTheatreAfter(_ *App, err error) Scene { return &theatreScene{error: err.Error()} }

// Name returns "theatre", which is the mode in a [Status].
func (s *theatreScene) Name() string { return "theatre" }

func (s *theatreScene) leaves() {}

// Report sets the message to the reason why the last file could not be played.
func (s *theatreScene) Report(t *Status) { t.Message = s.error }

// performance has the recorded rounds of a match, first round first.
type performance []recordings.Recording

// perform groups rounds into matches, newest match first.
func perform(list []recordings.Recording) (all []performance) {
	for _, r := range list {
		if n := len(all); n > 0 && r.Series != 0 && all[n-1][0].Series == r.Series {
			all[n-1] = slices.Insert(all[n-1], 0, r)
			continue
		}
		all = append(all, performance{r})
	}
	return all
}

// cards is how many matches a page shows.
const cards = 5

// Picture shows a page of matches, the samples last, and opens the selected round.
func (s *theatreScene) Picture(p *Picture) Scene {
	c, a := p.C, p.App
	c.Shade(p.Full, draw.RGB(0x232B57), look.Ink)
	c.Text(draw.Point{X: 70, Y: 104}, 60, draw.Left, look.Paper, words.T("Replays"))
	own := perform(a.Recordings())
	all := append(own, perform(samples.List())...)
	pages := max((len(all)+cards-1)/cards, 1)
	s.page = min(s.page, pages-1)
	next := p.Rows(draw.Box{X: 70, Y: 176, W: 1140, H: 76}, cards, 10, 172, 622)
	for _, m := range all[s.page*cards : min((s.page+1)*cards, len(all))] {
		if r := s.card(p, next(), m); r != nil {
			o := newOpening(fileName(r), r.Bytes)
			o.names = r.Names
			return o
		}
	}
	s.notice(p, len(own))
	return s.foot(p, pages)
}

// notice shows what can be done here, or what was wrong with a file.
func (s *theatreScene) notice(p *Picture, matches int) {
	c := p.C
	if s.error != "" {
		for i, line := range Wrap(c, s.error, 20, 1100) {
			if i < 2 {
				c.Text(draw.Point{X: 74, Y: 140 + float32(i)*24}, 20, draw.Left, look.Red.Mix(look.Paper, 0.35), line)
			}
		}
		return
	}
	text := words.T("The matches that you have just played, and any recording that you drop here.")
	if matches == 0 {
		text = words.T("You have not played yet: here are three samples. Or drop a .tbr or .rplk file.")
	}
	c.Text(draw.Point{X: 74, Y: 146}, 20, draw.Left, look.Dim, text)
}

// foot draws the last row of buttons.
func (s *theatreScene) foot(p *Picture, pages int) Scene {
	box := draw.Box{X: 70, Y: 634, W: 250, H: 56}
	if p.App.choose != nil {
		if p.UI.Button(box, words.T("Open a file")) {
			p.App.choose()
		}
		box.X += 270
	}
	if p.UI.Button(draw.Box{X: box.X, Y: box.Y, W: 200, H: box.H}, words.T("Back")) || p.UI.Back() {
		return newTitle(p.App)
	}
	if pages == 1 {
		return s
	}
	if p.UI.Button(draw.Box{X: 850, Y: box.Y, W: 150, H: box.H}, words.T("Newer")) {
		s.page = max(s.page-1, 0)
	}
	p.C.Text(draw.Point{X: 1030, Y: 670}, 22, draw.Middle, look.Paper, fmt.Sprintf("%d / %d", s.page+1, pages))
	if p.UI.Button(draw.Box{X: 1060, Y: box.Y, W: 150, H: box.H}, words.T("Older")) {
		s.page++
	}
	return s
}

// card shows a match, and returns the selected round.
func (s *theatreScene) card(p *Picture, b draw.Box, m performance) (chosen *recordings.Recording) {
	c, l := p.C, p.App.Look()
	c.RoundRect(b, 12, look.Ink.Alpha(0.55))
	last := &m[len(m)-1]
	for i, n := 0, min(last.Players, 8); i < n; i++ {
		c.Rect(draw.Box{X: b.X, Y: b.Y + 12 + float32(i)*(b.H-24)/float32(n), W: 6, H: (b.H - 24) / float32(n)}, l.Player(i))
	}
	c.Text(draw.Point{X: b.X + 26, Y: b.Y + 32}, 25, draw.Left, look.Paper, versus(c, last, 25, 590))
	c.Text(draw.Point{X: b.X + 26, Y: b.Y + 60}, 18, draw.Left, look.Dim, fit(c, m.about(), 18, 600))
	c.Text(draw.Point{X: b.X + 634, Y: b.Y + 32}, 20, draw.Left, look.Gold, fit(c, m.result(), 20, 240))
	if last.Hashed {
		c.Text(draw.Point{X: b.X + 634, Y: b.Y + 60}, 16, draw.Left, look.Dim, words.F("state %016X", last.Hash))
	}
	const room = 230 // for the buttons
	w := float32(room)
	if len(m) > 1 {
		w = min(room/float32(len(m))-8, 120)
	}
	for i := range m {
		label := words.T("Watch")
		if len(m) > 1 {
			if label = fmt.Sprint(max(m[i].Round, 1)); w > 85 {
				label = words.F("Round %s", label)
			}
		}
		x := b.X + b.W - 12 - float32(len(m)-i)*(w+8) + 8
		p.UI.ID(fileName(&m[i]), int(m[i].ID))
		if p.UI.Button(draw.Box{X: x, Y: b.Y + 13, W: w, H: 50}, label) {
			chosen = &m[i]
		}
	}
	return chosen
}

// versus returns as many of the players' names as fit.
func versus(c *draw.Canvas, r *recordings.Recording, size, width float32) string {
	var names []string
	for i := range r.Players {
		// Most places of a server's match are empty.
		if i < 2 || r.Names[i] != "" || r.Players <= 8 {
			names = append(names, nameOf(r, i))
		}
	}
	if len(names) == 2 {
		return fit(c, words.F("%s  vs  %s", names[0], names[1]), size, width)
	}
	for n := len(names); n > 1; n-- {
		text := strings.Join(names[:n], ", ")
		if rest := len(names) - n; rest > 0 {
			text = words.F("%s and %d more", text, rest)
		}
		if c.TextWidth(size, text) <= width {
			return text
		}
	}
	return fit(c, names[0], size, width)
}

// modeNames are the names of the modes in which matches are recorded.
var modeNames = map[string]string{
	"versus-bot": words.K("versus bot"), "versus": words.K("at one keyboard"), "online": words.K("online"), "lan": words.K("LAN"),
	"bots": words.K("between bots"), "server": words.K("at a server"), "sample-close": words.K("sample: a close one"),
	"sample-brawl": words.K("sample: a brawl of eight"), "sample-desync": words.K("sample: other rules from frame 300 on"),
}

// gameNames are the names of games; one that is not listed is a duel.
var gameNames = map[string]string{arena.ID: words.K("Arena"), tanks.ID: words.K("Tanks"), skirmish.ID: words.K("Skirmish")}

// about describes what was played, and for how long.
func (m performance) about() string {
	r := &m[0]
	text := words.T("Duel")
	if game := gameNames[r.Game]; game != "" {
		text = words.T(game)
	}
	if mode := modeNames[r.Mode]; mode != "" {
		text += ", " + words.T(mode)
	}
	frames := uint32(0)
	for i := range m {
		frames += m[i].Frames
	}
	if len(m) > 1 {
		text += ", " + words.N(len(m), "%d round", "%d rounds")
	}
	return words.F("%s, %s, seed %d", text, clock(frames, uint32(max(r.Rate, 1))), r.Seed)
}

// winnerOf are the functions that return who has won a match of one round, by its result.
var winnerOf = map[string]func(result uint64) (p rollback.Player, ok bool){
	arena.ID: arena.WinnerOf, tanks.ID: tanks.WinnerOf, skirmish.ID: skirmish.WinnerOf,
}

// result returns a text that says who won.
func (m performance) result() string {
	last := &m[len(m)-1]
	if winner := winnerOf[last.Game]; winner != nil {
		p, ok := winner(last.Result)
		switch {
		case !last.Finished:
			return words.T("unfinished")
		case ok && int(p) < len(last.Names):
			return words.F("%s wins", nameOf(last, int(p)))
		}
		return words.T("a draw")
	}
	var wins [2]int
	for i := range m {
		switch {
		case m[i].Finished && m[i].Result == duel.Won1:
			wins[0]++
		case m[i].Finished && m[i].Result == duel.Won2:
			wins[1]++
		}
	}
	return fmt.Sprintf("%d : %d", wins[0], wins[1])
}

func nameOf(r *recordings.Recording, p int) string {
	if name := called(r.Names[p]); name != "" {
		return name
	}
	return fmt.Sprintf("P%d", p+1)
}

// fileName returns a file name for a recording.
func fileName(r *recordings.Recording) string {
	name := r.Game
	if r.Round > 0 {
		name += fmt.Sprintf("-round%d", r.Round)
	}
	return fmt.Sprintf("%s-%08x.tbr", name, uint32(r.Hash))
}

// clock returns a number of frames as minutes and seconds.
func clock(frames, rate uint32) string {
	return fmt.Sprintf("%d:%02d", frames/rate/60, frames/rate%60)
}

// fit shortens a text that is too wide.
func fit(c *draw.Canvas, text string, size, width float32) string {
	if c.TextWidth(size, text) <= width {
		return text
	}
	for text != "" && c.TextWidth(size, text+"...") > width {
		text = letters.WithoutLast(text)
	}
	return text + "..."
}
