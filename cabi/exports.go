//go:build cgo

package main

// #include "glue.h"
import "C"

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
	"unsafe"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback/effects"
)

// write writes a text to memory of C, cut off if it is longer, with a 0 at the end.
func write(to *C.char, cap int, text string) {
	if cap <= 0 {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(to)), cap)
	b[copy(b[:cap-1], text)] = 0
}

// report writes the error of a call that failed.
func (s *session) report(r C.tb_result, to *C.char) C.tb_result {
	if r < 0 {
		write(to, C.TB_ERROR_SIZE, s.said)
	}
	return r
}

//export tbgo_open
func tbgo_open(slot C.int, shared *C.tb_shared, depth C.uint32_t, file, failure *C.char) C.tb_result {
	s := &session{
		shared: shared, kind: int(shared.kind), inputSize: int(shared.input_size), pull: shared.options.flags&C.TB_PULL != 0,
		clearGaps: shared.game.flags&C.TB_CLEAR_GAPS != 0, blocks: &blocks{size: int(shared.game.state_size)},
	}
	table[slot].Store(s)
	return s.report(s.open(uint32(depth), file), failure)
}

//export tbgo_drive
func tbgo_drive(slot, what C.int, argument C.int64_t, bytes unsafe.Pointer, n C.size_t, ns *C.int64_t, failure *C.char) C.tb_result {
	s := table[slot].Load()
	var r C.tb_result
	if what == C.TB_DO_NEXT {
		r = s.proceed()
	} else {
		var given []byte
		switch what {
		case C.TB_DO_PROPOSE:
			s.proposed = parametersOf((*C.tb_match)(bytes))
		default:
			given = append(given, unsafe.Slice((*byte)(bytes), int(n))...)
		}
		s.given = given
		r = s.run(func() C.tb_result { return s.drive(int(what), int64(argument)) })
	}
	if r != C.TB_REQUEST {
		*ns = C.int64_t(s.ns)
	}
	return s.report(r, failure)
}

//export tbgo_close
func tbgo_close(slot C.int) { table[slot].Load().close() }

//export tbgo_forget
func tbgo_forget(slot C.int) { table[slot].Store(nil) }

//export tbgo_input
func tbgo_input(slot C.int, player C.uint32_t, input unsafe.Pointer, failure *C.char) C.tb_result {
	s := table[slot].Load()
	err := s.checkPlayer(uint32(player))
	if err != nil {
		return s.report(s.fail(err, false), failure)
	}
	if s.kind == C.TB_KIND_CONNECT {
		player = 0
	}
	copy(s.inputs[player][:], unsafe.Slice((*byte)(input), s.inputSize))
	return C.TB_OK
}

// checkPlayer returns an error if a player is not here.
func (s *session) checkPlayer(player uint32) error {
	switch s.kind {
	case C.TB_KIND_P2P, C.TB_KIND_JOIN:
		if player != uint32(s.shared.options.me) {
			return &argumentError{fmt.Sprintf("player %d has no inputs here: only player %d is here", player, s.me())}
		}
	case C.TB_KIND_SYNCTEST:
		if player >= uint32(s.shared.options.players) {
			return &argumentError{fmt.Sprintf("there is no player %d of %d", player, s.shared.options.players)}
		}
	case C.TB_KIND_CONNECT:
	default:
		return &kindError{"nobody plays here: this session only watches, or serves"}
	}
	return nil
}

//export tbgo_state
func tbgo_state(slot C.int) unsafe.Pointer {
	s := table[slot].Load()
	if s.front == nil {
		return nil
	}
	var at unsafe.Pointer
	if s.guard(func() error {
		if l := s.front.View().Current; l != nil {
			at = l.address()
		}
		return nil
	}) != nil {
		return nil
	}
	return at
}

//export tbgo_event
func tbgo_event(slot C.int, to *C.tb_event) C.int {
	s := table[slot].Load()
	e, ok := take(&s.events)
	if s.message = e.Data; e.What != tickback.Message {
		s.message = nil
	}
	if !ok {
		return 0
	}
	to.what, to.players, to.frame = C.uint32_t(whats[e.What]), C.uint32_t(e.Players), C.uint32_t(e.Frame)
	to.for_ns = C.uint64_t(max(e.For, 0))
	write(&to.text[0], len(to.text), e.String())
	return 1
}

