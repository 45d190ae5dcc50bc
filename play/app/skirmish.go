package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/skirmishview"
	"github.com/tickback/tickback/play/words"
)

// skirmishSetup is the screen on which the player selects what is played.
type skirmishSetup struct {
	bots, size, units int // size and units are indices in the lists
	seed              int
	shown             skirmish.Setup // the setup of which the map is shown
	ground            *draw.Sheet
	starts            []skirmish.Point
}

var (
	skirmishSizes = [...]int{64, 96, 128, 192, 256}
	skirmishUnits = [...]int{0, 10, 50, 100, 250, 500, 1250}
)

func newSkirmishSetup(a *App) Scene {
	s := &skirmishSetup{bots: 1, size: 2, units: 1, seed: int(a.NextSeed() % 1000)}
	if a.Auto {
		s.size, s.units = 2, len(skirmishUnits)-1
		return newSkirmish(a, s.setup())
	}
	return s
}

// Name returns "skirmish setup", which is the mode in a [Status].
func (s *skirmishSetup) Name() string { return "skirmish setup" }

func (s *skirmishSetup) setup() skirmish.Setup {
	return skirmish.Setup{Seed: uint64(s.seed), Size: skirmishSizes[s.size], Players: s.bots + 1, Units: skirmishUnits[s.units]}
}

// Picture draws the choices with the selected map, and opens the match, or the title.
func (s *skirmishSetup) Picture(p *Picture) Scene {
	p.C.Shade(p.Full, draw.RGB(0x2B3D2B), look.Ink)
	DrawLogo(p.C, draw.Point{X: 70, Y: 130}, 0, true)
	p.C.Text(draw.Point{X: 76, Y: 180}, 26, draw.Left, look.Dim, words.T("Skirmish"))
	rows := 6
	if p.Devices.Touch {
		rows = 5 // the last two buttons are beside each other
	}
	next := p.Rows(draw.Box{X: 70, Y: 204, W: 620, H: 60}, rows, 16, 196, Height-10)
	s.bots = 1 + p.UI.Choice(next(), words.T("Bots"), s.bots-1, "1", "2", "3", "4", "5", "6", "7")
	s.size = p.UI.Choice(next(), words.T("Map"), s.size, "64 x 64", "96 x 96", "128 x 128", "192 x 192", "256 x 256")
	s.units = p.UI.Choice(next(), words.T("Units to begin with"), s.units, words.T("none"), "10", "50", "100", "250", "500", "1250")
	s.seed = int(p.UI.Slider(next(), words.T("Map number"), float64(s.seed), 0, 999, 1, func(v float64) string { return fmt.Sprintf("%.0f", v) }))
	fight := next()
	back := fight
	if back.W = 300; p.Devices.Touch {
		fight.W = 304
		back.X += 320
	} else {
		back = next()
		back.W = 300
	}
	switch {
	case p.UI.Button(fight, words.T("Fight")):
		return newSkirmish(p.App, s.setup())
	case p.UI.Button(back, words.T("Back")), p.UI.Back():
		return newTitle(p.App)
	}
	s.drawMap(p)
	return s
}

// drawMap shows the selected map, and where each player begins.
func (s *skirmishSetup) drawMap(p *Picture) {
	if now := s.setup(); now.Seed != s.shown.Seed || now.Size != s.shown.Size || now.Players != s.shown.Players {
		m, err := skirmish.NewMap(now)
		if err != nil {
			return // cannot happen: the lists only have valid values
		}
		s.shown, s.starts = now, m.Starts
		s.ground = skirmishview.PaintGround(m.Size, max(384/m.Size, 1), m.At)
	}
	b := draw.Box{X: 760, Y: 150, W: 440, H: 440}
	p.C.RoundRect(b.Inset(-6), 8, look.Ink)
	p.C.Sprite(s.ground, s.ground.Box(), b, look.Paper)
	l := p.App.Look()
	for i, at := range s.starts {
		m := draw.Point{X: b.X + (float32(at.X)+0.5)*b.W/float32(s.shown.Size), Y: b.Y + (float32(at.Y)+0.5)*b.W/float32(s.shown.Size)}
		p.C.Circle(m, 13, look.Ink)
		p.C.Circle(m, 10, l.Player(i))
		if i == 0 {
			p.C.Text(m.Plus(draw.Point{Y: -18}), 18, draw.Middle, look.Paper, words.T("you"))
		}
	}
}

