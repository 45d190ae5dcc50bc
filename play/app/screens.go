package app

// screens is the stack of scenes. The lowest is what the app is doing; those above cover it, and it continues below
// them only if others wait for it.
type screens struct {
	stack []Scene // never empty
	fade  float32 // how far the newest lowest scene has appeared, up to 1
	busy  bool    // a picture is being made, or time passes without one
}

func (s *screens) base() Scene { return s.stack[0] }

// top returns the scene that is shown, and has the keys.
func (s *screens) top() Scene { return s.stack[len(s.stack)-1] }

func (s *screens) covered() bool { return len(s.stack) > 1 }

// enter replaces all scenes.
func (s *screens) enter(next Scene) { s.stack, s.fade = []Scene{next}, 0 }

// cover shows a scene over the others, until its Picture returns nil.
func (s *screens) cover(over Scene) { s.stack = append(s.stack, over) }

// uncover shows the lowest scene again.
func (s *screens) uncover() { s.stack = s.stack[:1] }

// replace handles the next scene that a scene above the lowest one has returned. It reports whether another is shown
// now.
func (s *screens) replace(next Scene) bool {
	last := len(s.stack) - 1
	if next == s.stack[last] {
		return false
	}
	if s.stack[last] = next; next == nil {
		s.stack = s.stack[:last]
	}
	return true
}

// appear lets the lowest scene appear, and returns how much of it is still dark.
func (s *screens) appear(dt float32) (dark float32) {
	s.fade = min(s.fade+dt*5, 1)
	return 1 - s.fade
}

// once calls f, unless it is called within f: a message of the browser may arrive in the middle of a picture.
func (s *screens) once(f func()) {
	if s.busy {
		return
	}
	s.busy = true
	defer func() { s.busy = false }()
	f()
}

// enter shows a scene instead of all others.
func (a *App) enter(s Scene) {
	a.screens.enter(s)
	a.ui.FocusNext()
	a.report.begin()
}

// tick lets time pass in the lowest scene, if others wait for it.
func (a *App) tick() {
	base := a.screens.base()
	if t, ok := base.(Ticker); ok {
		if next := t.Tick(a); next != base && next != nil {
			a.enter(next)
		}
	}
}

// show draws the scene on top, and returns the scene of the next picture, or nil above the lowest one.
func (a *App) show(p *Picture) (shown, next Scene) {
	if a.screens.covered() {
		a.tick()
	}
	shown = a.screens.top()
	return shown, shown.Picture(p)
}

// follow shows the scene that a scene has returned.
func (a *App) follow(shown, next Scene) {
	switch {
	case shown == a.screens.base():
		if next != shown && next != nil {
			a.enter(next)
		}
	case shown == a.screens.top() && a.screens.replace(next):
		a.ui.FocusNext()
	}
}

// OpenSettings shows the settings over the scene. It continues below only if it is a [Ticker].
func (a *App) OpenSettings() {
	a.screens.cover(&settingsScene{over: true})
	a.ui.FocusNext()
}

// Uncover shows the scene again if the settings are over it, since it has something to show.
func (a *App) Uncover() {
	if a.screens.covered() {
		a.screens.uncover()
		a.ui.FocusNext()
	}
}

// SettingsOpen reports whether the settings are over the scene.
func (a *App) SettingsOpen() bool { return a.screens.covered() }