//export tbgo_message
func tbgo_message(slot C.int, to unsafe.Pointer, cap C.size_t) C.size_t {
	m := table[slot].Load().message
	copy(unsafe.Slice((*byte)(to), int(min(cap, C.size_t(len(m))))), m)
	return C.size_t(len(m))
}

//export tbgo_proposal
func tbgo_proposal(slot C.int, to *C.tb_match, failure *C.char) C.tb_result {
	s := table[slot].Load()
	var p tickback.Parameters
	var number uint32
	if f, ok := s.front.(interface {
		Proposal() (tickback.Parameters, uint32)
	}); ok {
		_ = s.guard(func() error { p, number = f.Proposal(); return nil })
	}
	if number == 0 {
		return s.report(s.fail(&phaseError{errors.New("no match is proposed or played")}, false), failure)
	}
	give(to, &s.offered, p)
	return C.TB_OK
}

//export tbgo_orders
func tbgo_orders(slot C.int, player C.uint32_t, orders unsafe.Pointer, n C.uint32_t, failure *C.char) C.tb_result {
	s := table[slot].Load()
	if err := s.checkPlayer(uint32(player)); err != nil {
		return s.report(s.fail(err, false), failure)
	}
	if s.kind == C.TB_KIND_CONNECT {
		player = 0
	}
	if len(s.orders[player]) >= mostOrders {
		return s.report(s.fail(fullError{}, false), failure)
	}
	s.orders[player] = append(s.orders[player], append([]byte(nil), unsafe.Slice((*byte)(orders), int(n))...))
	return C.TB_OK
}

//export tbgo_effect
func tbgo_effect(slot C.int, to *C.tb_effect) C.int {
	e, ok := take(&table[slot].Load().effects)
	if !ok {
		return 0
	}
	to.what, to.kind, to.key = effectWhats[e.What], C.uint32_t(e.Kind), C.uint32_t(e.Key)
	to.frame, to.from, to.late = C.uint32_t(e.Frame), C.uint32_t(e.From), C.uint32_t(e.Late)
	if e.Sustained() {
		to.sustained = 1
	}
	copy(unsafe.Slice((*byte)(&to.payload[0]), len(to.payload)), e.Bytes())
	return 1
}

// effectWhats are the numbers of the header: those here may get others.
var effectWhats = map[effects.What]C.uint32_t{
	effects.Started: C.TB_EFFECT_STARTED, effects.Moved: C.TB_EFFECT_MOVED, effects.Updated: C.TB_EFFECT_UPDATED,
	effects.Ended: C.TB_EFFECT_ENDED, effects.Cancelled: C.TB_EFFECT_CANCELLED, effects.Confirmed: C.TB_EFFECT_CONFIRMED,
}

// whats are the numbers of the header: those here may get others.
var whats = map[any]C.tb_what{
	tickback.Connected: C.TB_CONNECTED, tickback.Open: C.TB_OPEN, tickback.Message: C.TB_MESSAGE, tickback.Proposed: C.TB_PROPOSED,
	tickback.Accepted: C.TB_ACCEPTED, tickback.Refused: C.TB_REFUSED, tickback.Started: C.TB_STARTED, tickback.Waiting: C.TB_WAITING,
	tickback.Resumed: C.TB_RESUMED, tickback.Slowed: C.TB_SLOWED, tickback.Silent: C.TB_SILENT, tickback.Heard: C.TB_HEARD,
	tickback.Moved: C.TB_MOVED, tickback.Restarted: C.TB_RESTARTED, tickback.Left: C.TB_LEFT, tickback.Lost: C.TB_LOST,
	tickback.Revoked: C.TB_REVOKED, tickback.Dropped: C.TB_DROPPED, tickback.Joined: C.TB_JOINED, tickback.Paused: C.TB_PAUSED,
	tickback.Unpaused: C.TB_UNPAUSED, tickback.Frozen: C.TB_FROZEN, tickback.Quorate: C.TB_QUORATE, tickback.Desync: C.TB_DESYNC,
	tickback.Reported: C.TB_REPORTED, tickback.Live: C.TB_LIVE, tickback.SpectatorJoined: C.TB_SPECTATOR_JOINED,
	tickback.SpectatorLeft: C.TB_SPECTATOR_LEFT, tickback.Warning: C.TB_WARNED, tickback.Recorded: C.TB_RECORDED,
	tickback.Ended: C.TB_ENDED, tickback.Closed: C.TB_CLOSED,
}

