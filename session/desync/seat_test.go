package desync

import (
	"bytes"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/wire/agreed"
)

// seat is one of the machines.
type seat struct {
	*Investigation
	t        *table
	index    int
	players  uint16
	game     *toy
	past     past
	evidence Evidence
	history  [][]byte                     // its states
	glitch   func(s []byte, frame uint32) // what happens to its state in the match, and not when it is resimulated
	cheat    func(inputs []byte, frame uint32)
	silent   func(kind Kind, body []byte) bool // what it does not send
	gone     bool
	busy     bool // it takes no pieces of a report
	promised time.Duration
	working  bool // Update is called
	pieces   map[int]int
	sent     [Kinds]int
	results  []result
}

// result is the outcome of an investigation.
type result struct {
	at     time.Duration
	report []byte
	why    string
}

// other returns the seat of a peer of this one.
func (s *seat) other(peer int) int {
	if peer >= s.index {
		return peer + 1
	}
	return peer
}

// peer returns the index that a seat has at another one.
func (s *seat) peer(seat int) int {
	if seat > s.index {
		return seat - 1
	}
	return seat
}

// capture takes the next state.
func (s *seat) capture(state []byte) {
	n := uint32(len(s.history))
	s.history = append(s.history, state)
	if s.evidence.Wants(n) {
		s.evidence.Keep(n, append(s.evidence.Buffer(), state...))
	}
	if s.t.cfg.HashEvery > 0 && n > 0 && n%s.t.cfg.HashEvery == 0 && s.evidence.On() {
		s.evidence.Hash(n, xxh3.Hash(state))
	}
}

// play runs a frame in the match.
func (s *seat) play(f agreed.Frame) {
	f.Inputs = bytes.Clone(f.Inputs)
	if s.cheat != nil {
		s.cheat(f.Inputs, f.Number)
	}
	s.past.frames = append(s.past.frames, f)
	state := bytes.Clone(s.history[f.Number])
	s.game.step(state, f.Number, f.Inputs)
	if s.glitch != nil {
		s.glitch(state, f.Number)
	}
	s.capture(state)
}

// update does what is due, and checks that it is not more than is allowed in a
// period.
func (s *seat) update() {
	if s.gone || s.Quiet() {
		return
	}
	if s.phase == running && s.evidence.On() && !s.past.frozen {
		s.t.Errorf("seat %d looks into what it still forgets", s.index)
	}
	early, steps := s.t.now < s.promised, s.game.steps
	s.working, s.pieces = true, map[int]int{}
	sent := s.sent
	s.promised = s.Update(s.t.now)
	s.working = false
	if early && (sent != s.sent || steps != s.game.steps) {
		s.t.Errorf("seat %d works before it is due", s.index)
	}
	if s.promised <= s.t.now || s.promised > s.t.now+tick {
		s.t.Errorf("at %v the next is due at %v", s.t.now, s.promised)
	}
	if s.game.steps > steps+4 {
		s.t.Errorf("%d frames are run in one period", s.game.steps-steps)
	}
	if report, why, ok := s.Result(); ok {
		s.results = append(s.results, result{s.t.now, report, why})
	}
	if _, _, ok := s.Result(); ok {
		s.t.Error("there is a result twice")
	}
}

// send is what an investigation sends.
func (s *seat) send(peer int, kind Kind, body []byte) {
	if !s.working && kind != Suspect {
		s.t.Errorf("seat %d sends a message of kind %d while it receives one", s.index, kind)
	}
	if s.Report() != nil && kind != Piece {
		s.t.Errorf("seat %d has a report, and sends a message of kind %d", s.index, kind)
	}
	if len(body) > 8<<10 {
		s.t.Errorf("a message of kind %d has %d bytes", kind, len(body))
	}
	if kind == Piece && body[0]|body[1]|body[2]|body[3] != 0 {
		if s.pieces[peer]++; s.pieces[peer] > 1 || s.busy || len(body) > 2<<10+8 {
			s.t.Errorf("piece %d in one period, of %d bytes, busy %v", s.pieces[peer], len(body), s.busy)
		}
	}
	s.sent[kind]++
	if s.gone || s.silent != nil && s.silent(kind, body) {
		return
	}
	s.t.letters = append(s.t.letters, letter{s.t.now + s.t.delay, s.index, s.other(peer), kind, bytes.Clone(body)})
}

// past is the agreed frames of a machine.
type past struct {
	testing.TB
	frames []agreed.Frame
	first  uint32
	end    uint32 // frames from there on have no room, unless it is 0
	frozen bool
}

func (p *past) First() uint32 { return p.first }

func (p *past) Next() uint32 { return uint32(len(p.frames)) }

func (p *past) Frame(n uint32) *agreed.Frame {
	if n < p.first || n >= p.Next() || p.end > 0 && n >= p.end {
		return nil
	}
	return &p.frames[n]
}

func (p *past) Freeze() { p.frozen = true }

func (p *past) Forget(before uint32) {
	if p.frozen {
		p.Error("inputs are forgotten that are to be kept")
	}
	p.first = max(p.first, before)
}
