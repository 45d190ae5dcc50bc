package terminal

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"golang.org/x/term"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

const (
	// redrawEvery is the interval at which a match is drawn. Terminals do not display more frequent updates well.
	redrawEvery = 33 * time.Millisecond
	// messageLines is how many lines about events are shown below the picture.
	messageLines = 5
)

// Escape sequences that every terminal of recent decades supports.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l" // the alternate screen, no cursor
	leaveScreen = "\x1b[?25h\x1b[?1049l"
	toTop       = "\x1b[H"
	clearRight  = "\x1b[K"
	clearBelow  = "\x1b[J"
)

// Screen is a terminal in which a person plays.
type Screen struct {
	in, out  *os.File
	before   *term.State
	Keys     *Keys
	title    string // the title of the page
	help     string // below the picture
	messages []string
	drawn    time.Time
	closed   bool
}

// Open takes over the terminal. In this mode Ctrl-C is an ordinary key, which calls interrupt.
func Open(a *console.App, title, help string, interrupt context.CancelFunc) (*Screen, error) {
	in, out := a.Stdin.(*os.File), a.Output.(*os.File)
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, console.Failed(fmt.Errorf("cannot use the keyboard: %w", err))
	}
	sc := &Screen{in: in, out: out, before: before, Keys: newKeys(), title: title, help: help}
	out.WriteString(enterScreen)
	go sc.listen(interrupt)
	return sc, nil
}

// listen reads keys until the process ends: a read from a terminal cannot be cancelled.
func (sc *Screen) listen(interrupt context.CancelFunc) {
	buf := make([]byte, 256)
	for {
		n, err := sc.in.Read(buf)
		if err != nil || sc.Keys.press(buf[:n]) {
			interrupt()
			return
		}
	}
}

// Close restores the terminal.
func (sc *Screen) Close() {
	if sc.closed {
		return
	}
	sc.closed = true
	sc.out.WriteString(leaveScreen)
	term.Restore(int(sc.in.Fd()), sc.before)
}

// Say adds a line to those below the picture.
func (sc *Screen) Say(text string) {
	sc.messages = append(sc.messages, text)
	sc.messages = sc.messages[max(len(sc.messages)-messageLines, 0):]
	sc.drawn = time.Time{}
}

// Draw draws the match, unless the last picture is too recent.
func (sc *Screen) Draw(frame tickback.Frame, picture func() []string) {
	now := time.Now()
	if now.Sub(sc.drawn) < redrawEvery {
		return
	}
	sc.drawn = now
	lines := []string{fmt.Sprintf("%s   frame %d", sc.title, frame)}
	lines = append(lines, picture()...)
	lines = append(lines, sc.help)
	lines = append(lines, sc.messages...)
	width, height, err := term.GetSize(int(sc.out.Fd()))
	if err != nil {
		width, height = 80, 24
	}
	sc.out.WriteString(toTop + page(lines, width, height) + clearBelow)
}

// page cuts lines to the size of a screen: longer ones would scroll it.
func page(lines []string, width, height int) string {
	var b strings.Builder
	for i, line := range lines[:max(min(len(lines), height), 0)] {
		if i > 0 {
			b.WriteString("\r\n")
		}
		text := []rune(line)
		b.WriteString(string(text[:max(min(len(text), width), 0)]) + clearRight)
	}
	return b.String()
}
