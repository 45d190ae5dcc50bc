//go:build !js

package firefox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/coder/websocket"
)

// maxMessage is the maximum size in bytes of a message from the browser: a picture of a large window takes some
// megabytes.
const maxMessage = 64 << 20

// session is a connection to a browser by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi): commands, whose
// answers have the command's number, and events.
type session struct {
	conn    *websocket.Conn
	events  func(method string, params json.RawMessage)
	mu      sync.Mutex
	last    int
	waiting map[int]chan<- reply
	ended   error // the reason why the session has ended
}

// command is a command for the browser.
type command struct {
	ID     int    `json:"id"`
	Method string `json:"method"`
	Params any    `json:"params"`
}

// reply is a message from the browser: the answer to a command, an error, or an event.
type reply struct {
	Type    string          `json:"type"`
	ID      int             `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// dial connects to a browser, and begins a session. events is called for one event after another, on a separate
// goroutine.
func dial(ctx context.Context, address string, events func(method string, params json.RawMessage)) (*session, error) {
	conn, response, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	if response.Body != nil {
		_ = response.Body.Close() // the connection has taken over the body
	}
	conn.SetReadLimit(maxMessage)
	s := &session{conn: conn, events: events, waiting: make(map[int]chan<- reply)}
	go s.read()
	err = s.do(ctx, "session.new", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"unhandledPromptBehavior": map[string]string{"default": "accept"},
	}}}, nil)
	if err == nil {
		err = s.do(ctx, "session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// read handles messages of the browser until the connection ends.
func (s *session) read() {
	for {
		_, text, err := s.conn.Read(context.Background())
		var r reply
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil {
			s.end(err)
			return
		}
		if r.Type == "event" {
			s.events(r.Method, r.Params)
			continue
		}
		s.mu.Lock()
		if to := s.waiting[r.ID]; to != nil {
			delete(s.waiting, r.ID)
			to <- r // never blocks, as there is room for one
		}
		s.mu.Unlock()
	}
}

// end wakes all goroutines that wait for an answer.
func (s *session) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = fmt.Errorf("the connection to the browser has ended: %w", err)
	for id, to := range s.waiting {
		delete(s.waiting, id)
		close(to)
	}
}

// do sends a command, waits for its answer, and stores that in result, unless result is nil.
func (s *session) do(ctx context.Context, method string, params, result any) error {
	answer := make(chan reply, 1)
	s.mu.Lock()
	if s.ended != nil {
		defer s.mu.Unlock()
		return s.ended
	}
	s.last++
	id := s.last
	s.waiting[id] = answer
	s.mu.Unlock()
	text, err := json.Marshal(command{id, method, params})
	if err != nil {
		return err
	}
	if err := s.conn.Write(ctx, websocket.MessageText, text); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case r, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: %w", method, s.ended)
		case r.Error != "":
			return fmt.Errorf("%s: %s: %w", method, r.Error, errors.New(r.Message))
		case result == nil:
			return nil
		}
		return json.Unmarshal(r.Result, result)
	}
}

// err returns the reason why the session has ended, or nil if it has not.
func (s *session) err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

func (s *session) close() { _ = s.conn.CloseNow() } // an error does not matter, as the browser ends the session in any case
