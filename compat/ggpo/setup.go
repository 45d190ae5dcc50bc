package ggpo

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/transport/udp"
)

// maxDelay is the longest input delay, in frames.
const maxDelay = rollback.MaxDelay

// leastDrop is the shortest disconnect timeout, in milliseconds: shorter ones would not survive three losses in a row.
const leastDrop = 400

// resolving is how long the address of a player may take to be found.
const resolving = 10 * time.Second

// forever is how long to wait for a player, unless Options say otherwise: as the ports of GGPO do, until Close.
const forever = 365 * 24 * time.Hour

// Options are settings that the ports of GGPO do not have. The zero value has the defaults.
type Options struct {
	// GameID and Build are as in [tickback.Options]: peers with others are refused. The default ID is the program's main
	// package. The input size is added to it.
	GameID, Build string
	// TickRate is the number of frames in a second; the default is 60. It must be the same at all machines.
	TickRate int
	// Window is the maximum number of frames that may run on predictions, 1 to 120; the default is
	// MaxPredictionFrames. Numbers of states are 0 to Window+1.
	Window int
	// Token, if given, is what spectators must know to watch: 16 to 64 bytes, the same at the peer and the spectator.
	// [tickback.NewToken] makes one. Without it, everybody who knows the address may take one of the places.
	Token tickback.Token
	// Connect is how long to wait for a player or a host to appear; the default is a year.
	Connect time.Duration
	// Linger is how long Close waits at most until the others know; the default is 2 s.
	Linger time.Duration
	// Log, if given, gets a record for each event of the session; see [tickback.Options]. It replaces [SetLogger].
	Log *slog.Logger
	// Now and Random replace time.Now and crypto/rand, for tests.
	Now    func() time.Time
	Random func() uint64
}

// setup is what is known before the match is built.
type setup struct {
	mode       mode
	invalid    error // arguments of the constructor that cannot be used
	port       int
	numPlayers int
	inputSize  int
	depth      int // of a sync test
	host       netip.AddrPort
	options    Options
	started    bool
	transport  tickback.Transport
	owned      bool // the session owns the transport
	added      tickback.PlayerSet
	local      tickback.PlayerSet // of these
	places     []tickback.Peer
	byHandle   byHandle
	spectators int
	delay      [MaxPlayers]int
	drop, warn time.Duration
	strict     bool // of a sync test
}

// newBackend returns a backend that is not built yet.
func newBackend(m mode, cb Session, port, players, inputSize int) *backend {
	b := &backend{cb: cb}
	b.mode, b.port, b.numPlayers, b.inputSize = m, port, players, inputSize
	b.drop, b.warn = DefaultDisconnectTimeout*time.Millisecond, DefaultDisconnectNotifyStart*time.Millisecond
	switch {
	case cb == nil:
		b.invalid = failf(ErrorCodeInvalidSession, "the Session is nil: it has the callbacks of the game")
	case players < 1 || players > MaxPlayers:
		b.invalid = failf(ErrorCodeInvalidSession, "%d players, not 1 to %d", players, MaxPlayers)
	case inputSize < 1 || inputSize > MaxInputSize:
		b.invalid = failf(ErrorCodeInvalidSession, "an input size of %d bytes, not 1 to %d", inputSize, MaxInputSize)
	case port < 0 || port > 65535:
		b.invalid = failf(ErrorCodeInvalidSession, "port %d, not 0 to 65535", port)
	}
	return b
}

// base is the handle of the first player.
func (s *setup) base() int {
	if s.mode == syncTestMode {
		return 0
	}
	return 1
}

func (s *setup) handle(p tickback.Player) PlayerHandle { return PlayerHandle(int(p) + s.base()) }

// first returns the handle of the first of these players, or 0.
func (s *setup) first(players tickback.PlayerSet) PlayerHandle {
	for p := range players.All() {
		return s.handle(p)
	}
	return 0
}

// player returns the player of a handle.
func (s *setup) player(call string, h PlayerHandle) (tickback.Player, error) {
	i := int(h) - s.base()
	if i < 0 || i >= s.numPlayers {
		return 0, failf(ErrorCodeInvalidPlayerHandle, "%s with handle %d: handles of this match are %d to %d", call, h, s.base(), s.base()+s.numPlayers-1)
	}
	if p := tickback.Player(i); s.added.Has(p) {
		return p, nil
	}
	return 0, failf(ErrorCodeInvalidPlayerHandle, "%s with handle %d, of a player who was not added: call AddPlayer", call, h)
}

