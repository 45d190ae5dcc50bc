package cli

import (
	"context"
	"time"

	"github.com/tickback/tickback"
)

// running is a match that is played or watched.
type running interface {
	// turn does what is due, and reports whether the match is over. An error is
	// final.
	turn() (wait time.Duration, over bool, err error)
	// rest waits for so long, or until something arrives that it waits for.
	rest(d time.Duration)
	// frames returns how many frames have run.
	frames() tickback.Frame
	// picture draws the present state as lines of text.
	picture() []string
	// leave tells the others, and frees everything.
	leave() error
}

// longestWait bounds how long the loop does not look whether it is interrupted.
const longestWait = 50 * time.Millisecond

// loop runs the match until it is over.
func (l *matchLog) loop(ctx context.Context, m running) error {
	for shown := tickback.Frame(0); ; {
		wait, over, err := m.turn()
		if over || err != nil {
			return err
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		if f := m.frames(); f > shown {
			l.progress(int64(f - shown))
			shown = f
		}
		l.draw(m)
		l.troubles.tell(l.say)
		m.rest(min(wait, longestWait))
	}
}
