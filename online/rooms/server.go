//go:build !js

package rooms

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/tickback/tickback/session/shares"
)

// Server keeps rooms, and is the http.Handler that WebSockets connect to. Its methods may be called by several
// goroutines at once. Make one with [NewServer].
type Server struct {
	cfg Config

	mu       sync.Mutex
	hub      *hub
	conns    map[*conn]struct{} // all connections that were admitted
	entering []*conn            // connections that are in no room yet, the oldest first
	held     tally              // the number of connections, by wide prefix
	number   uint64             // the number of the newest connection
	all      struct{ connects, messages bucket }
	closed   bool

	waiting atomic.Int64 // bytes queued for all clients together

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
	s.held.share = s.hub.budget.connectionShare
	s.running.Go(s.sweep)
	return s, nil
}

// sweep ends everything that has reached its time limit. It checks often enough for every limit.
func (s *Server) sweep() {
	ticker := time.NewTicker(min(max(min(s.cfg.Grace, s.cfg.Vacancy, s.cfg.MaxAge, s.cfg.MaxIdle, s.cfg.TURNLifetime)/8, 5*time.Millisecond), 5*time.Second))
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

// ServeHTTP accepts a WebSocket, and serves it until it ends. A page that reaches the server by another name than
// those of Config.Hosts is refused, and so is one of another origin unless Config.Origins names it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := s.admits(r); err != nil {
		s.mu.Lock()
		s.hub.stats.Limited[limitHost]++
		s.mu.Unlock()
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	c, err := s.arrive(addressOf(s.cfg.Address(r)))
	if err != nil {
		status := http.StatusTooManyRequests
		if codeOf(err) != codeOf(ErrRate) {
			status = http.StatusServiceUnavailable
		}
		http.Error(w, err.Error(), status)
		return
	}
	defer s.running.Done()
	defer s.depart(c)
	// A client that does not even read the answer must not keep its place. Later messages have time limits of their
	// own.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.cfg.EntryTimeout)) // some writers do not support deadlines
	socket, err := websocket.Accept(throttler{w, s.cfg.Now}, r, &websocket.AcceptOptions{
		Subprotocols: []string{Subprotocol}, InsecureSkipVerify: true, // admits has already checked the origin
		CompressionMode: websocket.CompressionDisabled, OnPingReceived: c.pinged, OnPongReceived: c.ponged,
	})
	if err != nil { // Accept has already written the answer
		s.cfg.Log.Info("connection refused", "error", err.Error())
		return
	}
	defer socket.CloseNow()
	if socket.Subprotocol() != Subprotocol {
		_ = socket.Close(websocket.StatusPolicyViolation, "the subprotocol must be "+Subprotocol)
		return
	}
	socket.SetReadLimit(MaxMessage)
	c.serve(socket)
}

// arrive admits a connection, or refuses it. After an admission the caller must call depart, and running.Done.
func (s *Server) arrive(from shares.Origin) (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := error(nil)
	if s.closed {
		err = &Error{ErrShutdown, ""}
	} else {
		err = s.admit(from, s.cfg.Now())
	}
	if err != nil {
		s.refused(err)
		return nil, err
	}
	s.number++
	c := newConn(s, from, s.number)
	s.conns[c] = struct{}{}
	s.entering = append(s.entering, c)
	c.near.connections++
	s.held.add(&c.wide.connections)
	s.running.Add(1)
	return c, nil
}

