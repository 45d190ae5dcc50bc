//go:build cgo

package main

// #include <stdlib.h>
// #include "glue.h"
import "C"

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"os"
	"time"
	"unsafe"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cabi/internal/layout"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/netem/realtime"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/transport/udp"
)

// networkError is an error of an address or a socket, and fileError one of a file.
type (
	networkError struct{ err error }
	fileError    struct{ err error }
)

func (e *networkError) Error() string { return e.err.Error() }
func (e *networkError) Unwrap() error { return e.err }
func (e *fileError) Error() string    { return e.err.Error() }
func (e *fileError) Unwrap() error    { return e.err }

// settings are the options of C in the form of Go, copied.
type settings struct {
	listen, id, build, net, record, file string
	others                               []string
	token                                tickback.Token
	players, rate, window, delay, depth  int
	spectators                           tickback.Spectators
	lockstep, goOn                       bool
	match                                tickback.Parameters
	timeouts                             tickback.Timeouts
	auto                                 tickback.AutoDelay
	orders                               int
}

// maxText is the maximum length of a text of the caller.
const maxText = 4096

// textOf copies a text of C; NULL is empty.
func textOf(p *C.char, what string) (string, error) {
	if p == nil {
		return "", nil
	}
	n := C.strnlen(p, maxText+1)
	if n > maxText {
		return "", optionsErrorf("%s has more than %d bytes", what, maxText)
	}
	return C.GoStringN(p, C.int(n)), nil
}

// maxBuild leaves room for what is appended to the build of the caller.
const maxBuild = 24

// leastDrop is the shortest time to lose a silent machine, in milliseconds.
const leastDrop = 500

func milliseconds(n C.uint32_t) time.Duration { return time.Duration(n) * time.Millisecond }

// read reads the options.
func (s *session) read(depth uint32, file *C.char) (*settings, error) {
	o, g := &s.shared.options, &s.shared.game
	s.base = s.parameters()
	set := &settings{
		players: int(o.players), rate: int(o.tick_rate), window: int(o.window), delay: int(o.delay), depth: int(depth),
		spectators: tickback.Spectators{Max: int(o.spectators)},
		lockstep:   o.flags&C.TB_LOCKSTEP != 0, goOn: o.flags&C.TB_CONTINUE != 0,
		match:  s.base,
		auto:   tickback.AutoDelay{On: o.delay_max > 0, Min: int(o.delay), Max: int(o.delay_max), Rollback: int(o.delay_rollback)},
		orders: int(o.max_orders),
	}
	s.lobby = o.flags&C.TB_LOBBY != 0
	if ms := uint32(o.drop_ms); ms > 0 && ms < leastDrop {
		return nil, optionsErrorf("drop_ms is %d, must be at least %d: losses in a row would look like the end of a machine", ms, leastDrop)
	}
	set.timeouts.Connect, set.timeouts.Drop = milliseconds(o.connect_ms), milliseconds(o.drop_ms)
	if drop := set.timeouts.Drop; drop > 0 {
		set.timeouts.Warn = min(time.Second, drop/2)
	}
	var token string
	for _, t := range []struct {
		from *C.char
		to   *string
		name string
	}{
		{o.listen, &set.listen, "listen"},
		{g.id, &set.id, "the id of the game"},
		{o.build, &set.build, "build"},
		{o.net, &set.net, "net"},
		{o.record, &set.record, "record"},
		{o.token, &token, "token"},
		{file, &set.file, "the name of the file"},
	} {
		var err error
		if *t.to, err = textOf(t.from, t.name); err != nil {
			return nil, err
		}
	}
	if len(set.build) > maxBuild {
		return nil, optionsErrorf("build has %d bytes, more than %d", len(set.build), maxBuild)
	}
	if token != "" {
		var err error
		if set.token, err = tickback.ParseToken(token); err != nil {
			return nil, optionsErrorf("token: %v: tb_token makes one", err)
		}
	}
	if o.transport == nil {
		for i, p := range unsafe.Slice(o.others, o.others_len) {
			text, err := textOf(p, "an address")
			if err != nil {
				return nil, err
			}
			if text == "" {
				return nil, optionsErrorf("others[%d] is no address", i)
			}
			set.others = append(set.others, text)
		}
	}
	// A block of bytes means the same only where it has the same layout, so machines compare that as a part of the build.
	order := "le"
	if *(*byte)(unsafe.Pointer(&[]uint16{1}[0])) == 0 {
		order = "be"
	}
	flags := uint64(g.flags)
	if s.own != nil {
		set.build = fmt.Sprintf("%s/own/i%d/%s", set.build, s.inputSize, order)
		return set, nil
	}
	set.build = fmt.Sprintf("%s/s%d/i%d/f%08x/%s", set.build, s.layout.Size(), s.inputSize, uint32(s.layout.Digest()^flags), order)
	return set, nil
}

