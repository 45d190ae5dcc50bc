package detlint

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// progress shows at a terminal how far a long run has come, on a line that is rewritten.
type progress struct {
	out   io.Writer
	now   func() time.Time
	began time.Time

	mu    sync.Mutex
	text  string // what is being done
	said  time.Time
	shown bool
	stop  chan struct{}
}

// A run shorter than quiet shows nothing; a longer one updates the line at this interval.
const (
	quiet = time.Second
	often = 100 * time.Millisecond
)

// newProgress returns a progress for an output that is a terminal, and nil for any other.
func newProgress(out io.Writer) *progress {
	f, ok := out.(*os.File)
	if !ok {
		return nil
	}
	if s, err := f.Stat(); err != nil || s.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	p := &progress{out: out, now: time.Now, began: time.Now(), stop: make(chan struct{})}
	go p.repeat(p.stop)
	return p
}

// repeat redraws the line from time to time: listing packages is reported once, and may take long.
func (p *progress) repeat(stop chan struct{}) {
	tick := time.NewTicker(quiet / 2)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			p.show()
		}
	}
}

// tell sets what is being done. It may be called by several goroutines.
func (p *progress) tell(what string, done, all int) {
	if p == nil {
		return
	}
	text := what
	if all > 0 {
		text += fmt.Sprintf(": %d of %d", done, all)
	}
	p.mu.Lock()
	p.text = text
	p.mu.Unlock()
	p.show()
}

// show writes the line, if it is time for an update.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.text == "" || now.Sub(p.began) < quiet || now.Sub(p.said) < often {
		return
	}
	p.said, p.shown = now, true
	fmt.Fprintf(p.out, "\r\x1b[Kdetlint: %s, %.0f s", p.text, now.Sub(p.began).Seconds())
}

// end removes the line.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text = ""; p.stop != nil {
		close(p.stop)
		p.stop = nil
	}
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}
