package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/tickback/tickback/online/rooms"
)

// Server is a web server for a game. Make it with [New].
type Server struct {
	cfg     Config
	rooms   *rooms.Server
	metrics *metrics
	handler http.Handler
	ending  atomic.Bool
}

// New makes a server. Run it with Serve, or close it with Close.
func New(cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Policy == "" {
		cfg.Policy = DefaultPolicy
	}
	if cfg.Rooms.Log == nil {
		cfg.Rooms.Log = cfg.Log
	}
	if cfg.Rooms.Address == nil && cfg.TrustProxy {
		cfg.Rooms.Address = forwarded
	}
	r, err := rooms.NewServer(cfg.Rooms)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, rooms: r, metrics: newMetrics(r)}
	mux := http.NewServeMux()
	mux.Handle("/rooms", r)
	mux.HandleFunc("GET /healthz", s.health)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	if cfg.Files != nil {
		mux.Handle("/", newFiles(cfg.Files, cfg.Log))
	}
	s.handler = s.watched(mux)
	return s, nil
}

// forwarded is the address that the proxy before us has seen.
func forwarded(r *http.Request) string {
	list := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if last := strings.TrimSpace(list[strings.LastIndexByte(list, ',')+1:]); last != "" {
		return last
	}
	return r.RemoteAddr
}

// Handler returns all that the server answers.
func (s *Server) Handler() http.Handler { return s.handler }

// Rooms returns the server of the rooms.
func (s *Server) Rooms() *rooms.Server { return s.rooms }

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if s.ending.Load() {
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ok\n"))
}

// watched adds the headers that keep other pages out of ours, and counts.
func (s *Server) watched(next http.Handler) http.Handler {
	fixed := map[string]string{
		"Content-Security-Policy":      s.cfg.Policy,
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy":           "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range fixed {
			w.Header().Set(name, value)
		}
		if s.trustworthy(r) {
			w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		counted := &counter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(counted, r)
		s.metrics.served(counted.status, counted.bytes)
	})
}

// trustworthy reports whether a browser may take the page for one that nobody on the way
// has changed: over TLS, which a proxy has, or from this machine. With any other a header
// that needs it is only a complaint in the browser's console.
func (s *Server) trustworthy(r *http.Request) bool {
	host := (&url.URL{Host: r.Host}).Hostname()
	ip, err := netip.ParseAddr(host)
	return s.cfg.TrustProxy || r.TLS != nil || host == "localhost" || err == nil && ip.IsLoopback()
}

// Times of the server.
const (
	headerTime   = 10 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = 10 * time.Second
	maxHeader    = 32 << 10
)

// Serve serves until ctx ends; then it tells the members of all rooms, waits for what is
// under way, some seconds at most, and returns nil. It closes the listener, and the
// server is of no use afterwards.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	web := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(l) }()
	s.cfg.Log.Info("serving", "address", l.Addr().String())
	err := error(nil)
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if e := s.Close(closing); e != nil {
		s.cfg.Log.Warn("members were cut off", "error", e)
	}
	if e := web.Shutdown(closing); e != nil {
		_ = web.Close() // the error says already that they were not done in time
	}
	s.cfg.Log.Info("ended")
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close ends the rooms: all members are told, and have until ctx ends to go.
func (s *Server) Close(ctx context.Context) error {
	s.ending.Store(true)
	return s.rooms.Close(ctx)
}