// parameters returns what a match is made from by the options.
func (s *session) parameters() tickback.Parameters {
	o := &s.shared.options
	return tickback.Parameters{
		Seed: uint64(o.seed), Frames: tickback.Frame(o.frames), Content: uint64(o.content),
		Data: append([]byte(nil), unsafe.Slice((*byte)(o.data), int(o.data_len))...),
	}
}

// open opens the session, and returns the result of the call of C.
func (s *session) open(depth uint32, file *C.char) C.tb_result {
	s.own = ownOf(s)
	fields, err := fieldsOf(&s.shared.game)
	if err == nil && s.own == nil {
		s.layout, err = layout.New(s.blocks.size, fields)
		if err != nil {
			err = optionsErrorf("the fields of the game: %v", err)
		}
	}
	if err == nil {
		s.kinds, err = kindsOf(&s.shared.game)
	}
	var set *settings
	if err == nil {
		set, err = s.read(depth, file)
	}
	if err != nil {
		return s.fail(err, true)
	}
	return s.run(func() C.tb_result {
		if err := s.guard(func() error { return s.begin(set) }); err != nil {
			if s.failure == nil {
				s.failure, s.code = err, s.codeOf(err, true)
			}
			s.said = err.Error()
			return s.code
		}
		_ = s.guard(func() error { s.gather(); return nil })
		return C.TB_OK
	})
}

// begin makes the front, with inputs of a size that has room for those of the game.
func (s *session) begin(set *settings) error {
	if s.inputSize <= 8 {
		return openFront[[8]byte](s, set)
	}
	return openFront[[64]byte](s, set)
}

// network opens the transport, and returns the addresses of the others.
func (s *session) network(set *settings) ([]netip.AddrPort, error) {
	if s.shared.options.transport != nil {
		t := &ownTransport{shared: s.shared}
		s.transport = t
		var others []netip.AddrPort
		for i := range uint32(s.shared.options.others_len) {
			if s.kind == C.TB_KIND_P2P && i >= uint32(s.me()) {
				i++ // the numbers of players, without this one
			}
			others = append(others, addressOf(i))
		}
		return others, nil
	}
	listen := set.listen
	if listen == "" {
		listen = ":0"
	}
	conn, others, err := udp.Open(listen, set.others...)
	if err != nil {
		return nil, &networkError{err}
	}
	s.transport = conn
	if set.net != "" {
		profile, err := netem.ProfileNamed(set.net)
		if err != nil {
			return nil, optionsErrorf("net: %v", err)
		}
		bad, err := realtime.Wrap(conn, profile.Link, rand.Uint64())
		if err != nil {
			return nil, err
		}
		s.transport = bad
	}
	return others, nil
}

// create creates the file of a recording, if there is to be one.
func (s *session) create(set *settings) (io.Writer, error) {
	if set.record == "" {
		return nil, nil
	}
	f, err := os.OpenFile(set.record, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, &fileError{fmt.Errorf("record: %w", err)}
	}
	s.files = append(s.files, f)
	return f, nil
}

// logger returns the logger of the session, or nil.
func (s *session) logger() *slog.Logger {
	if s.shared.options.log == nil {
		return nil
	}
	return s.log.Logger()
}

// openFront makes the front for inputs of a type. On an error it closes what it has opened.
func openFront[I input](s *session, set *settings) (err error) {
	defer func() {
		if s.front == nil && s.transport != nil {
			_ = s.transport.Close() // the error is of something else
		}
	}()
	game := define[I](s)
	cache := 0
	if s.own != nil {
		game = defineOwn[I](s)
		cache = -1 // a replay would forget states without releasing their slots
	}
	// No session without a network needs a transport.
	if s.kind == C.TB_KIND_REPLAY {
		return s.openReplay(set, func(f *os.File, size int64) (tickback.Session[live], error) {
			return tickback.Replay(game, f, size, tickback.ReplayOptions[live, I]{GameID: set.id, Build: set.build, Start: s.start, Cache: cache, Log: s.logger()})
		})
	}
	var others []netip.AddrPort
	if s.kind != C.TB_KIND_SYNCTEST {
		if others, err = s.network(set); err != nil {
			return err
		}
	}
	if err := s.checkOthers(len(others)); err != nil {
		return err
	}
	record, err := s.create(set)
	if err != nil {
		return err
	}
	defer func() {
		if s.front == nil && record != nil {
			_ = os.Remove(set.record) // it is empty
		}
	}()
	o := optionsOf[I](s, set, record)
	switch s.kind {
	case C.TB_KIND_P2P:
		o.Peers = tickback.Mesh(s.me(), others...)
		for p := len(others) + 1; p < set.players; p++ {
			o.Reserved |= tickback.SetOf(tickback.Player(p))
		}
		return s.keep(tickback.P2P(game, o))
	case C.TB_KIND_SYNCTEST:
		return s.keep(tickback.SyncTest(game, set.depth, o))
	case C.TB_KIND_JOIN:
		o.Local = tickback.SetOf(s.me())
		return s.keep(tickback.Join(game, others, o))
	case C.TB_KIND_SPECTATE:
		return s.keep(tickback.Spectate(game, tickback.SpectatorOptions[live, I]{
			Hosts: others, Transport: s.transport, GameID: set.id, Build: set.build, TickRate: set.rate, Players: set.players,
			Token: set.token, Start: s.start, Record: record, Log: s.logger(), Timeouts: set.timeouts, MaxOrders: set.orders,
		}))
	case C.TB_KIND_SERVE:
		return s.keep(tickback.Serve(game, tickback.ServerOptions[live, I]{
			Players: set.players, Transport: s.transport, GameID: set.id, Build: set.build, TickRate: set.rate, Token: set.token,
			Match: set.match, Start: s.start, Spectators: set.spectators, Record: record, Log: s.logger(), Timeouts: set.timeouts,
			MaxOrders: set.orders,
		}))
	}
	return s.keep(tickback.Connect(game, tickback.ClientOptions[live, I]{
		Server: others[0], Transport: s.transport, Sample: o.Sample, Players: set.players, GameID: set.id, Build: set.build,
		TickRate: set.rate, Token: set.token, ID: uint64(s.shared.options.client_id), Start: s.start, Record: record, Log: s.logger(),
		Timeouts: set.timeouts, MaxOrders: set.orders, Orders: o.Orders,
	}))
}

