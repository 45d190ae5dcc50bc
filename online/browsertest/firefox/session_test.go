//go:build !js

package firefox

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// fake serves a browser that answers commands by their method, and closes the connection at an unknown
// one.
func fake(t *testing.T, answers map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer conn.CloseNow()
		for {
			var c command
			if wsjson.Read(r.Context(), conn, &c) != nil || answers[c.Method] == "" {
				return
			}
			_ = wsjson.Write(r.Context(), conn, map[string]any{
				"type": "event", "method": "log.entryAdded",
				"params": map[string]any{"level": "error", "text": c.Method, "source": map[string]string{"context": "7"}},
			})
			text := strings.Replace(answers[c.Method], "ID", string(rune('0'+c.ID)), 1)
			_ = conn.Write(r.Context(), websocket.MessageText, []byte(text))
		}
	}))
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

// Answers reach their callers, errors have the browser's text, and the end of the browser ends all
// waiting calls.
func TestCommandsOfASession(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	ok := `{"type":"success","id":ID,"result":{}}`
	var all pages
	console := all.add("7")
	s, err := dial(ctx, fake(t, map[string]string{
		"session.new": ok, "session.subscribe": ok,
		"number": `{"type":"success","id":ID,"result":{"value":5}}`,
		"wrong":  `{"type":"error","id":ID,"error":"no such frame","message":"there is none"}`,
	}), all.tell)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	var five struct{ Value int }
	if err := s.do(ctx, "number", struct{}{}, &five); err != nil || five.Value != 5 {
		t.Errorf("%v, %v", five, err)
	}
	if err := s.do(ctx, "wrong", struct{}{}, nil); err == nil || !strings.Contains(err.Error(), "wrong: no such frame: there is none") {
		t.Error(err)
	}
	if len(console.Complaints()) != 4 || console.Complaints()[3] != "wrong" {
		t.Errorf("the page has said %q", console.Complaints())
	}
	if err := s.do(ctx, "unknown", struct{}{}, nil); err == nil {
		t.Error("an answer of one that hangs up")
	}
	if err := s.do(ctx, "number", struct{}{}, nil); err == nil || s.err() == nil {
		t.Errorf("after the end: %v, %v", err, s.err())
	}
}

// Messages of other pages, and messages that are not errors, are no complaints.
func TestWhatIsAComplaint(t *testing.T) {
	var all pages
	p := &Page{Console: all.add("7")}
	for _, c := range []struct{ method, params string }{
		{"log.entryAdded", `{"level":"info","text":"info","source":{"context":"7"}}`},
		{"log.entryAdded", `{"level":"error","text":"another's","source":{"context":"8"}}`},
		{"log.entryAdded", `{"level":"error","text":"expected 1","source":{"context":"7"}}`},
		{"log.entryAdded", `7`},
		{"browsingContext.load", `{"level":"error","text":"no entry","source":{"context":"7"}}`},
	} {
		all.tell(c.method, json.RawMessage(c.params))
	}
	p.Forgive("expected")
	if c := p.Complaints(); len(c) != 0 {
		t.Errorf("%q", c)
	}
	all.tell("log.entryAdded", json.RawMessage(`{"level":"error","text":"worse","source":{"context":"7"}}`))
	if c := p.Complaints(); len(c) != 1 || c[0] != "worse" {
		t.Errorf("%q", c)
	}
}