// missing returns the number of the first player who was not added, or 0.
func (s *setup) missing() int {
	if s.mode == spectatorMode {
		return 0
	}
	for p := range s.numPlayers {
		if !s.added.Has(tickback.Player(p)) {
			return p + 1
		}
	}
	return 0
}

// together returns the players who share a machine with p.
func (s *setup) together(p tickback.Player) tickback.PlayerSet {
	for _, place := range s.places {
		if place.Players.Has(p) {
			return place.Players
		}
	}
	return tickback.SetOf(p)
}

func (s *setup) dropAfter() time.Duration { return s.drop }

// address finds the address of another machine.
func address(host string, port int) (netip.AddrPort, error) {
	ctx, cancel := context.WithTimeout(context.Background(), resolving)
	defer cancel()
	return udp.Resolve(ctx, net.JoinHostPort(host, strconv.Itoa(port)))
}

// AddPlayer implements [Backend].
func (b *backend) AddPlayer(player *Player, handle *PlayerHandle) error {
	if err := b.wrong("AddPlayer", outside); err != nil {
		return err
	}
	switch {
	case player == nil || handle == nil:
		return failf(ErrorCodeInvalidRequest, "AddPlayer without a player, or without a handle to set")
	case b.mode == spectatorMode:
		return failf(ErrorCodeInvalidRequest, "AddPlayer of a Spectator: it watches those of its host")
	case player.PlayerType == PlayerTypeSpectator:
		return b.AddSpectator(player.Remote.IpAdress, player.Remote.Port)
	case player.PlayerNum < 1 || player.PlayerNum > b.numPlayers:
		return failf(ErrorCodePlayerOutOfRange, "AddPlayer of player %d: this match has players 1 to %d", player.PlayerNum, b.numPlayers)
	case b.session != nil:
		return failf(ErrorCodeInvalidRequest, "AddPlayer after the match was built: nobody can join it")
	}
	p := tickback.Player(player.PlayerNum - 1)
	if b.added.Has(p) {
		return failf(ErrorCodeInvalidRequest, "AddPlayer of player %d, who was added before", player.PlayerNum)
	}
	switch {
	case player.PlayerType == PlayerTypeLocal:
		b.local |= tickback.SetOf(p)
	case player.PlayerType != PlayerTypeRemote:
		return failf(ErrorCodeInvalidRequest, "AddPlayer of type %d, which is neither local nor remote, nor a spectator", player.PlayerType)
	case b.mode == syncTestMode:
		return failf(ErrorCodeInvalidRequest, "AddPlayer of a remote player to a sync test, which has no network: all its players are local")
	case player.Remote.IpAdress == "" && player.Remote.Port == 0:
		b.byHandle.players |= tickback.SetOf(p)
		b.byHandle.handles[p] = player.Remote.Handle
	default:
		a, err := address(player.Remote.IpAdress, player.Remote.Port)
		if err != nil {
			return failed(ErrorCodeInvalidRequest, fmt.Sprintf("the address of player %d", player.PlayerNum), err)
		}
		b.place(p, a)
	}
	b.added |= tickback.SetOf(p)
	*handle = b.handle(p)
	return nil
}

// byHandle are those of whom only a handle is known so far.
type byHandle struct {
	players tickback.PlayerSet
	handles [MaxPlayers]PlayerHandle // of these
	host    bool                     // the host of a spectator is one
	hosted  PlayerHandle             // the handle of it
}

// settle looks for their addresses, and returns an error until all are there.
func (s *setup) settle(call string) error {
	by := &s.byHandle
	if by.players == 0 && !by.host {
		return nil
	}
	t, ok := s.transport.(Transport)
	if !ok {
		return failf(ErrorCodeNotSynchronized, "%s before InitializeTransport: a player was added by a handle, and only a transport knows whose it is", call)
	}
	look := func(h PlayerHandle) (netip.AddrPort, error) {
		a, known := t.Address(h)
		if !known {
			return a, failf(ErrorCodeNotSynchronized, "%s before the transport knows handle %d: call AddPeer of the transport", call, h)
		}
		return a, nil
	}
	var err error
	if by.host {
		if s.host, err = look(by.hosted); err != nil {
			return err
		}
		by.host = false
	}
	for p := range by.players.All() {
		a, err := look(by.handles[p])
		if err != nil {
			return err
		}
		s.place(p, a)
		by.players &^= tickback.SetOf(p)
	}
	return nil
}

