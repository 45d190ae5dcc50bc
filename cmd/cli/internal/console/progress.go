package console

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressDelay is the time before a bar appears, so that short work shows none.
const progressDelay = 400 * time.Millisecond

// Progress is a bar on stderr. It appears only on a terminal, and only once the work has taken a while.
type Progress struct {
	out      io.Writer // nil if stderr is not a terminal
	unit     string
	total    int64
	done     int64
	deadline time.Time // when the bar appears
	bar      *progressbar.ProgressBar
}

// NewProgress begins a progress bar for the given amount of work; a negative total means that it is unknown.
func NewProgress(stderr io.Writer, total int64, unit string) *Progress {
	p := &Progress{unit: unit, total: total, deadline: time.Now().Add(progressDelay)}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.out = f
	}
	return p
}

// Visible reports whether the bar can be shown, which is the case if stderr is a terminal.
func (p *Progress) Visible() bool { return p.out != nil }

// Mute turns the bar off.
func (p *Progress) Mute() { p.out = nil }

// Add records that more work has been done.
func (p *Progress) Add(n int64) {
	p.done += n
	switch {
	case p.bar != nil:
		// The bar cannot show more than 100 %, but a file may have grown.
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

// Hide removes the bar from the screen, so that a line can be printed; the next Add shows it again.
func (p *Progress) Hide() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
