//go:build !js

package rooms

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Server keeps rooms, and is the http.Handler that WebSockets connect to. Its methods
// may be called by several goroutines at once. Make it with [NewServer].
type Server struct {
	cfg Config

	mu     sync.Mutex
	hub    *hub
	conns  map[*conn]struct{} // those that speak the protocol
	open   int                // all connections
	closed bool

	stop    chan struct{} // closed when Close begins
	running sync.WaitGroup
}

// NewServer makes a server without rooms. Close it.
func NewServer(cfg Config) (*Server, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, conns: map[*conn]struct{}{}, stop: make(chan struct{})}
	s.hub = newHub(&s.cfg)
	s.running.Go(s.sweep)
	return s, nil
}

// sweep looks for what has lasted too long, often enough for every limit.
func (s *Server) sweep() {
	ticker := time.NewTicker(min(max(min(s.cfg.Grace, s.cfg.MaxAge, s.cfg.MaxIdle)/8, 5*time.Millisecond), 5*time.Second))
	defer ticker.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-ticker.C:
			s.mu.Lock()
			s.hub.sweep(s.cfg.Now())
			s.mu.Unlock()
		}
	}
}

// ServeHTTP takes a WebSocket, and serves it until it ends. A page of another origin
// than the request's host is refused, unless Config.Origins names it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	from := addressOf(s.cfg.Address(r))
	if err := s.arrive(from); err != nil {
		status := http.StatusTooManyRequests
		if codeOf(err) != codeOf(ErrRate) {
			status = http.StatusServiceUnavailable
		}
		http.Error(w, err.Error(), status)
		return
	}
	defer s.running.Done()
	defer s.depart(from)
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: []string{Subprotocol}, OriginPatterns: s.cfg.Origins, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil { // the answer is written
		s.cfg.Log.Info("connection refused", "error", err.Error())
		return
	}
	defer socket.CloseNow()
	if socket.Subprotocol() != Subprotocol {
		_ = socket.Close(websocket.StatusPolicyViolation, "the subprotocol must be "+Subprotocol)
		return
	}
	socket.SetReadLimit(MaxMessage)
	newConn(s, socket, from).serve()
}

// arrive counts a connection, or refuses it. Who is let in has to call depart, and
// running.Done.
func (s *Server) arrive(from netip.Prefix) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := error(nil)
	switch {
	case s.closed:
		err = &Error{ErrShutdown, ""}
	case s.open >= s.cfg.MaxConnections:
		err = refuse(ErrServerFull, "%d connections", s.open)
	default:
		err = s.hub.visitors.come(from, &s.cfg, s.cfg.Now())
	}
	if err != nil {
		s.refused(err)
		return err
	}
	s.open++
	s.running.Add(1)
	return nil
}

func (s *Server) depart(from netip.Prefix) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if v := s.hub.visitors[from]; v != nil {
		v.connections--
	}
}

// refused counts a refusal. The lock is held.
func (s *Server) refused(err error) {
	s.hub.stats.Refused[codeOf(err)]++
	s.cfg.Log.Info("refused", "reason", codeOf(err))
}

// Close tells all members that the server shuts down, and waits until they have been
// told and are gone, or until ctx ends; then they are cut off. Nothing of the server runs
// any more when it returns. New connections are refused from the beginning.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.stop)
		s.hub.end(&Error{ErrShutdown, ""})
		last := encode(errorReply(&Error{ErrShutdown, ""}, true))
		for c := range s.conns {
			c.end(last) // those in no room yet
		}
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	for c := range s.conns {
		_ = c.socket.CloseNow()
	}
	s.mu.Unlock()
	<-done
	return context.Cause(ctx)
}