// place notes that a player is at an address, perhaps with others.
func (s *setup) place(p tickback.Player, a netip.AddrPort) {
	for i := range s.places {
		if s.places[i].Addr == a {
			s.places[i].Players |= tickback.SetOf(p)
			return
		}
	}
	s.places = append(s.places, tickback.Peer{Players: tickback.SetOf(p), Addr: a})
}

// AddSpectator implements [Backend].
func (b *backend) AddSpectator(string, int) error {
	if err := b.wrong("AddSpectator", outside); err != nil {
		return err
	}
	switch {
	case b.mode != peerMode:
		return failf(ErrorCodeInvalidRequest, "AddSpectator is for a Peer")
	case b.session != nil:
		return failf(ErrorCodeInvalidRequest, "AddSpectator after the match was built: call it before Idle and AddLocalInput")
	case b.spectators == MaxSpectators:
		return failf(ErrorCodeTooManySpectators, "a peer has at most %d spectators", MaxSpectators)
	}
	b.spectators++
	return nil
}

// setTimeout sets one of the timeouts.
func (b *backend) setTimeout(call string, to *time.Duration, ms, least int, usual time.Duration) error {
	if err := b.wrong(call, outside); err != nil {
		return err
	}
	const most = 120_000
	switch {
	case b.mode == spectatorMode:
		return failf(ErrorCodeInvalidRequest, "%s is not for a Spectator", call)
	case ms != 0 && ms < least || ms > most:
		return failf(ErrorCodeInvalidRequest, "%s of %d milliseconds, neither 0 nor %d to %d", call, ms, least, most)
	case b.session != nil:
		return failf(ErrorCodeUnsupported, "%s after the match was built: call it before Idle and AddLocalInput", call)
	}
	if *to = time.Duration(ms) * time.Millisecond; ms == 0 {
		*to = usual
	}
	return nil
}

// SetDisconnectTimeout implements [Backend].
func (b *backend) SetDisconnectTimeout(timeout int) error {
	if b == nil {
		return b.wrong("SetDisconnectTimeout")
	}
	return b.setTimeout("SetDisconnectTimeout", &b.drop, timeout, leastDrop, 2*time.Minute)
}

// SetDisconnectNotifyStart implements [Backend].
func (b *backend) SetDisconnectNotifyStart(timeout int) error {
	if b == nil {
		return b.wrong("SetDisconnectNotifyStart")
	}
	return b.setTimeout("SetDisconnectNotifyStart", &b.warn, timeout, 1, time.Second)
}

// SetOptions sets what the ports of GGPO do not have. It must be called before the match is built.
func (b *backend) SetOptions(o Options) error {
	if err := b.wrong("SetOptions", outside); err != nil {
		return err
	}
	switch {
	case b.session != nil:
		return failf(ErrorCodeInvalidRequest, "SetOptions after the match was built: call it before Idle and AddLocalInput")
	case o.Window < 0 || o.Window > rollback.MaxWindow:
		return failf(ErrorCodeInvalidRequest, "a Window of %d frames, not 1 to %d; 0 is %d", o.Window, rollback.MaxWindow, MaxPredictionFrames)
	}
	b.options = o
	return nil
}

// Start implements [Backend].
func (b *backend) Start() {
	if b.wrong("Start", outside) == nil {
		b.started = true
	}
}

// InitializeConnection implements [Backend].
func (b *backend) InitializeConnection(c ...tickback.Transport) error {
	if err := b.wrong("InitializeConnection", outside); err != nil {
		return err
	}
	switch {
	case b.mode == syncTestMode:
		return nil // it has no network
	case b.session != nil || b.transport != nil:
		return failf(ErrorCodeInvalidRequest, "InitializeConnection after there is a connection")
	case len(c) > 1:
		return failf(ErrorCodeInvalidRequest, "InitializeConnection with %d transports, not one", len(c))
	case len(c) == 1 && c[0] == nil:
		return failf(ErrorCodeInvalidRequest, "InitializeConnection with a transport that is nil")
	case len(c) == 1:
		b.transport = c[0]
		return nil
	}
	if err := b.listen(); err != nil {
		return failed(ErrorCodeGeneralFailure, fmt.Sprintf("port %d cannot be opened", b.port), err)
	}
	return nil
}

