//go:build cgo

package main

// #include "glue.h"
import "C"

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cabi/internal/layout"
	"github.com/tickback/tickback/cabi/internal/lines"
	"github.com/tickback/tickback/rollback/effects"
)

// table has the sessions. The C half says which entries are used, and lets only one thread at a time into a session.
var table [C.TB_MAX_SESSIONS]atomic.Pointer[session]

// session is a session as C sees it.
type session struct {
	shared    *C.tb_shared
	kind      int
	inputSize int
	layout    *layout.Layout
	clearGaps bool
	blocks    *blocks // not inside: see there
	scratch   *memory // for states that come from elsewhere
	own       *own    // of a game whose state is no block, or nil

	front     tickback.Session[live] // nil until it is open
	transport tickback.Transport     // the front's, which closes it
	files     []io.Closer            // to be closed after the front
	inputs    [C.TB_MAX_PLAYERS][C.TB_MAX_INPUT]byte
	kinds     [256]*effects.Kind[payload] // of effects, by their ids
	log       lines.Queue
	happened
	asked
	trouble

	pull, gone bool // gone: the session is being closed, and nobody answers requests any more
	coroutine
}

// happened is what nobody has taken yet.
type happened struct {
	events  []tickback.Event
	effects []effects.Event
}

// trouble is what has gone wrong.
type trouble struct {
	failure error       // that ended the session
	code    C.tb_result // of it
	said    string      // what was wrong in the last call
	broken  error       // a callback has failed, in whatever part of the library that was
}

// asked is what calls have given, or were given.
type asked struct {
	given          []byte              // with the call that runs
	base, proposed tickback.Parameters // by the options, and by the host
	message        []byte              // of the last event that was taken
	orders         [C.TB_MAX_PLAYERS][][]byte
	made, offered  copied // data of the match from which state 0 was made, and of what was asked for
	lobby          bool
	over           bool // the end of the last match was told
}

// coroutine is what runs the calls of a session with TB_PULL.
type coroutine struct {
	job    func()                 // the call that runs
	next   func() (bool, bool)    // goes on with it; true means that a request is pending
	stop   func()                 // ends it
	yield  func(asking bool) bool // stops in it
	result C.tb_result            // that it has at its end
	ns     int64
}

// optionsError is an error about the options, or the game.
type optionsError struct{ text string }

func (e *optionsError) Error() string { return e.text }

func optionsErrorf(format string, args ...any) error {
	return &optionsError{fmt.Sprintf(format, args...)}
}

// kindError says that a session of this kind does not have something.
type kindError struct{ text string }

func (e *kindError) Error() string { return e.text }

// argumentError is an error about an argument.
type argumentError struct{ text string }

func (e *argumentError) Error() string { return e.text }

// run runs a call, which sets the result. With TB_PULL it may stop on the way, and go on at the next call.
func (s *session) run(job func() C.tb_result) C.tb_result {
	if !s.pull {
		return job()
	}
	s.job = func() { s.result = job() }
	if s.next == nil {
		s.next, s.stop = iter.Pull(func(yield func(bool) bool) {
			s.yield = yield
			for {
				s.job()
				if !yield(false) {
					return
				}
			}
		})
	}
	return s.proceed()
}

// proceed goes on with the call.
func (s *session) proceed() C.tb_result {
	if asking, _ := s.next(); asking {
		return C.TB_REQUEST
	}
	return s.result
}

// askAbout stops the call until the caller has done something with a block, if there is one, and returns the answer.
func (s *session) askAbout(want C.uint32_t, m *memory, seed uint64) C.int32_t {
	q := &s.shared.request
	q.state, q.seed, q.tick, q.match = m.address(), C.uint64_t(seed), nil, nil
	if want == C.TB_INIT {
		q.match = &s.shared.match
	}
	if want == C.TB_STEP {
		q.tick = &s.shared.tick
	}
	return s.ask(want)
}

// ask stops the call until the caller has done what the request says, and returns the answer.
func (s *session) ask(want C.uint32_t) C.int32_t {
	if s.gone {
		panic(errStopped)
	}
	q := &s.shared.request
	q.want, q.answer = want, 0
	goOn := s.yield(true)
	q.want = 0
	if !goOn {
		panic(errStopped)
	}
	return q.answer
}

// guard runs a part of a call, and turns a panic into the error that ends the session.
func (s *session) guard(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *gameError:
			err, s.failure, s.code = r, r, C.TB_EGAME
		case error:
			if errors.Is(r, errStopped) || errors.Is(r, errMemory) {
				err, s.failure, s.code = r, r, C.TB_EENDED
				if errors.Is(r, errMemory) {
					s.code = C.TB_EMEMORY
				}
				return
			}
			err = s.defect(r)
		default:
			err = s.defect(r)
		}
	}()
	return f()
}

// defect makes the error for a panic that should not have been.
func (s *session) defect(reason any) error {
	s.failure, s.code = fmt.Errorf("a defect in the library: %v\n%s", reason, debug.Stack()), C.TB_EINTERNAL
	return s.failure
}

// codeOf returns the result for an error. While a session is opened, what is wrong is mostly the options.
func (s *session) codeOf(err error, opening bool) C.tb_result {
	var (
		option   *optionsError
		kind     *kindError
		argument *argumentError
		game     *gameError
		sync     *tickback.SyncTestError
		file     *os.PathError
		network  *networkError
		format   *fileError
		phase    *phaseError
	)
	switch {
	case s.failure != nil && errors.Is(err, s.failure):
		return s.code
	case s.broken != nil:
		return C.TB_EGAME
	case errors.As(err, &argument):
		return C.TB_EARG
	case errors.As(err, &phase):
		return C.TB_EPHASE
	case errors.Is(err, fullError{}):
		return C.TB_EMEMORY
	case errors.As(err, &kind):
		return C.TB_EKIND
	case errors.As(err, &game), errors.As(err, &sync):
		return C.TB_EGAME
	case errors.As(err, &network):
		return C.TB_ENET
	case errors.As(err, &format), errors.As(err, &file):
		return C.TB_EFILE
	case errors.As(err, &option), errors.Is(err, tickback.ErrOptions), opening:
		return C.TB_EOPTIONS
	}
	return C.TB_EENDED
}

