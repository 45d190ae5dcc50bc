package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/tickback/tickback/online/rooms"
)

// Server is a web server for a game. Make one with [New].
type Server struct {
	cfg     Config
	rooms   *rooms.Server
	metrics *metrics
	handler http.Handler
	secure  *secure // nil without TLS
	door    atomic.Pointer[door]
	ending  atomic.Bool

	misdirected sync.Once
}

// New makes a server. Run it with Serve, or close it with Close.
func New(cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	policy, err := cfg.policy()
	if err != nil {
		return nil, err
	}
	cfg.Policy = policy
	if cfg.Rooms.Log == nil {
		cfg.Rooms.Log = cfg.Log
	}
	if cfg.Rooms.Address == nil && cfg.TrustProxy {
		cfg.Rooms.Address = forwarded
	}
	secure, err := cfg.TLS.open(cfg.Log)
	if err != nil {
		return nil, err
	}
	cfg.Rooms.Hosts = append(slices.Clone(cfg.Rooms.Hosts), machineNames()...)
	if secure != nil {
		cfg.Rooms.MoreHosts = both(cfg.Rooms.MoreHosts, secure.hosts)
	}
	r, err := rooms.NewServer(cfg.Rooms)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, rooms: r, secure: secure}
	s.metrics = newMetrics(s)
	mux := http.NewServeMux()
	mux.Handle("/rooms", r)
	mux.HandleFunc("GET "+healthPath, s.health)
	if cfg.Files != nil {
		mux.Handle("/", newFiles(cfg.Files, cfg.Log, cfg.TrustProxy))
	}
	s.handler = s.watched(mux)
	return s, nil
}

// both returns a function that returns the names from both functions. The first one may be nil.
func both(a, b func() []string) func() []string {
	if a == nil {
		return b
	}
	return func() []string { return slices.Concat(a(), b()) }
}

// forwarded returns the client's address according to the proxy in front of us.
func forwarded(r *http.Request) string {
	list := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if last := strings.TrimSpace(list[strings.LastIndexByte(list, ',')+1:]); last != "" {
		return last
	}
	return r.RemoteAddr
}

// Handler returns the handler for all requests to the server.
func (s *Server) Handler() http.Handler { return s.handler }

// Metrics returns the metrics for Prometheus, for a server of your own. Like everything that the server answers, they
// are only served for the names in Config.Rooms.Hosts, and for numeric addresses.
func (s *Server) Metrics() http.Handler {
	return s.byName(promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
}

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

// watched wraps a handler: it refuses requests for other hosts, adds the headers that isolate the page from others,
// and counts requests.
func (s *Server) watched(next http.Handler) http.Handler {
	fixed := map[string]string{
		"Content-Security-Policy":      s.cfg.Policy,
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy":           "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
	}
	if len(s.cfg.Frames) == 0 {
		fixed["X-Frame-Options"] = "DENY" // for browsers that do not know frame-ancestors
	}
	ours := s.byName(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range fixed {
			w.Header().Set(name, value)
		}
		if s.trustworthy(r) {
			w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		if r.TLS != nil && named(r.Host) {
			w.Header().Set("Strict-Transport-Security", strictly)
		}
		asks(r)
		counted := &counter{ResponseWriter: w, status: http.StatusOK}
		if r.URL.Path == healthPath {
			next.ServeHTTP(counted, r)
		} else {
			ours.ServeHTTP(counted, r)
		}
		s.metrics.served(counted.status, counted.bytes)
	})
}

// byName wraps a handler: it refuses requests for a name that is not one of this server's. Otherwise a page whose
// owner made its name resolve to this server (DNS rebinding) could read the answers.
func (s *Server) byName(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.rooms.AllowsHost(r.Host) {
			next.ServeHTTP(w, r)
			return
		}
		s.metrics.misdirected.Inc()
		s.misdirected.Do(func() { s.cfg.Log.Info("a request for another host is refused, as all more will be", "host", r.Host) })
		http.Error(w, "this server does not answer by this name; its operator has to list its names, by Config.Rooms.Hosts or by --host of the command play", http.StatusMisdirectedRequest)
	})
}

// healthPath is answered for any host name: a load balancer uses whatever address it has.
const healthPath = "/healthz"

// trustworthy reports whether a browser can trust that the page was not changed in transit: over TLS, possibly at a
// proxy, or from this machine. Otherwise a header that requires this would only cause a warning in the browser's
// console.
func (s *Server) trustworthy(r *http.Request) bool {
	host := (&url.URL{Host: r.Host}).Hostname()
	ip, err := netip.ParseAddr(host)
	return s.cfg.TrustProxy || r.TLS != nil || host == "localhost" || err == nil && ip.IsLoopback()
}

// Serve serves until ctx ends. Then it informs the members of all rooms, waits 10 seconds at most for them and for
// requests in progress, and returns nil. It closes the listener. The server cannot be used again.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	web := s.web(s.handler)
	ended := make(chan error, 1)
	s.door.Store(newDoor(l, s.cfg.TrustProxy))
	go func() {
		if s.secure != nil {
			web.TLSConfig = s.secure.config
			ended <- web.ServeTLS(s.door.Load(), "", "")
			return
		}
		ended <- web.Serve(s.door.Load())
	}()
	s.cfg.Log.Info("serving", "address", l.Addr().String())
	err := error(nil)
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	cut := context.AfterFunc(closing, func() { _ = web.Close() }) // for clients that never read the answer to their upgrade
	if e := s.Close(closing); e != nil {
		s.cfg.Log.Warn("members were cut off", "error", e)
	}
	cut()
	if e := web.Shutdown(closing); e != nil {
		_ = web.Close() // an error is not needed: the other one already says that they did not finish in time
	}
	s.cfg.Log.Info("ended")
	return err
}

// web returns an HTTP server with limits for each connection.
func (s *Server) web(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, WriteTimeout: answerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeader, ConnContext: remember, ConnState: hijacked,
		HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: maxStreams, MaxReceiveBufferPerConnection: maxReceive, MaxReceiveBufferPerStream: maxReceive},
		ErrorLog: slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelDebug),
	}
}

// ServeMetrics serves the metrics for Prometheus at /metrics until ctx ends, at an address that should not be public:
// the metrics reveal when people play. It only answers for the names of the page, and for numeric addresses, so that
// pages of others cannot read them.
func (s *Server) ServeMetrics(ctx context.Context, l net.Listener) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.Metrics())
	return s.aside(ctx, l, mux)
}

// ServeRedirect redirects requests without TLS to the same address with TLS, until ctx ends, and answers the
// challenges of a certificate authority. It is for port 80 of a server with TLS at the address secure.
func (s *Server) ServeRedirect(ctx context.Context, l net.Listener, secure net.Addr) error {
	h := http.Handler(s.redirect(secure))
	if s.secure != nil && s.secure.answer != nil {
		h = s.secure.answer(h)
	}
	return s.aside(ctx, l, h)
}

// aside serves until ctx ends, in addition to the main server.
func (s *Server) aside(ctx context.Context, l net.Listener, h http.Handler) error {
	web := s.web(h)
	stop := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stop()
	if err := web.Serve(newDoor(l, false)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends the rooms: all members are informed, and have until ctx ends to leave.
func (s *Server) Close(ctx context.Context) error {
	s.ending.Store(true)
	return s.rooms.Close(ctx)
}
