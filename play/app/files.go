package app

import (
	"io"
	"sync"

	"github.com/tickback/tickback/play/theatre"
)

// inbox holds a file that was received from outside of the app, on any goroutine.
type inbox struct {
	mu   sync.Mutex
	file *incoming
}

// incoming is a file, or the error from reading it.
type incoming struct {
	name string
	b    []byte
	err  error
}

// Receive opens a file that was dropped, chosen or named: a recording to play. It is safe for concurrent use. A file
// that arrives during a match waits for its end; of several, the last one is opened. err is the error from reading
// it.
func (a *App) Receive(name string, b []byte, err error) {
	a.inbox.mu.Lock()
	defer a.inbox.mu.Unlock()
	a.inbox.file = &incoming{name, b, err}
}

// ReadFile reads a file for [App.Receive], unless it is too large to be played.
func ReadFile(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, theatre.MaxFile+1))
	if err == nil && len(b) > theatre.MaxFile {
		return nil, theatre.ErrTooLarge
	}
	return b, err
}

// taker is a scene that can be left in order to open a file.
type taker interface{ leaves() }

// takeFile returns the scene that opens a file, if one has arrived and may be opened now.
func (a *App) takeFile() Scene {
	s, ok := a.screens.top().(taker)
	if !ok {
		return nil
	}
	a.inbox.mu.Lock()
	f := a.inbox.file
	a.inbox.file = nil
	a.inbox.mu.Unlock()
	if f == nil {
		return nil
	}
	s.leaves()
	if f.err != nil {
		return newTheatreAfter(a, &theatre.OpenError{Name: f.name, Err: f.err})
	}
	return newOpening(f.name, f.b)
}

// leaves closes the bots' match behind the title.
func (t *title) leaves() { t.game.stage.Close() }
