package ggpo

import (
	"log"
	"log/slog"
	"os"
	"sync/atomic"
)

// chosen is the logger of sessions that are built from now on.
var chosen atomic.Pointer[log.Logger]

// SetLogger sets the logger of all sessions that are built from now on, unless their [Options] have one. They write
// a line for each event. nil turns that off, which is the default.
func SetLogger(l *log.Logger) { chosen.Store(l) }

// EnableLogs has sessions that are built from now on log to the standard output.
func EnableLogs() { SetLogger(log.New(os.Stdout, "ggpo ", log.LstdFlags|log.Lmsgprefix)) }

// DisableLogs turns off what SetLogger and EnableLogs have turned on.
func DisableLogs() { SetLogger(nil) }

// lines writes records as lines of a logger.
type lines struct{ to *log.Logger }

func (l lines) Write(b []byte) (int, error) {
	l.to.Print(string(b))
	return len(b), nil
}

// logger returns a logger of the options, or else the one that was set, or nil.
func logger(own *slog.Logger) *slog.Logger {
	set := chosen.Load()
	if own != nil || set == nil {
		return own
	}
	return slog.New(slog.NewTextHandler(lines{set}, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{} // the logger writes its own
		}
		return a
	}}))
}
