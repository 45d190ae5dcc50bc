package tickback

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
)

// eventLog writes events to Options.Log: one record for each event, whose message is the
// event's kind, and records about the match at its end.
type eventLog struct {
	to      *slog.Logger
	session observed
	links   []LinkStats
	players int  // of the match
	playing bool // a match has begun, and its end was not logged
}

// level returns the level of an event.
func level(e Event, over error) slog.Level {
	switch e.What {
	case Lost:
		if e.Players == 0 {
			return slog.LevelWarn // of a host: without another one, Closed follows
		}
		return slog.LevelError
	case Desync:
		return slog.LevelError
	case Waiting, Silent, Refused, Dropped, Revoked, Frozen, Warning:
		return slog.LevelWarn
	case Message:
		return slog.LevelDebug
	case Closed:
		return closedLevel(over)
	}
	return slog.LevelInfo
}

// closedLevel returns the level of the end of a session. It is Info if this machine left, or
// the others did after the match; a loss has been logged already.
func closedLevel(err error) slog.Level {
	var lost *LostError
	switch {
	case err == nil || errors.Is(err, ErrClosed) || errors.Is(err, ErrEnd):
		return slog.LevelInfo
	case errors.As(err, &lost):
		if lost.Left {
			return slog.LevelInfo
		}
		return slog.LevelWarn
	}
	return slog.LevelError
}

// event writes the record of an event.
func (l *eventLog) event(e Event) {
	level := level(e, l.session.Err())
	if l.to.Enabled(context.Background(), level) {
		list := append(make([]slog.Attr, 0, 12), attributes(e)...)
		if e.What == Started {
			list = l.parameters(list)
		}
		l.to.LogAttrs(context.Background(), level, e.What.String(), list...)
	}
	switch e.What {
	case Started:
		l.playing = true
	case Ended, Closed:
		if l.playing {
			l.playing = false
			l.summary(e.What == Ended)
		}
	}
}

// attributes are the fields of an event. The content of a message belongs to the application,
// and is not logged.
func attributes(e Event) (list []slog.Attr) {
	if e.Players != 0 {
		list = append(list, slog.Any("players", numbers(e.Players)))
	}
	if e.Match != 0 {
		list = append(list, slog.Uint64("match", uint64(e.Match)))
	}
	switch e.What {
	case Left, Lost, Dropped, Joined, Paused, Unpaused, Desync, Live, Warning, Recorded, Ended:
		list = append(list, slog.Uint64("frame", uint64(e.Frame)))
	case Message, Reported:
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

// checksum is a checksum of states as people compare it: 16 hexadecimal digits.
func checksum(v uint64) string { return fmt.Sprintf("%016x", v) }

// numbers lists players for a record: [0 2], in JSON [0,2].
func numbers(set PlayerSet) (list []int) {
	for p := range set.All() {
		list = append(list, int(p))
	}
	return list
}

// parameters adds those of the match that begins.
func (l *eventLog) parameters(list []slog.Attr) []slog.Attr {
	p, _ := l.session.Proposal()
	s := l.stats()
	return append(list,
		slog.Uint64("seed", p.Seed), slog.Uint64("frames", uint64(p.Frames)), slog.Int("peers", len(s.Links)),
		slog.Int("window", s.Window), slog.Duration("period", s.Nominal))
}

func (l *eventLog) stats() Stats {
	s := l.session.Stats(l.links[:0])
	l.links = s.Links
	return s
}

// summary writes one record about the match, and one for each peer.
func (l *eventLog) summary(ended bool) {
	ctx := context.Background()
	if !l.to.Enabled(ctx, slog.LevelInfo) {
		return
	}
	s := l.stats()
	list := []slog.Attr{
		slog.Uint64("match", uint64(s.Match)), slog.Bool("ended", ended), slog.String("health", s.Health.String()),
		slog.Uint64("agreed", uint64(s.Agreed)), slog.Duration("played", s.Uptime), slog.Any("delay", s.Delay[:l.players]),
		slog.Uint64("stalls", s.Stalls), slog.Duration("stalled", s.Stalled),
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
			slog.Duration("round_trip", k.RoundTrip), slog.Duration("deviation", k.Deviation), slog.Duration("jitter", k.Jitter),
			slog.Uint64("sent", k.Sent), slog.Uint64("received", k.Received), slog.Uint64("lost", k.Lost),
			slog.Uint64("duplicates", k.Duplicates), slog.Uint64("rejected", k.Rejected), slog.Uint64("resent", k.ControlResent))
	}
}
