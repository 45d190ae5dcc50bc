package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/cmd/cli/internal/live"
)

// stage has machines that run commands, and reach each other in virtual time: that of the bubble of testing/synctest in
// which it was made. Datagrams take 10 ms, and none is lost.
type stage struct {
	t     *testing.T
	mu    sync.Mutex
	ports map[netip.AddrPort]*port
	last  uint16 // port that was given to who wanted any
	all   sync.WaitGroup

	lockstep bool // players predict nothing
}

func newStage(t *testing.T) *stage {
	return &stage{t: t, ports: map[netip.AddrPort]*port{}, last: 50000}
}

// port is a socket of a machine.
type port struct {
	stage  *stage
	owner  *machine
	here   netip.AddrPort
	queue  []letter
	notify chan struct{}
	closed bool
}

type letter struct {
	from  netip.AddrPort
	bytes []byte
	at    time.Time
}

func (s *stage) listen(m *machine, at string) (live.Socket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	here, err := netip.ParseAddrPort("127.0.0.1" + at[strings.LastIndex(at, ":"):])
	if err != nil {
		return nil, err
	}
	if here.Port() == 0 {
		s.last++
		here = netip.AddrPortFrom(here.Addr(), s.last)
	}
	if s.ports[here] != nil {
		return nil, errors.New("another machine of the stage is there")
	}
	p := &port{stage: s, owner: m, here: here, notify: make(chan struct{}, 1)}
	s.ports[here] = p
	return p, nil
}

func (p *port) Send(to netip.AddrPort, b []byte) error {
	p.stage.mu.Lock()
	defer p.stage.mu.Unlock()
	if p.closed {
		return net.ErrClosed
	}
	if !p.owner.cut {
		b = bytes.Clone(b)
		time.AfterFunc(10*time.Millisecond, func() { p.stage.deliver(p.here, to, b) })
	}
	return nil
}

func (s *stage) deliver(from, to netip.AddrPort, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.ports[to]
	if p == nil || p.owner.cut {
		return
	}
	p.queue = append(p.queue, letter{from, b, time.Now()})
	select {
	case p.notify <- struct{}{}:
	default:
	}
}

func (p *port) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	p.stage.mu.Lock()
	defer p.stage.mu.Unlock()
	if len(p.queue) == 0 {
		return 0, from, at, false
	}
	l := p.queue[0]
	p.queue = p.queue[1:]
	return copy(buf, l.bytes), l.from, l.at, true
}

func (p *port) Close() error {
	p.stage.mu.Lock()
	defer p.stage.mu.Unlock()
	if !p.closed {
		p.closed = true
		delete(p.stage.ports, p.here)
	}
	return nil
}

func (p *port) Notify() <-chan struct{}      { return p.notify }
func (p *port) LocalAddr() netip.AddrPort    { return p.here }
func (p *port) Reaches(netip.AddrPort) error { return nil }

func (p *port) Resolve(_ context.Context, address string) (netip.AddrPort, error) {
	return netip.ParseAddrPort(address)
}

// machine runs a command, or a program with a session of its own.
type machine struct {
	stage   *stage
	cut     bool // it neither sends nor receives
	cancel  context.CancelFunc
	done    chan struct{}
	output  bytes.Buffer // stderr, with the log
	code    int
	program bool
}

type (
	toySession = tickback.Session[clitest.Toy]
	// opener opens the session of a program.
	opener func(t tickback.Transport, log *slog.Logger) (toySession, error)
)

// program runs a session until Update returns an error, or until stop returns true, after which it closes the session.
// The result is the error.
func (s *stage) program(at string, open opener, stop func(m toySession, over bool) bool) *machine {
	m := &machine{stage: s, done: make(chan struct{}), program: true}
	socket, err := s.listen(m, at)
	if err != nil {
		s.t.Fatal(err)
	}
	session, err := open(socket, slog.New(slog.NewJSONHandler(&m.output, nil)))
	if err != nil {
		s.t.Fatal(err)
	}
	s.all.Go(func() {
		defer close(m.done)
		for err == nil {
			var wait time.Duration
			wait, err = session.Update()
			session.Events()
			if _, over := session.Outcome(); err == nil && stop != nil && stop(session, over) {
				break
			}
			time.Sleep(min(wait, 5*time.Millisecond))
		}
		if closed := session.Close(); err == nil && closed == nil {
			_, err = session.Update()
		}
		fmt.Fprintf(&m.output, "`%s`\n", nameOf(err))
	})
	return m
}

// nameOf is the name of an error in package tickback.
func nameOf(err error) string {
	switch {
	case err == tickback.ErrEnd:
		return "ErrEnd"
	case err == tickback.ErrClosed:
		return "ErrClosed"
	}
	name := fmt.Sprintf("%T", err)
	return "*" + name[strings.Index(name, ".")+1:]
}

// run starts a command, which logs as JSON to stderr, among its other output.
func (s *stage) run(g cli.Game, args ...string) *machine {
	ctx, cancel := context.WithCancel(s.t.Context())
	m := &machine{stage: s, cancel: cancel, done: make(chan struct{})}
	ctx = live.On(ctx, func(listen string, _ bool) (live.Socket, error) { return s.listen(m, listen) })
	s.all.Go(func() {
		defer close(m.done)
		m.code = cli.Run(ctx, "toybox", append(args, "--log", "-", "--log-format", "json"), strings.NewReader(""), io.Discard, &m.output, g)
	})
	return m
}

// interrupt is Ctrl-C.
func (m *machine) interrupt() {
	m.cancel()
	<-m.done
}

// reach cuts all links of a machine, or restores them.
func (m *machine) reach(others bool) {
	m.stage.mu.Lock()
	defer m.stage.mu.Unlock()
	m.cut = !others
}

// kill ends a command without notifying the others.
func (m *machine) kill() {
	m.reach(false)
	m.interrupt()
}

// heard returns what a machine has logged about an event, and whether it has logged it exactly once.
func (m *machine) heard(event string) (level, text string, once bool) {
	n := 0
	for line := range strings.Lines(m.output.String()) {
		var r struct{ Level, Msg, Text string }
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &r) == nil && r.Msg == event {
			level, text = r.Level, r.Text
			n++
		}
	}
	return level, text, n == 1
}

// said returns the last line for people.
func (m *machine) said() (last string) {
	for line := range strings.Lines(m.output.String()) {
		if !strings.HasPrefix(line, "{") {
			last = strings.TrimSuffix(line, "\n")
		}
	}
	return last
}

// play lets time pass.
func (s *stage) play(d time.Duration) { time.Sleep(d) }

// wait returns when all have ended.
func (s *stage) wait() { s.all.Wait() }
