package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// over is a session that has ended with an error.
type over struct{ err error }

func (o over) Err() error                                    { return o.err }
func (over) Stats(links []session.LinkStats) session.Stats   { return session.Stats{Links: links} }
func (over) Outcome() (o session.Outcome, ended bool)        { return o, false }
func (over) Proposal() (p session.Parameters, number uint32) { return p, 0 }

// logged returns the record of an event, or nil.
func logged(t *testing.T, least slog.Level, e session.Event, err error) (r map[string]any) {
	t.Helper()
	var b bytes.Buffer
	l := New(slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: least})))
	l.Begin(over{err}, 2)
	if l.Event(e); b.Len() == 0 {
		return nil
	}
	if err := json.Unmarshal(b.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// Rule: the level of an event says whether something is wrong. A session that was closed, or
// whose peers have left, has ended well; one without a peer that was lost has not, but the loss
// has been logged as an error already.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		e    session.Event
		err  error
		want slog.Level
	}{
		{session.Event{What: session.Connected}, nil, slog.LevelInfo},
		{session.Event{What: session.Silent}, nil, slog.LevelWarn},
		{session.Event{What: session.Restarted}, nil, slog.LevelWarn},
		{session.Event{What: session.Dropped, Players: 2}, nil, slog.LevelWarn},
		{session.Event{What: session.Lost, Players: 2}, nil, slog.LevelError},
		{session.Event{What: session.Lost, Text: "a host"}, nil, slog.LevelWarn},
		{session.Event{What: session.Desync}, nil, slog.LevelError},
		{session.Event{What: session.Closed}, session.ErrClosed, slog.LevelInfo},
		{session.Event{What: session.Closed}, spectate.ErrEnd, slog.LevelInfo},
		{session.Event{What: session.Closed}, &session.LostError{Left: true}, slog.LevelInfo},
		{session.Event{What: session.Closed}, &session.LostError{}, slog.LevelWarn},
		{session.Event{What: session.Closed}, errors.New("the network is gone"), slog.LevelError},
	} {
		if r := logged(t, slog.LevelDebug, c.e, c.err); r["level"] != c.want.String() || r["msg"] != c.e.What.String() {
			t.Errorf("%v, %v: %v, want %v", c.e, c.err, r, c.want)
		}
	}
}

// Rule: the content of messages is not logged, and that there are some only when debugging.
func TestTheContentOfMessagesIsNotLogged(t *testing.T) {
	e := session.Event{What: session.Message, Players: rollback.SetOf(0, 1), Data: []byte("secret")}
	r := logged(t, slog.LevelDebug, e, nil)
	if text, _ := json.Marshal(r); r["bytes"] != 6.0 || len(r["players"].([]any)) != 2 || strings.Contains(string(text), "secret") {
		t.Errorf("%v", r)
	}
	if r := logged(t, slog.LevelInfo, e, nil); r != nil {
		t.Errorf("not when debugging: %v", r)
	}
}

// Rule: the match has its summary when a server was started again, since the client plays another one from there on;
// a peer that was started again ends nothing by itself.
func TestARestartedServerEndsTheMatchInTheLog(t *testing.T) {
	for _, c := range []struct {
		players   rollback.PlayerSet
		summaries int
	}{{0, 1}, {2, 0}} {
		var b bytes.Buffer
		l := New(slog.New(slog.NewJSONHandler(&b, nil)))
		l.Begin(over{}, 2)
		l.Event(session.Event{What: session.Started})
		l.Event(session.Event{What: session.Restarted, Players: c.players})
		if n := strings.Count(b.String(), `"msg":"summary"`); n != c.summaries {
			t.Errorf("players %v: %d summaries", c.players, n)
		}
		if l.Event(session.Event{What: session.Closed}); strings.Count(b.String(), `"msg":"summary"`) != 1 {
			t.Errorf("players %v, at the end: %s", c.players, b.String())
		}
	}
}
