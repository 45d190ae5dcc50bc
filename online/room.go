package online

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/webrtc"
)

// The errors of this package, besides those of packages rooms and webrtc.
var (
	// ErrNoMatch says that no match is running in the room.
	ErrNoMatch = errors.New("online: no match is played in this room")
	// ErrNobody says that no player of the match can be reached, to join or to watch.
	ErrNobody = errors.New("online: no player can be reached")
	// ErrWatching says that a member without a seat cannot play.
	ErrWatching = errors.New("online: a member without a seat cannot play")
	// ErrBusy says that a match of the room is already open here: close that one first.
	ErrBusy = errors.New("online: a match of this room is played here already")
)

// Config says which game is played, and how this member takes part. GameID is required.
type Config struct {
	// GameID and Build identify the game: texts of at most 64 bytes, also used for tickback.Options. A room for
	// another game or build refuses with a *rooms.MismatchError, which names both.
	GameID, Build string
	// Name is shown to the others: at most 32 bytes.
	Name string

	// Seats (1 to 16), Spectators (0 to 32) and Settings are only used by Create. A match that a server owns has one
	// seat, for the server; its players take places of spectators.
	Seats, Spectators int
	Settings          string

	// Role and Seat are the wanted place; the default is any free one.
	Role rooms.Role
	Seat *int
	// Take takes a vacant place if none is free, as Room.Take does.
	Take bool
	// Ticket, if given, takes the place of an earlier Room.Ticket again, if it is for the same room and still valid.
	// Otherwise it is ignored, and Room.Lost says why. A page keeps it in its session storage. A ticket in the link
	// (PlaceLink) takes precedence.
	Ticket string

	// ICE lists STUN and TURN servers, in addition to those that the server names. RelayOnly hides our address from
	// the others, and requires a TURN server.
	ICE       []webrtc.ICEServer
	RelayOnly bool
	// Loopback connects on this machine only, natively: for tests.
	Loopback bool
	// Transport, if given, makes the transport for the matches of this place, instead of WebRTC; then ICE, RelayOnly
	// and Loopback are ignored. Package lan has one. self is our number, and signal tells the others how to reach us.
	Transport func(self uint32, signal peers.Signaler) (Transport, error)
	// Patience is how long to try to reach the server again after losing it. The default is two minutes.
	Patience time.Duration
	// Log, if given, gets log records about connections.
	Log *slog.Logger
}

// Transport carries the matches of a room: packages webrtc and lan have one. Its addresses are those of package
// peers.
type Transport interface {
	tickback.Transport
	// SetPeers sets the peers, by their numbers.
	SetPeers(ids ...uint32)
	// Deliver handles a signal from a peer, whose content is not trusted.
	Deliver(from uint32, data string)
	// Peers returns the state of the connection to each peer, ordered by number.
	Peers() []peers.Peer
}

// Room is a place in a room, with the connections to the other members. Its methods may be called by several
// goroutines at once. Make one with [Create] or [Join], and close it.
type Room struct {
	cfg    Config
	page   *url.URL
	client *rooms.Client

	lost      error // the reason why the place of the ticket could not be taken again
	transport Transport

	mu     sync.Mutex
	lease  *lease // the match that uses the transport
	played uint32 // the newest match that was played here
	events []rooms.Event
	notify chan struct{}
	closed bool
	shown  string // the ID of the room when show was last called
	show   func() // the function of follow, or nil

	stop chan struct{}
	done chan struct{}
}

// Create makes a room on the server of a page ("https://play.example.org/"), whose rooms are at "rooms" beside it,
// and takes a seat in it. ctx limits how long that takes.
//
// Errors: [ErrLink], those of package rooms, and those of package webrtc if it does not work here.
func Create(ctx context.Context, server string, cfg Config) (*Room, error) {
	page, _, err := parse(server)
	if err != nil {
		return nil, err
	}
	return enter(ctx, page, cfg, rooms.Entry{Seats: cfg.Seats, Spectators: cfg.Spectators, Settings: cfg.Settings, Seat: cfg.Seat})
}

// Join joins the room of a link, or comes back to it. Errors: those of [Create].
func Join(ctx context.Context, link string, cfg Config) (*Room, error) {
	page, room, err := parse(link)
	if err != nil {
		return nil, err
	}
	if room == "" {
		return nil, fmt.Errorf("%w: %q leads to no room", ErrLink, link)
	}
	if own := TicketOf(link); own != "" {
		cfg.Ticket = own
	}
	var lost error
	if rooms.RoomOf(cfg.Ticket) == room {
		r, err := enter(ctx, page, cfg, rooms.Entry{Ticket: cfg.Ticket})
		if !errors.Is(err, rooms.ErrMember) {
			return r, err
		}
		lost = err
	}
	r, err := enter(ctx, page, cfg, rooms.Entry{Room: room, Role: cfg.Role, Seat: cfg.Seat, Take: cfg.Take})
	if err == nil {
		r.lost = lost
	}
	return r, err
}