// admit makes a place for a connection, or returns the reason why there is none.
func (s *Server) admit(from shares.Origin, now time.Time) error {
	h, b := s.hub, &s.hub.budget
	if h.visitors.crowded(b) {
		h.visitors.sweep(b, now)
	}
	near, wide := h.visitors.of(from)
	near.connects.refill(b.nearConnects, now)
	wide.connects.refill(b.wideConnects, now)
	s.all.connects.refill(b.connects, now)
	// A client that has used half of its own limit is admitted only while less than half of the common limit is used,
	// so that frequent clients leave capacity for the others.
	own := max(near.connects.used/b.nearConnects.burst, wide.connects.used/b.wideConnects.burst)
	others := s.all.connects.used - wide.connects.used
	taken := s.all.connects.used+1 > b.connects.burst || others+1 > b.connects.burst*(1-own)
	able := near.connects.used+1 <= b.nearConnects.burst && wide.connects.used+1 <= b.wideConnects.burst
	switch {
	case near.connections >= s.cfg.PerAddress:
		return h.limited(limitConnections, ErrRate, "more than %d connections from one address", s.cfg.PerAddress)
	case wide.connections >= b.wideConnections:
		return h.limited(limitConnections, ErrRate, "more than %d connections from neighbouring addresses", b.wideConnections)
	case able && taken: // without charging the client's own budget
		return h.limited(limitAllConnects, ErrServerFull, "too many connections at once")
	case !near.connects.take(1, b.nearConnects, now):
		return h.limited(limitConnects, ErrRate, "more than %d connections a minute from one address", s.cfg.ConnectsPerMinute)
	case !wide.connects.take(1, b.wideConnects, now):
		return h.limited(limitConnects, ErrRate, "more than %.0f connections a minute from neighbouring addresses", b.wideConnects.burst)
	case len(s.conns) >= s.cfg.MaxConnections && !s.makePlace(from, now):
		return h.limited(limitAllConnections, ErrServerFull, "%d connections", len(s.conns))
	}
	s.all.connects.used++
	if len(s.entering) >= b.entering {
		s.release(s.entering[0])
	}
	return nil
}

// makePlace ends a connection to make a place for another one. It chooses the oldest connection that has sent nothing
// for a while, or one of the prefix that has most connections.
func (s *Server) makePlace(from shares.Origin, now time.Time) bool {
	if len(s.entering) > 0 && now.Sub(s.entering[0].since) >= entryPressed {
		s.release(s.entering[0])
		return true
	}
	if s.held.above == 0 {
		return false
	}
	near, wide := s.hub.visitors.of(from)
	c := shares.Choose(func(yield func(*conn, shares.Holder) bool) {
		for c := range s.conns {
			if !yield(c, shares.Holder{Origin: c.from, Near: c.near.connections, Wide: c.wide.connections, Came: c.number}) {
				return
			}
		}
	}, shares.Holder{Origin: from, Near: near.connections, Wide: wide.connections}, s.held.share, nil)
	if c == nil {
		return false
	}
	s.hub.stats.Displaced++
	s.release(c)
	return true
}

// entryPressed is the time after which a connection that has sent nothing can be displaced when all places are taken:
// a few of the slowest round trips.
const entryPressed = time.Second

// release frees the place of a connection, and hangs up.
func (s *Server) release(c *conn) {
	if c.at.member == nil {
		s.hub.stats.Limited[limitEntry]++
	}
	s.forget(c)
	c.end(encode(errorReply(refuse(ErrServerFull, "the place was needed for others"), true)))
	c.ended = time.AfterFunc(releaseTime, c.cut)
}

// releaseTime is how long a displaced connection may take to close.
const releaseTime = time.Second

// forget stops counting a connection. The lock is held.
func (s *Server) forget(c *conn) {
	if _, there := s.conns[c]; !there {
		return
	}
	delete(s.conns, c)
	s.entered(c)
	c.near.connections--
	s.held.remove(&c.wide.connections)
}

// entered removes a connection from those that are in no room yet.
func (s *Server) entered(c *conn) {
	if i := slices.Index(s.entering, c); i >= 0 {
		s.entering = slices.Delete(s.entering, i, i+1)
	}
}

func (s *Server) depart(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(c)
	c.cut()
	if c.ended != nil {
		c.ended.Stop()
	}
}

// refused counts a refusal. The lock is held.
func (s *Server) refused(err error) {
	s.hub.stats.Refused[codeOf(err)]++
	s.cfg.Log.Info("refused", "reason", codeOf(err))
}

// Close informs all members that the server shuts down, and waits until they have left, or until ctx ends, when the
// remaining ones are disconnected. When it returns, nothing of the server is running. New connections are refused as
// soon as it is called.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.stop)
		s.hub.end(&Error{ErrShutdown, ""})
		last := encode(errorReply(&Error{ErrShutdown, ""}, true))
		for c := range s.conns {
			c.end(last) // connections that are in no room yet
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
		c.cut()
	}
	s.mu.Unlock()
	<-done
	return context.Cause(ctx)
}