// InitializeTransport takes a transport that knows players by handles, which then belongs to the Backend. It is
// InitializeConnection for players who are added by handles. If the transport has failed already, it returns why, and so
// do the calls after it. A [SyncTest] ignores it.
func (b *backend) InitializeTransport(t Transport) error {
	if err := b.wrong("InitializeTransport", outside); err != nil {
		return err
	}
	switch {
	case b.mode == syncTestMode:
		return nil // it has no network
	case t == nil:
		return failf(ErrorCodeInvalidRequest, "InitializeTransport with a transport that is nil")
	case b.session != nil || b.transport != nil:
		return failf(ErrorCodeInvalidRequest, "InitializeTransport after there is a connection")
	}
	b.transport = t
	if f, ok := t.(interface{ Err() error }); ok && f.Err() != nil {
		b.err = failed(ErrorCodeGeneralFailure, "the transport does not work", f.Err())
	}
	return b.err
}

func (s *setup) listen() error {
	conn, err := udp.ListenPolled(":" + strconv.Itoa(s.port))
	if err != nil {
		return err // and no transport that is a nil *udp.Conn
	}
	s.transport = conn
	return nil
}

// open builds the session.
func (b *backend) open() error {
	if b.transport == nil && (b.mode == spectatorMode || len(b.places) > 0 || b.spectators > 0) {
		if err := b.listen(); err != nil {
			return err
		}
	}
	b.states = cmp.Or(b.options.Window, MaxPredictionFrames) + 2
	if b.mode == syncTestMode {
		b.testing, b.states = true, max(b.states, b.depth+2)
		_, b.describes = b.cb.(Describer)
	}
	switch n := b.inputSize; {
	case n <= 4:
		return build[[4]byte](b)
	case n <= 16:
		return build[[16]byte](b)
	}
	return build[[64]byte](b)
}

// build builds the session for a size class of inputs.
func build[I input](b *backend) error {
	game, o := define[I](&b.caller), &b.options
	if b.mode == spectatorMode {
		game.Save, game.Restore, game.Slots = nil, nil, rollback.Slots[slot]{} // nothing is predicted
		s, err := tickback.Spectate(game, tickback.SpectatorOptions[memory, I]{
			Hosts: []netip.AddrPort{b.host}, Transport: b.transport, Token: o.Token,
			GameID: gameID(o.GameID, b.inputSize), Build: o.Build, TickRate: o.TickRate, Players: b.numPlayers,
			Timeouts: tickback.Timeouts{Connect: cmp.Or(o.Connect, forever), Drop: b.drop}, Log: logger(o.Log), Advanced: b.advanced(),
		})
		if err == nil {
			b.session, b.owned = s, true
		}
		return err
	}
	options := tickback.Options[memory, I]{
		Players: b.numPlayers, Local: b.local, Peers: b.places,
		Sample: func(p tickback.Player) (in I) {
			copy(bytesOf(&in), b.inputs[p][:b.inputSize])
			return in
		},
		GameID: gameID(o.GameID, b.inputSize), Build: o.Build, TickRate: o.TickRate,
		Delay: b.delay, OnLeave: tickback.Continue,
		Timeouts: tickback.Timeouts{Connect: cmp.Or(o.Connect, forever), Drop: b.drop, Warn: min(b.warn, b.drop), Linger: o.Linger},
		Log:      logger(o.Log), Advanced: b.advanced(),
	}
	if b.spectators > 0 {
		options.Spectators = tickback.Spectators{Max: b.spectators, Token: o.Token, Open: o.Token == nil}
	}
	var m *tickback.Match[memory, I]
	var err error
	switch {
	case b.mode == syncTestMode:
		options.Advanced.Snapshots = b.states
		m, err = tickback.SyncTest(game, b.depth, options)
	case len(b.places) == 0:
		if b.spectators > 0 {
			options.Transport = b.transport
		}
		m, err = tickback.Local(game, options)
	default:
		options.Transport, options.Window, options.Advanced.Snapshots = b.transport, b.states-2, b.states
		m, err = tickback.P2P(game, options)
	}
	if err != nil {
		return err
	}
	b.session, b.match, b.owned = m, m, options.Transport != nil
	return nil
}

func (s *setup) advanced() tickback.Advanced {
	return tickback.Advanced{HashEvery: 1, Now: s.options.Now, Random: s.options.Random}
}
