package app

import (
	"slices"
	"time"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/mirror"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/ui"
	"github.com/tickback/tickback/play/words"
)

// The size of the picture in units. A screen of another shape gets borders.
const (
	Width  = 1280
	Height = 720
)

const (
	// maxStep is the maximum time, in seconds, that the presentation advances in one picture, so that nothing jumps
	// after a slow one.
	maxStep = 0.2
	// maxElapsed is the maximum time that a local match advances in one picture. Slow pictures do not slow the game
	// down, but after a longer interruption, such as a hidden page, the game continues where it stopped.
	maxElapsed = 1.0
)

// Options configure an app.
type Options struct {
	Store settings.Store // nil stores nothing
	Mixer *sound.Mixer   // nil plays no sound
	Mode  string         // the mode to begin with; "" is the title
	Auto  bool           // bots play instead of people
	Seed  uint32         // for the first match; 0 takes one from Now
	Quit  bool           // the title has a button to quit
	// Calm is the default of the setting for reduced motion: the preference of the system.
	Calm bool
	// Languages are tags of the languages that the system prefers, best first. Language is the tag of one that is
	// used instead of the one in the settings, until they are changed; "" means none.
	Languages []string
	Language  string
	// KeyName returns the label of a key in the layout of the keyboard, or "" if it is unknown; with nil, all are
	// unknown.
	KeyName func(controls.Key) string
	Now     time.Time // for a seed, and the dates of recordings
	Lab     LabOptions
	// Choose asks the player for a file, which is then passed to [App.Receive]; nil means that this is not possible.
	Choose func()
	// Mirror, if it is not nil, mirrors what the screens show for assistive technology, and passes on actions from
	// there.
	Mirror *mirror.Mirror
	// SaveFile saves a file for the player and returns where it is; nil means that this is not possible.
	SaveFile func(name string, b []byte) (where string, err error)
}

// Mode is an entry on the title screen.
type Mode struct {
	ID, Label, Help string // Label and Help are marked by words.K
	// Open returns the mode's first scene.
	Open func(a *App) Scene
}

// prefs has the settings, where they are stored, and their defaults.
type prefs struct {
	settings.Store
	defaults settings.Settings
	language words.Language // the system's language
	keyName  func(controls.Key) string
}

// speak selects the language of the first supported tag, or else the system's.
func (p *prefs) speak(tags ...string) {
	words.Set(words.Choose(append(tags, p.language.Tag())...))
}

// lent has the abilities of the program around the app.
type lent struct {
	choose   func()
	saveFile func(name string, b []byte) (string, error)
	lab      LabOptions
	mirror   *mirror.Mirror
}

// App is the client. Make it with [New]. It is not safe for concurrent use.
type App struct {
	Settings settings.Settings
	Mixer    *sound.Mixer
	Auto     bool

	prefs   prefs
	modes   []Mode
	screens screens
	ui      ui.UI
	input   menuInput
	touch   touchScreen
	local   localTime
	report  report
	kept    recordings.Store
	inbox   inbox
	lent
	canQuit bool
	quit    bool
	hideHud bool
	overlay bool
	away    bool
}

// New returns an app.
func New(o Options) *App {
	a := &App{Mixer: o.Mixer, Auto: o.Auto, prefs: prefs{o.Store, settings.Default(), words.Choose(o.Languages...), o.KeyName}, local: localTime{o.Now, o.Seed}, canQuit: o.Quit}
	if a.Mixer == nil {
		a.Mixer = sound.NewMixer()
	}
	if a.prefs.Store == nil {
		a.prefs.Store = &settings.Memory{}
	}
	if o.Now.IsZero() {
		a.local.now = time.Unix(1, 0)
	}
	if o.Seed == 0 {
		a.local.seed = uint32(o.Now.UnixNano()) | 1
	}
	a.lent = lent{o.Choose, o.SaveFile, o.Lab, o.Mirror}
	var err error
	a.prefs.defaults.ReducedMotion = o.Calm
	if a.Settings, err = settings.Load(a.prefs, a.prefs.defaults, len(look.Palettes)); err != nil {
		a.Note(err)
	}
	a.Mixer.SetVolume(a.Settings.Volume)
	a.prefs.speak(o.Language, a.Settings.Language)
	a.ui.Theme = ui.Theme{Text: look.Paper, Faint: look.Dim, Panel: look.Ink.Alpha(0.82), Accent: look.Gold, OnAccent: look.Ink}
	a.modes = modes()
	first := a.Title()
	for _, m := range a.modes {
		if m.ID == o.Mode {
			first = m.Open(a)
		}
	}
	a.screens = screens{stack: []Scene{first}, fade: 1}
	a.report.begin()
	return a
}

