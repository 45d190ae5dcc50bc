package app

// Ticker is a scene that has to go on while its page is hidden, or its pictures are slow, as
// others wait for it.
type Ticker interface {
	// Tick lets time pass without a picture, and returns the scene of what comes next,
	// mostly itself.
	Tick(a *App) Scene
}

// Awayer is a scene that tells others when nobody looks at it.
type Awayer interface {
	Away(a *App, away bool)
}

// Ticks reports whether the scene has to go on while its page is hidden.
func (a *App) Ticks() bool {
	_, ok := a.scene.(Ticker)
	return ok
}

// Tick lets time pass between pictures, of which a hidden page makes none, and a slow machine
// few: for scenes that others wait for. Local ones stand still. It does nothing in the midst of a picture.
func (a *App) Tick() {
	t, ok := a.scene.(Ticker)
	if !ok || a.busy {
		return
	}
	a.busy = true
	defer func() { a.busy = false }()
	if next := t.Tick(a); next != a.scene && next != nil {
		a.enter(next)
	}
}

// SetAway says whether nobody looks, because the page is hidden.
func (a *App) SetAway(away bool) {
	if a.away == away {
		return
	}
	a.away = away
	if s, ok := a.scene.(Awayer); ok {
		s.Away(a, away)
	}
}

// Away reports whether nobody looks.
func (a *App) Away() bool { return a.away }

// Paster is a scene that takes what is pasted.
type Paster interface{ Pasted(text string) }

// Paste gives the scene a text that was pasted into the page or the window.
func (a *App) Paste(text string) {
	if s, ok := a.scene.(Paster); ok {
		s.Pasted(text)
	}
}

// Closer is a scene that has to say goodbye.
type Closer interface{ Close() }

// Close ends the app for good: whoever plays with us is told.
func (a *App) Close() {
	if s, ok := a.scene.(Closer); ok {
		s.Close()
	}
}
