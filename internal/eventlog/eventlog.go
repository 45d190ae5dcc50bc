// Package eventlog writes the events of a session to a log: one record for each event, whose message is the event's
// kind, and records about the match at its end.
package eventlog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// Session is what the log needs of a session, in addition to its events.
type Session interface {
	Err() error
	Stats(links []session.LinkStats) session.Stats
	Outcome() (session.Outcome, bool)
	Proposal() (session.Parameters, uint32)
}

// Log writes the events of a session.
type Log struct {
	to      *slog.Logger
	session Session
	links   []session.LinkStats
	players int  // the number of players in the match
	playing bool // a match has begun, and its end has not been logged
}

// New returns a log that writes to a logger.
func New(to *slog.Logger) *Log { return &Log{to: to} }

// Begin sets the session whose events follow, and the number of players in its matches.
func (l *Log) Begin(s Session, players int) { l.session, l.players = s, players }

// TraceEnded logs that the session's trace can no longer be written.
func (l *Log) TraceEnded(err error) {
	l.to.LogAttrs(context.Background(), slog.LevelError, "trace ended", slog.Any("error", err))
}

// level returns the level of an event.
func level(e session.Event, over error) slog.Level {
	switch e.What {
	case session.Lost:
		if e.Players == 0 {
			return slog.LevelWarn // about a host: if it is the last one, Closed follows
		}
		return slog.LevelError
	case session.Desync:
		return slog.LevelError
	case session.Waiting, session.Slowed, session.Silent, session.Restarted, session.Refused, session.Dropped, session.Revoked, session.Frozen, session.Warning:
		return slog.LevelWarn
	case session.Message:
		return slog.LevelDebug
	case session.Closed:
		return closedLevel(over)
	}
	return slog.LevelInfo
}

// closedLevel returns the level of the end of a session. It is Info if this machine left, or if the others left after
// the match. A loss is only a warning, since it has already been logged.
func closedLevel(err error) slog.Level {
	var lost *session.LostError
	switch {
	case err == nil || errors.Is(err, session.ErrClosed) || errors.Is(err, spectate.ErrEnd):
		return slog.LevelInfo
	case errors.As(err, &lost):
		if lost.Left {
			return slog.LevelInfo
		}
		return slog.LevelWarn
	}
	return slog.LevelError
}

// Event logs an event.
func (l *Log) Event(e session.Event) {
	level := level(e, l.session.Err())
	if l.to.Enabled(context.Background(), level) {
		list := append(make([]slog.Attr, 0, 12), attributes(e)...)
		if e.What == session.Started {
			list = l.parameters(list)
		}
		l.to.LogAttrs(context.Background(), level, e.What.String(), list...)
	}
	switch e.What {
	case session.Started:
		l.playing = true
	case session.Ended, session.Restarted, session.Closed:
		if l.playing && e.Players == 0 { // the peer was restarted: the match may continue without it
			l.playing = false
			l.summary(e.What == session.Ended)
		}
	}
}

// attributes returns the fields of an event. The content of a message belongs to the application, and is not logged.
func attributes(e session.Event) (list []slog.Attr) {
	if e.Players != 0 {
		list = append(list, slog.Any("players", numbers(e.Players)))
	}
	if e.Match != 0 {
		list = append(list, slog.Uint64("match", uint64(e.Match)))
	}
	switch e.What {
	case session.Left, session.Lost, session.Dropped, session.Joined, session.Paused, session.Unpaused, session.Desync, session.Live, session.Warning, session.Recorded, session.Ended:
		list = append(list, slog.Uint64("frame", uint64(e.Frame)))
	case session.Message, session.Reported:
		list = append(list, slog.Int("bytes", len(e.Data)))
	}
	if e.Ours != e.Theirs {
		list = append(list, slog.String("ours", checksum(e.Ours)), slog.String("theirs", checksum(e.Theirs)))
	}
	if e.For != 0 {
		list = append(list, slog.Duration("for", e.For))
	}
	if e.Text != "" {
		list = append(list, slog.String("text", e.Text))
	}
	return list
}

// checksum formats a checksum of a state for comparison by people: 16 hexadecimal digits.
func checksum(v uint64) string { return fmt.Sprintf("%016x", v) }

// numbers lists players for a record: [0 2], in JSON [0,2].
func numbers(set rollback.PlayerSet) (list []int) {
	for p := range set.All() {
		list = append(list, int(p))
	}
	return list
}

// parameters adds the parameters of the match that begins.
func (l *Log) parameters(list []slog.Attr) []slog.Attr {
	p, _ := l.session.Proposal()
	s := l.stats()
	return append(list,
		slog.Uint64("seed", p.Seed), slog.Uint64("frames", uint64(p.Frames)), slog.Int("peers", len(s.Links)),
		slog.Int("window", s.Window), slog.Duration("period", s.Nominal))
}

func (l *Log) stats() session.Stats {
	s := l.session.Stats(l.links[:0])
	l.links = s.Links
	return s
}

// summary logs one record about the match, and one for each peer.
func (l *Log) summary(ended bool) {
	ctx := context.Background()
	if !l.to.Enabled(ctx, slog.LevelInfo) {
		return
	}
	s := l.stats()
	list := []slog.Attr{
		slog.Uint64("match", uint64(s.Match)), slog.Bool("ended", ended), slog.String("health", s.Health.String()),
		slog.Uint64("agreed", uint64(s.Agreed)), slog.Duration("played", s.Uptime), slog.Any("delay", s.Delay[:l.players]),
		slog.Int("window", s.Window), slog.Uint64("stalls", s.Stalls), slog.Duration("stalled", s.Stalled),
		slog.Uint64("rollbacks", s.Engine.Rollbacks), slog.Uint64("resimulated", s.Engine.Resimulated), slog.Int("deepest", s.Engine.Deepest),
		slog.Uint64("datagrams", s.Datagrams), slog.Uint64("bytes", s.Bytes),
	}
	if o, over := l.session.Outcome(); ended && over {
		list = append(list, slog.String("hash", fmt.Sprintf("%016x", o.Hash)))
		if o.Finished {
			list = append(list, slog.Uint64("result", o.Result))
		}
		if o.Left != 0 {
			list = append(list, slog.Any("left", numbers(o.Left)))
		}
	}
	l.to.LogAttrs(ctx, slog.LevelInfo, "summary", list...)
	for _, k := range s.Links {
		l.to.LogAttrs(ctx, slog.LevelInfo, "link summary",
			slog.Uint64("match", uint64(s.Match)), slog.Any("players", numbers(k.Players)), slog.Bool("connected", k.Connected),
			slog.Duration("waited", k.Waited), slog.Int("path_frames", k.PathFrames),
			slog.Duration("round_trip", k.RoundTrip), slog.Duration("deviation", k.Deviation), slog.Duration("jitter", k.Jitter),
			slog.Uint64("sent", k.Sent), slog.Uint64("received", k.Received), slog.Uint64("lost", k.Lost),
			slog.Uint64("duplicates", k.Duplicates), slog.Uint64("rejected", k.Rejected), slog.Uint64("resent", k.ControlResent))
	}
}