// Add adds a mode to the title, after the modes that play a game. If begin is true, the app
// starts with it.
func (a *App) Add(m Mode, begin bool) {
	before := slices.IndexFunc(a.modes, func(m Mode) bool { return m.ID == "lab" })
	a.modes = slices.Insert(a.modes, before, m)
	if begin {
		a.enter(m.Open(a))
	}
}

// Now returns the time of local matches, which stops during a pause.
func (a *App) Now() time.Time { return a.local.now }

// NextSeed returns a seed for a match, never 0.
func (a *App) NextSeed() uint32 { return a.local.next() }

// Look returns the look of games, according to the settings.
func (a *App) Look() look.Look { return look.New(a.Settings.Palette, a.Settings.ReducedMotion) }

// Title returns the first screen.
func (a *App) Title() Scene { return newTitle(a) }

// Bare reports whether only the picture is shown, without bars and figures.
func (a *App) Bare() bool { return a.hideHud }

// Done reports whether the player has quit.
func (a *App) Done() bool { return a.quit }

// Note records a minor problem, such as a missing sound device. The title shows the latest.
func (a *App) Note(err error) { a.report.note(err) }

// Fail returns a screen that shows an error, from which the player gets back to the title.
func (a *App) Fail(err error) Scene {
	a.Note(err)
	return &failed{text: err.Error()}
}

// Save stores the settings.
func (a *App) Save() {
	if err := a.Settings.Save(a.prefs); err != nil {
		a.Note(err)
	}
}

// Picture lets dt seconds pass, and draws the result on a screen of w by h pixels. The pointer
// and the touches of d are in pixels.
func (a *App) Picture(c *draw.Canvas, d *controls.Devices, w, h, dt float32) {
	a.screens.once(func() { a.paint(c, d, w, h, dt) })
}

func (a *App) paint(c *draw.Canvas, d *controls.Devices, w, h, dt float32) {
	elapsed := dt
	if elapsed > maxElapsed {
		elapsed = 0
	}
	dt = min(dt, maxStep)
	a.report.picture()
	s := a.touch.layout(d, !a.input.pressed(d), w, h)
	p := a.picture(c, d, s, dt)
	p.elapsed = elapsed
	s.begin(c)
	c.Rect(draw.Box{W: s.w, H: s.h}, look.Ink)
	c.Push()
	c.Translate(s.box.X, s.box.Y)
	c.Scale(s.scale, s.scale)
	c.Clip(p.Full)
	heard := a.mirror.Begin(dt)
	c.Mirror, c.Screen = heard, draw.Point{X: w, Y: h}
	a.ui.Begin(c, p.UIInput, dt)
	shown, next := a.show(p)
	stopped := a.ui.Empty() && a.ui.Offer(draw.Box{X: Width/2 - 50, Y: 18, W: 100, H: 62}, "pause", 0, words.T("Menu"))
	c.Mirror = nil
	heard.End(words.Current().Tag())
	if opens := a.takeFile(); opens != nil {
		next = opens
	}
	a.ui.End()
	if dark := a.screens.appear(dt); dark > 0 {
		c.Rect(p.Full, look.Ink.Alpha(dark))
	}
	a.touch.set(p.Pad != nil && p.shown, stopped)
	c.Unclip()
	c.Pop()
	s.drawTurn(c)
	if a.touch.playing {
		s.drawPause(c)
		p.Pad.Draw(c, p.touched)
	}
	a.soundUI()
	a.input.remember(d, p.Devices)
	a.input.guard.look(p, shown, next, ownKeys(shown))
	a.follow(shown, next)
}

func (a *App) soundUI() {
	switch {
	case a.ui.Accepted:
		a.Mixer.Play(&sound.Accept, 0, 0.5, 0)
	case a.ui.Chosen:
		a.Mixer.Play(&sound.Choose, 0, 0.4, 0)
	}
}