// optionsOf returns what a match between machines, and a sync test, are opened with.
func optionsOf[I input](s *session, set *settings, record io.Writer) tickback.Options[live, I] {
	// A client has one player, whatever its number: see tb_set_input.
	own := func(p tickback.Player) tickback.Player {
		if s.kind == C.TB_KIND_CONNECT {
			return 0
		}
		return p
	}
	o := tickback.Options[live, I]{
		Players: set.players, Transport: s.transport, GameID: set.id, Build: set.build, TickRate: set.rate,
		Window: set.window, Lockstep: set.lockstep, Token: set.token, Spectators: set.spectators, Match: set.match, Start: s.start,
		Record: record, Log: s.logger(), Timeouts: set.timeouts, MaxOrders: set.orders, Lobby: s.lobby,
		Sample: func(p tickback.Player) (in I) {
			copy(raw(&in), s.inputs[own(p)][:s.inputSize])
			return in
		},
	}
	if set.orders > 0 {
		o.Orders = func(p tickback.Player) []byte {
			orders, _ := take(&s.orders[own(p)])
			return orders
		}
	}
	if set.goOn {
		o.OnLeave = tickback.Continue
	}
	if s.kind == C.TB_KIND_P2P || s.kind == C.TB_KIND_JOIN {
		if o.AutoDelay = set.auto; !set.auto.On {
			o.Delay[s.me()] = set.delay
		}
	}
	return o
}

// keep makes what was opened the front of the session, unless there was an error.
func (s *session) keep(front tickback.Session[live], err error) error {
	if err == nil {
		s.front = front
	}
	return err
}

// checkOthers returns an error if there are too few or too many other machines, or if the player here does not exist.
func (s *session) checkOthers(others int) error {
	me := int(s.shared.options.me)
	if s.own != nil && (s.kind == C.TB_KIND_SERVE || s.kind == C.TB_KIND_CONNECT) {
		return optionsErrorf("a match that a server owns needs a state that is a block of memory: its clients are sent states, and compare them")
	}
	switch s.kind {
	case C.TB_KIND_P2P:
		if others < 1 || others >= rollback.MaxPlayers {
			return optionsErrorf("others_len is %d, must be 1 to %d: the address of each other player", others, rollback.MaxPlayers-1)
		}
		if me > others {
			return optionsErrorf("me is %d, and there are the players 0 to %d", me, others)
		}
	case C.TB_KIND_JOIN:
		if me >= int(s.shared.options.players) || me >= rollback.MaxPlayers {
			return optionsErrorf("me is %d, and players is %d", me, s.shared.options.players)
		}
	case C.TB_KIND_CONNECT:
		if others != 1 {
			return optionsErrorf("others_len is %d, must be 1: the address of the server", others)
		}
	}
	return nil
}

// openReplay opens the file of a recording, and makes a replay of it.
func (s *session) openReplay(set *settings, replay func(f *os.File, size int64) (tickback.Session[live], error)) error {
	f, err := os.Open(set.file)
	if err != nil {
		return &fileError{err}
	}
	s.files = append(s.files, f)
	info, err := f.Stat()
	if err != nil {
		return &fileError{err}
	}
	front, err := replay(f, info.Size())
	if err != nil {
		return &fileError{fmt.Errorf("%s: %w", set.file, err)}
	}
	s.front = front
	return nil
}
