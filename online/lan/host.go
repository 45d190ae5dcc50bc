//go:build !js

package lan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/transport/udp"
)

// Options configures a host. Zero values are the defaults.
type Options struct {
	// Listen is "host:port", as net.Listen takes it; the default is every address of this machine at DefaultPort, or
	// at any free port if that is in use.
	Listen string
	// SearchPort is the port at which to answer searches; 0 is the default, and a negative value turns answers off.
	SearchPort int
}

// ErrInUse says that something already listens at a port. It is the error of package transport/udp.
var ErrInUse = udp.ErrInUse

// ErrListen says that this machine cannot listen at an address, for any other reason.
var ErrListen = errors.New("lan: cannot listen there")

// Host is a room on this machine, with its server. Make one with [Create], and close it.
type Host struct {
	// Room is the host's place in the room.
	Room *online.Room

	cfg      online.Config
	id       uint64
	listener net.Listener
	rooms    *rooms.Server
	web      *http.Server
	answerer *answerer
	open     atomic.Bool // the room has been made
	served   chan struct{}
}

// Time-outs of the server.
const (
	headerTime = 5 * time.Second
	// idleTime is how long a connection may stay open without a request.
	idleTime  = 30 * time.Second
	closeTime = time.Second
)

// Create makes a room on this machine, and takes a seat in it. ctx limits how long that takes. Errors: [ErrInUse],
// [ErrListen], and those of online.Create.
func Create(ctx context.Context, o Options, cfg online.Config) (*Host, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	l, err := listen(ctx, o.Listen)
	if err != nil {
		return nil, err
	}
	h := &Host{cfg: cfg, id: uint64(newKey()), listener: l, served: make(chan struct{})}
	h.rooms, err = rooms.NewServer(rooms.Config{MaxRooms: 1, Games: []string{cfg.GameID}, Log: cfg.Log})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("/rooms", h.rooms)
	mux.HandleFunc("GET /offer", h.answer)
	h.web = &http.Server{
		Handler: mux, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	go func() {
		defer close(h.served)
		_ = h.web.Serve(l) // it runs until Close
	}()
	cfg.Transport = h.transport
	if h.Room, err = online.Create(ctx, pageOf(h.local().String()), cfg); err != nil {
		h.end()
		return nil, err
	}
	h.open.Store(true)
	if o.SearchPort >= 0 {
		h.answerer = answer(orUsual(o.SearchPort), h.offer, cfg.Log)
	}
	return h, nil
}

func orUsual(port int) int {
	if port == 0 {
		return SearchPort
	}
	return port
}

// listen opens the port of the room.
func listen(ctx context.Context, at string) (net.Listener, error) {
	if at != "" {
		return listenAt(ctx, at)
	}
	l, err := listenAt(ctx, ":"+strconv.Itoa(DefaultPort))
	if errors.Is(err, ErrInUse) {
		return listenAt(ctx, ":0")
	}
	return l, err
}

// inUseOnWindows is WSAEADDRINUSE. On Windows it differs from EADDRINUSE; on other systems no error has this number.
const inUseOnWindows = syscall.Errno(10048)

func listenAt(ctx context.Context, at string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	switch {
	case errors.Is(err, syscall.EADDRINUSE), errors.Is(err, inUseOnWindows):
		return nil, fmt.Errorf("lan: listen on %s: %w", at, ErrInUse)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", ErrListen, at, root(err))
	}
	return l, nil
}

// transport listens at the room's port, so that one number is enough for a firewall, or at any other if another
// program uses that port for UDP.
func (h *Host) transport(self uint32, s peers.Signaler) (online.Transport, error) {
	at := h.listener.Addr().(*net.TCPAddr).AddrPort()
	host := ""
	if a := at.Addr().Unmap(); !a.IsUnspecified() {
		host = a.String()
	}
	t, err := NewTransport(net.JoinHostPort(host, strconv.Itoa(int(at.Port()))), self, s, h.cfg.Log)
	if errors.Is(err, ErrInUse) {
		return NewTransport(net.JoinHostPort(host, "0"), self, s, h.cfg.Log)
	}
	return t, err
}

// local returns the address of the server for this machine itself.
func (h *Host) local() netip.AddrPort {
	at := h.listener.Addr().(*net.TCPAddr).AddrPort()
	if a := at.Addr().Unmap(); !a.IsUnspecified() {
		return netip.AddrPortFrom(a, at.Port())
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
}

// Addresses returns the addresses to give to the other players, the most useful first: "192.168.1.5:7717". Without any
// network, it returns only the one for this machine.
func (h *Host) Addresses() []string {
	local := h.local()
	if at := h.listener.Addr().(*net.TCPAddr).AddrPort(); !at.Addr().IsUnspecified() {
		return []string{local.String()}
	}
	n := networks()
	return n.told(local)
}

// offer returns the answer to a search.
func (h *Host) offer() Offer {
	o := Offer{GameID: h.cfg.GameID, Build: h.cfg.Build, Name: printable(h.cfg.Name), Port: h.local().Port(), Host: h.id}
	if a := h.listener.Addr().(*net.TCPAddr).AddrPort().Addr(); !a.IsUnspecified() {
		o.At = a.Unmap().String()
	}
	s := h.Room.State()
	o.Seats = s.Seats
	for seat := range s.Seats {
		if _, taken := s.At(seat); taken {
			o.Taken++
		}
	}
	return o
}

// askedAs is the Host header of queries, whatever the address. A page cannot set this header: its requests have the
// page's own name there.
const askedAs = "localhost"

// answer tells programs where the room is. Pages are refused: those from other origins, and also those whose owner
// made the page's name resolve to this machine (DNS rebinding), whose requests have no origin.
func (h *Host) answer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if len(r.Header.Values("Origin")) > 0 || !h.rooms.AllowsHost(r.Host) {
		http.Error(w, "only programs may ask this, by a numeric address", http.StatusForbidden)
		return
	}
	if !h.open.Load() {
		http.Error(w, "not yet", http.StatusServiceUnavailable)
		return
	}
	o := h.offer()
	o.Room = h.Room.State().Room
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o) // an error means that the client has gone
}

// Close leaves the room, informs all members that it has ended, and frees the ports. When it returns, nothing of the
// host is running; a match continues without it. Close this machine's match first. A second call does nothing.
func (h *Host) Close() error {
	if h.answerer != nil {
		h.answerer.close()
	}
	err := h.Room.Close()
	h.end()
	return err
}

func (h *Host) end() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	_ = h.rooms.Close(ctx) // members that have not left by then are disconnected
	_ = h.web.Close()
	<-h.served
}