// skirmishScene is a skirmish against bots, on this machine.
type skirmishScene struct {
	stage *SkirmishStage
	setup skirmish.Setup
	pause pause
	bots  [skirmish.MaxPlayers][]byte // scratch: their orders
	free  bool                        // whether keys belong to menus
	fault error                       // why the match did not begin
}

func newSkirmish(a *App, setup skirmish.Setup) *skirmishScene {
	s := &skirmishScene{setup: setup}
	s.begin(a)
	return s
}

// begin begins a match.
func (s *skirmishScene) begin(a *App) {
	s.close()
	side := uint8(0)
	if a.Auto {
		side = skirmish.Nobody
	}
	s.stage = NewSkirmishStage(a, side)
	names := BotNames
	if side == 0 {
		names[0] = roleYou
	}
	callAll(s.stage.Names[:], names[:])
	game, err := skirmish.New(s.setup, 0)
	if err != nil {
		s.fault = err
		return
	}
	o := tickback.Options[skirmish.World, skirmish.Input]{
		Players: s.setup.Players, GameID: skirmish.ID, TickRate: skirmish.TicksPerSecond, Lockstep: true,
		Match:     tickback.Parameters{Seed: s.setup.Seed, Data: s.setup.Data()},
		MaxOrders: skirmish.MaxOrderBytes,
		Advanced:  tickback.Advanced{Now: a.Now},
		Sample: func(p tickback.Player) (in skirmish.Input) {
			if p == 0 {
				s.stage.Sampled()
			}
			return in
		},
		Orders: s.orders,
	}
	o.Record, o.Recording = a.Record(recordings.About("versus-bot", names[:]))
	m, err := tickback.Local(game, o)
	if err != nil {
		s.fault = err
		return
	}
	s.stage.Begin(a, m)
}

// orders returns what a player orders in the next tick: the hand's orders or a bot's.
func (s *skirmishScene) orders(p tickback.Player) []byte {
	if uint8(p) == s.stage.view.Side {
		return s.stage.Orders()
	}
	s.bots[p] = skirmish.Bot{Seed: s.setup.Seed + uint64(p)}.Orders(s.bots[p][:0], p, s.stage.Session.View().Current)
	return s.bots[p]
}

// Name returns "skirmish", which is the mode in a [Status].
func (s *skirmishScene) Name() string { return "skirmish" }

// OwnKeys says that keys do not move the focus of menus while units are commanded.
func (s *skirmishScene) OwnKeys() bool { return !s.free }

// Picture runs the match, or shows the menu of a pause or of the end. Pause first cancels the action that waits
// for a click.
func (s *skirmishScene) Picture(p *Picture) Scene {
	if s.fault != nil {
		return p.App.Fail(s.fault)
	}
	if p.Pause && !s.pause.on && (s.stage.Cancel() || p.pressed("KeyP") && !p.pressed("Escape")) {
		p.Pause = false // it first cancels the action of the next click; P has no meaning here
	}
	_, over := s.stage.Ended()
	next, goes := s.pause.run(p, s)
	if s.free = s.pause.on || over; !goes {
		return next
	}
	if over {
		return s.ended(p)
	}
	return s
}

// draw draws the match, with its panels while it is running.
func (s *skirmishScene) draw(p *Picture) {
	s.stage.Covered = s.pause.on
	s.stage.Draw(p)
	if s.stage.Menu() && !s.pause.on {
		s.pause.on, p.Pause = true, true
		p.UI.FocusNext()
	}
}

func (s *skirmishScene) close() {
	if s.stage != nil {
		s.stage.Close()
	}
}

// resign resigns the match.
func (s *skirmishScene) resign() { s.stage.Resign() }

func (s *skirmishScene) advance(p *Picture) error {
	p.Elapse()
	s.stage.Command(p)
	return s.stage.Advance(p)
}

// Report adds information for tests and tools.
func (s *skirmishScene) Report(t *Status) {
	if s.fault == nil {
		s.stage.Report(t)
	}
}

// ended draws the menu after a match.
func (s *skirmishScene) ended(p *Picture) Scene {
	box := draw.Box{X: Width/2 - 320, Y: 560, W: 300, H: 64}
	if p.UI.Button(box, words.T("Again")) || p.App.Auto {
		s.begin(p.App)
		return s
	}
	box.X += 340
	if p.UI.Button(box, words.T("To the title")) || p.UI.Back() {
		s.close()
		return newTitle(p.App)
	}
	return s
}