// healths are the numbers of the header.
var healths = map[tickback.Health]C.uint32_t{
	tickback.Unverified: C.TB_UNVERIFIED, tickback.Healthy: C.TB_HEALTHY, tickback.Desynced: C.TB_DESYNCED,
}

//export tbgo_stats
func tbgo_stats(slot C.int, to *C.tb_stats) {
	s := table[slot].Load()
	if s.front == nil {
		return
	}
	var n tickback.Stats
	if s.guard(func() error { n = s.front.Stats(); return nil }) != nil {
		return
	}
	var rtt time.Duration
	for i := range n.Links {
		rtt = max(rtt, n.Links[i].RoundTrip)
	}
	to.frame, to.confirmed, to.agreed = C.uint32_t(n.Frame), C.uint32_t(n.Confirmed), C.uint32_t(n.Agreed)
	to.rollbacks, to.resimulated, to.deepest = C.uint64_t(n.Engine.Rollbacks), C.uint64_t(n.Engine.Resimulated), C.uint32_t(n.Engine.Deepest)
	to.health = healths[n.Health]
	to.stalls, to.stalled_ns = C.uint64_t(n.Stalls), C.uint64_t(n.Stalled)
	to.period_ns, to.nominal_ns, to.rtt_ns = C.int64_t(n.Period), C.int64_t(n.Nominal), C.uint64_t(rtt)
	to.datagrams, to.bytes = C.uint64_t(n.Datagrams), C.uint64_t(n.Bytes)
	to.members, to.waiting = C.uint32_t(n.Members), C.uint32_t(n.Waiting)
	to.delay = C.uint32_t(n.Delay[s.me()%tickback.MaxPlayers])
	if n.Phase == tickback.Playing {
		to.running = 1
	}
}

//export tbgo_outcome
func tbgo_outcome(slot C.int, to *C.tb_outcome) {
	o, _ := table[slot].Load().outcome()
	if !o.over {
		return
	}
	to.over, to.frames, to.health, to.left = 1, C.uint32_t(o.Frames), healths[o.Health], C.uint32_t(o.Left)
	if o.Finished {
		to.finished, to.result = 1, C.uint64_t(o.Result)
	}
}

//export tbgo_report
func tbgo_report(slot C.int, to *C.char, cap C.size_t) C.size_t {
	s := table[slot].Load()
	m, ok := s.front.(interface {
		DesyncReport() *tickback.DesyncReport
	})
	if !ok {
		return 0
	}
	var text string
	_ = s.guard(func() error {
		if r := m.DesyncReport(); r != nil {
			text = r.String()
		}
		return nil
	})
	if text == "" {
		return 0
	}
	write(to, int(min(cap, 1<<30)), text)
	return C.size_t(len(text))
}

//export tbgo_player
func tbgo_player(slot C.int, failure *C.char) C.int {
	s := table[slot].Load()
	switch s.kind {
	case C.TB_KIND_P2P, C.TB_KIND_JOIN:
		return C.int(s.me())
	case C.TB_KIND_CONNECT:
		if c, ok := s.front.(interface {
			Player() (tickback.Player, bool)
		}); ok {
			if p, ok := c.Player(); ok {
				return C.int(p)
			}
		}
	}
	return C.int(s.report(s.fail(&kindError{"no player is here"}, false), failure))
}

//export tbgo_line
func tbgo_line(slot C.int, to *C.char, cap C.size_t) C.int {
	s := table[slot].Load()
	l, ok := s.log.Take()
	s.shared.logs = C.uint32_t(s.log.Waiting())
	if !ok {
		return -1
	}
	write(to, int(cap), l.Text)
	switch {
	case l.Level >= slog.LevelError:
		return C.TB_ERROR
	case l.Level >= slog.LevelWarn:
		return C.TB_WARNING
	case l.Level >= slog.LevelInfo:
		return C.TB_INFO
	}
	return C.TB_DEBUG
}

//export tbgo_token
func tbgo_token(to *C.char, cap C.size_t) { write(to, int(cap), tickback.NewToken().String()) }
