package live

import (
	"context"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// Running is a match that is played or watched.
type Running interface {
	// Turn does what is due, and reports whether the match is over. An error is
	// final.
	Turn() (wait time.Duration, over bool, err error)
	// Rest waits for so long, or until something arrives that it waits for.
	Rest(d time.Duration)
	// Frames returns how many frames have run.
	Frames() tickback.Frame
	// Picture draws the present state as lines of text.
	Picture() []string
	// Leave tells the others, and frees everything.
	Leave() error
}

// longestWait bounds how long the loop does not look whether it is interrupted.
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
		if m.Frames() == 0 { // later, whoever comes with another token is not one of those who play
			if err := l.Troubles.Final(); err != nil {
				return err
			}
		}
		m.Rest(min(wait, longestWait))
	}
}
