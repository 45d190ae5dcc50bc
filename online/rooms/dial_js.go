package rooms

import (
	"context"
	"errors"
	"sync"
	"syscall/js"
)

// socket is a WebSocket for texts: the browser's own. A library that hides it from Go pulls in net/http, which is
// half a megabyte of the page, compressed.
type socket = *browserSocket

// maxUnread is the maximum number of messages that have arrived and have not been read. Their number only grows while
// the page is suspended, so slowing down the server would not help.
const maxUnread = 4096

type browserSocket struct {
	ws        js.Value
	callbacks []js.Func
	wake      chan struct{}

	mu     sync.Mutex
	unread []string
	open   bool
	ended  error
	freed  bool
}

// dial opens a WebSocket.
func dial(ctx context.Context, url string) (_ socket, err error) {
	defer func() {
		if r := recover(); r != nil { // the constructor throws for an invalid URL
			err = refuse(ErrUnreachable, "the browser refuses to connect to %s", url)
		}
	}()
	s := &browserSocket{wake: make(chan struct{}, 1)}
	s.ws = js.Global().Get("WebSocket").New(url, Subprotocol)
	s.on("open", func(js.Value) { s.did(func() { s.open = true }) })
	s.on("message", s.arrived)
	s.on("close", func(js.Value) { s.end(errors.New("the connection has ended")) })
	for {
		s.mu.Lock()
		open, ended := s.open, s.ended
		s.mu.Unlock()
		switch {
		case open:
			return s, nil
		case ended != nil:
			s.close()
			return nil, refuse(ErrUnreachable, "no connection to %s", url)
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			s.close()
			return nil, refuse(ErrUnreachable, "no connection to %s in time", url)
		}
	}
}

func (s *browserSocket) on(event string, f func(js.Value)) {
	callback := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	s.callbacks = append(s.callbacks, callback)
	s.ws.Call("addEventListener", event, callback)
}

// did makes a change, and wakes the goroutines that wait for one.
func (s *browserSocket) did(change func()) {
	s.mu.Lock()
	change()
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *browserSocket) end(err error) {
	s.did(func() {
		if s.ended == nil {
			s.ended = err
		}
	})
}

func (s *browserSocket) arrived(event js.Value) {
	data := event.Get("data")
	if data.Type() != js.TypeString {
		s.end(refuse(ErrBadMessage, "no text"))
		return
	}
	text := data.String() // the receiver checks its length
	s.did(func() {
		if len(s.unread) < maxUnread {
			s.unread = append(s.unread, text)
		}
	})
}

func (s *browserSocket) read(ctx context.Context) ([]byte, error) {
	for {
		s.mu.Lock()
		if len(s.unread) > 0 {
			text := s.unread[0]
			s.unread = s.unread[1:]
			s.mu.Unlock()
			return []byte(text), nil
		}
		ended := s.ended
		s.mu.Unlock()
		if ended != nil {
			return nil, ended
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *browserSocket) write(_ context.Context, b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return s.ended
	}
	s.ws.Call("send", string(b)) // the browser queues it; it throws an exception only before the socket is open
	return nil
}

// close ends the connection, and releases the callbacks that the browser holds.
func (s *browserSocket) close() {
	s.end(errors.New("the connection was closed"))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.freed {
		return
	}
	s.freed = true
	for i, name := range []string{"open", "message", "close"} {
		s.ws.Call("removeEventListener", name, s.callbacks[i])
		s.callbacks[i].Release()
	}
	s.ws.Call("close")
}
