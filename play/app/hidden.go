package app

// Ticker is a scene that must continue while its page is hidden or pictures are slow, since others wait for it.
type Ticker interface {
	// Tick lets time pass without a picture, and returns the next scene, usually itself.
	Tick(a *App) Scene
}

// Awayer is a scene that tells others when its player is away.
type Awayer interface {
	Away(a *App, away bool)
}

// Ticks reports whether the scene must continue while its page is hidden.
func (a *App) Ticks() bool {
	_, ok := a.screens.base().(Ticker)
	return ok
}

// Tick lets time pass between pictures, for scenes that others wait for: a hidden page draws no pictures, and a slow
// machine few. Local scenes are stopped. It does nothing while a picture is being drawn.
func (a *App) Tick() { a.screens.once(a.tick) }

// SetAway sets whether the player is away because the page is hidden.
func (a *App) SetAway(away bool) {
	if a.away == away {
		return
	}
	a.away = away
	if s, ok := a.screens.base().(Awayer); ok {
		s.Away(a, away)
	}
}

// Away reports whether the player is away.
func (a *App) Away() bool { return a.away }

// Paster is a scene that takes pasted text.
type Paster interface{ Pasted(text string) }

// Paste passes a text that was pasted into the page or the window to the scene.
func (a *App) Paste(text string) {
	if s, ok := a.screens.base().(Paster); ok {
		s.Pasted(text)
	}
}

// Closer is a scene that has to say goodbye to others.
type Closer interface{ Close() }

// Close ends the app for good, and tells peers.
func (a *App) Close() {
	if s, ok := a.screens.base().(Closer); ok {
		s.Close()
	}
}
