package live

import (
	"context"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// Running is a match that is being played or watched.
type Running interface {
	// Turn does the work that is due, and reports whether the match is over. An error is final.
	Turn() (wait time.Duration, over bool, err error)
	// Rest waits for d, or until something arrives.
	Rest(d time.Duration)
	// Frames returns how many frames have run.
	Frames() tickback.Frame
	// Picture returns the current state drawn as lines of text.
	Picture() []string
	// Leave says goodbye to the others, and frees everything.
	Leave() error
}

// longestWait is the maximum time that the loop waits before it checks for an interrupt.
const longestWait = 50 * time.Millisecond

// Loop runs the match until it is over.
func (l *Log) Loop(ctx context.Context, m Running) error {
	for shown := tickback.Frame(0); ; {
		wait, over, err := m.Turn()
		if over || err != nil {
			return err
		}
		if ctx.Err() != nil {
			return console.ErrInterrupted
		}
		if f := m.Frames(); f > shown {
			l.progress(int64(f - shown))
			shown = f
		}
		l.draw(m)
		l.Troubles.Tell(l.Say)
		if m.Frames() == 0 { // once frames have run, a machine with another token cannot be one of the players
			if err := l.Troubles.Final(); err != nil {
				return err
			}
		}
		m.Rest(min(wait, longestWait))
	}
}