func enter(ctx context.Context, page *url.URL, cfg Config, e rooms.Entry) (*Room, error) {
	e.GameID, e.Build, e.Name, e.Patience = cfg.GameID, cfg.Build, cfg.Name, cfg.Patience
	client, err := rooms.Enter(ctx, socketOf(page), e)
	if err != nil {
		return nil, err
	}
	r := &Room{
		cfg: cfg, page: page, client: client,
		notify: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
	}
	if r.transport, err = r.connect(); err != nil {
		client.Close()
		return nil, err
	}
	r.transport.SetPeers(r.peers()...)
	go r.run()
	return r, nil
}

// connect makes the transport of all matches: connections are made before the first match begins, and stay open
// between matches.
func (r *Room) connect() (Transport, error) {
	if r.cfg.Transport != nil {
		return r.cfg.Transport(r.client.You(), r.client)
	}
	cfg := webrtc.Config{
		Self: r.client.You(), Signaler: r.client, RelayOnly: r.cfg.RelayOnly, Loopback: r.cfg.Loopback, Log: r.cfg.Log,
	}
	cfg.ICE = r.servers()
	return webrtc.New(cfg)
}

// servers returns the ICE servers of the configuration and those that the room server names.
func (r *Room) servers() []webrtc.ICEServer {
	list := slices.Clone(r.cfg.ICE)
	for _, s := range r.client.ICE() {
		list = append(list, webrtc.ICEServer(s))
	}
	return list
}

// peers returns the members to connect to: all others, without the spectators if this member is one, too.
func (r *Room) peers() []uint32 {
	s, me := r.client.State(), r.client.Me()
	var list []uint32
	for _, m := range s.Members {
		if m.ID != me.ID && (m.Seat != rooms.NoSeat || me.Seat != rooms.NoSeat) {
			list = append(list, m.ID)
		}
	}
	return list
}

// run passes changes from the server to the transport, until Close.
func (r *Room) run() {
	defer close(r.done)
	for {
		for e, ok := r.client.Receive(); ok; e, ok = r.client.Receive() {
			r.happened(e)
		}
		select {
		case <-r.client.Notify():
		case <-r.stop:
			return
		}
	}
}

func (r *Room) happened(e rooms.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lease != nil {
		r.lease.tokens.changed.Store(true)
	}
	switch {
	case r.closed:
		return
	case e.Kind == rooms.Signalled:
		r.transport.Deliver(e.From, e.Data)
		return
	case e.Kind == rooms.Renewed:
		if t, ok := r.transport.(*webrtc.Transport); ok {
			_ = t.SetICE(r.servers()) // after an error it continues with the previous servers
		}
		return
	case e.Kind == rooms.Changed:
		r.transport.SetPeers(r.peers()...)
		if r.lease != nil {
			r.lease.renumber()
		}
		r.showLink()
	}
	r.add(e)
}

// follow calls show now, and whenever the link changes after a kick. show must not call methods of the room that
// block.
func (r *Room) follow(show func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.show = show
	r.showLink()
}

func (r *Room) showLink() {
	if id := r.client.State().Room; r.show != nil && id != r.shown {
		r.shown = id
		r.show()
	}
}

// maxEvents limits the queue of events; repeated Changed events count once.
const maxEvents = 256

func (r *Room) add(e rooms.Event) {
	if n := len(r.events); e.Kind == rooms.Changed && n > 0 && r.events[n-1].Kind == rooms.Changed {
		return
	}
	if len(r.events) >= maxEvents {
		r.events = r.events[1:]
	}
	r.events = append(r.events, e)
	select {
	case r.notify <- struct{}{}:
	default:
	}
}

// Receive returns the next event of the room: Changed, Refused, Away, Back or Closed; ok
// is false if there is none. It never blocks.
func (r *Room) Receive() (e rooms.Event, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.events) == 0 {
		return e, false
	}
	e = r.events[0]
	r.events = r.events[1:]
	return e, true
}

// Notify returns a channel, always the same, that gets a value when something has
// happened since the last Receive that returned false.
func (r *Room) Notify() <-chan struct{} { return r.notify }

// Close gives up our place and closes the connections. A match that is still open here loses its transport, so close
// the match first. When Close returns, nothing of the room is running. Closing twice is no error.
func (r *Room) Close() error { return r.end(func() { r.client.Close() }) }

// Abandon closes the room like Close, but keeps the place, so that it can be taken again with the Ticket, as after a
// crash of the program.
func (r *Room) Abandon() { _ = r.end(r.client.Abandon) }

func (r *Room) end(leave func()) error {
	r.mu.Lock()
	first := !r.closed
	r.closed = true
	r.mu.Unlock()
	if !first {
		<-r.done
		return nil
	}
	close(r.stop)
	<-r.done
	leave()
	return r.transport.Close()
}
