package console

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressDelay keeps short work quiet.
const progressDelay = 400 * time.Millisecond

// Progress is a bar on stderr. It appears only on a terminal, and only once the
// work has taken a while.
type Progress struct {
	out      io.Writer // nil: not a terminal
	unit     string
	total    int64
	done     int64
	deadline time.Time // when the bar appears
	bar      *progressbar.ProgressBar
}

// NewProgress starts to count towards total; a negative total is unknown.
func NewProgress(stderr io.Writer, total int64, unit string) *Progress {
	p := &Progress{unit: unit, total: total, deadline: time.Now().Add(progressDelay)}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.out = f
	}
	return p
}

// Visible reports whether there is a terminal to show it.
func (p *Progress) Visible() bool { return p.out != nil }

// Mute keeps it from being shown.
func (p *Progress) Mute() { p.out = nil }

// Add counts work done.
func (p *Progress) Add(n int64) {
	p.done += n
	switch {
	case p.bar != nil:
		// The bar cannot draw more than all of it: a file may have grown.
		_ = p.bar.Set64(p.drawable())
	case p.out != nil && time.Now().After(p.deadline):
		p.bar = progressbar.NewOptions64(p.total,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription(p.unit),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionClearOnFinish(),
		)
		_ = p.bar.Set64(p.drawable())
	}
}

func (p *Progress) drawable() int64 {
	if p.total < 0 {
		return p.done
	}
	return min(p.done, p.total)
}

// Hide takes the bar off the screen, so that a line can be printed; the next
// Add brings it back.
func (p *Progress) Hide() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