// drive runs a call that moves the session, and writes the error, if there is one.
func (s *session) drive(what int, argument int64) C.tb_result {
	var d time.Duration
	err := s.guard(func() (err error) {
		if s.failure != nil {
			return s.failure
		}
		d, err = s.act(what, argument)
		return err
	})
	s.ns = int64(d)
	s.gather()
	switch {
	case s.broken != nil && s.kind == C.TB_KIND_REPLAY: // which takes it for damage of the recording
		err, s.failure, s.code = s.broken, s.broken, C.TB_EGAME
	case err == nil:
		s.broken = nil // while a desync was explained, beside the match
	}
	if s.failure == nil && s.broken == nil && moves(what) {
		// Before the error: with the last frame the others may have left. In a lobby there may be another match.
		v, _ := s.outcome()
		over := v.over && (!s.lobby || s.resting())
		if told := s.over && over; over && !(s.lobby && told && err != nil) {
			s.over = true
			return C.TB_OVER
		}
		s.over = over
	}
	if err != nil {
		return s.fail(err, false)
	}
	return C.TB_OK
}

// moves reports whether a call moves the match, and so tells its end.
func moves(what int) bool {
	return what == C.TB_DO_UPDATE || what == C.TB_DO_ADVANCE || what == C.TB_DO_POLL || what == C.TB_DO_WAIT
}

// resting reports whether no match is played, and none is about to begin.
func (s *session) resting() (rests bool) {
	_ = s.guard(func() error {
		p := s.front.Stats().Phase
		rests = p != tickback.Starting && p != tickback.Playing
		return nil
	})
	return rests
}

// verdict is how the last match has ended, if one has.
type verdict struct {
	tickback.Outcome
	over bool
}

// outcome returns how the last match has ended.
func (s *session) outcome() (v verdict, err error) {
	if s.front == nil {
		return v, nil
	}
	err = s.guard(func() error {
		v.Outcome, v.over = s.front.Outcome()
		return nil
	})
	return v, err
}

// fail notes the error of the call, for tbgo_drive to write, and returns its result.
func (s *session) fail(err error, opening bool) C.tb_result {
	s.said = err.Error()
	return s.codeOf(err, opening)
}

// act does what a call is for.
func (s *session) act(what int, argument int64) (time.Duration, error) {
	switch what {
	case C.TB_DO_UPDATE:
		return s.front.Update()
	case C.TB_DO_ADVANCE:
		return s.front.Advance()
	case C.TB_DO_POLL:
		return 0, s.front.Poll()
	case C.TB_DO_WAIT:
		s.front.Wait(time.Duration(max(argument, 0)))
		return 0, nil
	case C.TB_DO_SEEK:
		if r, ok := s.front.(interface{ Seek(f tickback.Frame) error }); ok {
			if err := r.Seek(tickback.Frame(argument)); err != nil {
				return 0, &argumentError{err.Error()}
			}
			return 0, nil
		}
		return 0, &kindError{"only a replay can be moved to another frame"}
	case C.TB_DO_DELAY:
		m, ok := s.front.(interface {
			SetDelay(p tickback.Player, frames int) error
		})
		if !ok || s.kind == C.TB_KIND_SYNCTEST {
			return 0, &kindError{"only a match of tb_p2p or tb_join has an input delay that can be changed"}
		}
		if err := m.SetDelay(s.me(), int(argument)); err != nil {
			return 0, &argumentError{err.Error()}
		}
		return 0, nil
	}
	return 0, s.tell(what, argument)
}

// newest returns a list without its oldest elements, if there are more than that many.
func newest[E any](list []E, most int) []E {
	if n := len(list) - most; n > 0 {
		return append(list[:0], list[n:]...)
	}
	return list
}

// take takes the oldest element of a list, if there is one.
func take[E any](list *[]E) (first E, ok bool) {
	if len(*list) == 0 {
		return first, false
	}
	first = (*list)[0]
	if *list = (*list)[1:]; len(*list) == 0 {
		*list = nil
	}
	return first, true
}

// gather takes the events and the changes of effects, and keeps the newest, as many as the header says.
func (s *session) gather() {
	if s.front == nil {
		return
	}
	s.events = newest(append(s.events, s.front.Events()...), 256)
	if s.shared.game.kinds_len > 0 {
		s.effects = newest(append(s.effects, s.front.Effects()...), 4096)
	}
	s.shared.logs = C.uint32_t(s.log.Waiting())
	if s.shared.options.log == nil {
		s.shared.logs = 0
	}
}

// me is the player here.
func (s *session) me() tickback.Player { return tickback.Player(s.shared.options.me) }

// close ends everything. What goes wrong meanwhile has nobody to be told to.
func (s *session) close() {
	if s.stop != nil {
		s.stop() // a step that waits ends with errStopped
		s.gone = true
	}
	if s.front != nil {
		closing := s.guard(s.front.Close)
		if closing != nil && s.transport != nil {
			_ = s.transport.Close() // the front may not have come to that
		}
		_ = s.guard(func() error { s.gather(); return nil })
	}
	for _, f := range s.files {
		_ = f.Close()
	}
	if s.own != nil {
		s.own.close()
	}
	s.made.set(nil)
	s.offered.set(nil)
	s.blocks.close()
}
