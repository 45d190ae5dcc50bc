//go:build cgo

package main

// #include <stdlib.h>
// #include "glue.h"
import "C"

import (
	"unsafe"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

// mostOrders is how many orders of a player wait, as the header says.
const mostOrders = 16

// fullError says that too many orders wait.
type fullError struct{}

func (fullError) Error() string {
	return "16 orders of this player wait already: each goes with a frame, and the match waits or is not played"
}

// phaseError says that something is not possible now, or not here. The session goes on.
type phaseError struct{ err error }

func (e *phaseError) Error() string { return e.err.Error() }
func (e *phaseError) Unwrap() error { return e.err }

// phase returns an error that does not end the session, or nil.
func phase(err error) error {
	if err == nil {
		return nil
	}
	return &phaseError{err}
}

// copied is memory of C that something was copied to.
type copied struct{ at unsafe.Pointer }

// set copies bytes, and returns where they are; nil if there are none.
func (c *copied) set(b []byte) unsafe.Pointer {
	C.free(c.at)
	if c.at = nil; len(b) > 0 {
		c.at = C.CBytes(b)
	}
	return c.at
}

// give writes what a match is made from for C. The data is copied to memory that lasts until the next time.
func give(to *C.tb_match, data *copied, p tickback.Parameters) {
	to.frames, to.seed, to.content = C.uint32_t(p.Frames), C.uint64_t(p.Seed), C.uint64_t(p.Content)
	to.data, to.data_len = data.set(p.Data), C.uint32_t(len(p.Data))
}

// parametersOf reads what a match is made from, and copies it.
func parametersOf(m *C.tb_match) tickback.Parameters {
	return tickback.Parameters{
		Seed: uint64(m.seed), Frames: tickback.Frame(m.frames), Content: uint64(m.content),
		Data: append([]byte(nil), unsafe.Slice((*byte)(m.data), int(m.data_len))...),
	}
}

// member is what a machine does that plays in a match.
type member interface {
	Pause() error
	Unpause() error
	Kick(players tickback.PlayerSet, reason string) error
	Send(to tickback.PlayerSet, data []byte) error
	Propose(p tickback.Parameters) error
	Accept() error
	Ready() error
	Refuse(reason string) error
}

// tell does what a call asks for that does not move the session.
func (s *session) tell(what int, argument int64) error {
	if set, ok := s.front.(interface {
		SetToken(token tickback.Token) error
	}); ok && what == C.TB_DO_TOKEN {
		token, err := tickback.ParseToken(string(s.given))
		if err != nil {
			return &argumentError{err.Error() + ": tb_token makes one"}
		}
		return phase(set.SetToken(token))
	}
	if server, ok := s.front.(interface {
		Kick(p tickback.Player, reason string) error
	}); ok && what == C.TB_DO_KICK && argument < tickback.MaxPlayers {
		return phase(server.Kick(tickback.Player(argument), string(s.given)))
	}
	if replay, ok := s.front.(interface {
		Pause()
		Unpause()
	}); ok && what == C.TB_DO_PAUSE {
		replay.Pause()
		return nil
	} else if ok && what == C.TB_DO_UNPAUSE {
		replay.Unpause()
		return nil
	}
	m, ok := s.front.(member)
	if !ok {
		return &kindError{"a session of this kind does not have that: it is for a match between machines"}
	}
	switch what {
	case C.TB_DO_PAUSE:
		return phase(m.Pause())
	case C.TB_DO_UNPAUSE:
		return phase(m.Unpause())
	case C.TB_DO_KICK:
		if argument >= rollback.MaxPlayers {
			return &argumentError{"there is no such player"}
		}
		return phase(m.Kick(tickback.SetOf(tickback.Player(argument)), string(s.given)))
	case C.TB_DO_SEND:
		if argument <= 0 || argument >= 1<<rollback.MaxPlayers {
			return &argumentError{"players must be a set of some: bit p stands for player p"}
		}
		return phase(m.Send(tickback.PlayerSet(argument), s.given))
	case C.TB_DO_PROPOSE:
		return phase(m.Propose(s.proposed))
	case C.TB_DO_ACCEPT:
		if err := m.Accept(); err != nil {
			return phase(err)
		}
		return phase(m.Ready())
	case C.TB_DO_REFUSE:
		return phase(m.Refuse(string(s.given)))
	}
	return &kindError{"a session of this kind has no token"}
}
