package desync

import (
	"bytes"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/wire/agreed"
)

const (
	tick          = 16 * time.Millisecond
	tablePatience = time.Second
)

// table is a match of some machines in virtual time. Each knows of the others only what
// they send; the table knows all of it.
type table struct {
	testing.TB
	cfg     Config
	now     time.Duration
	delay   time.Duration // of messages
	late    uint32        // frames after which a state is compared
	frame   uint32
	seats   []*seat
	letters []letter
	suspect bool // states are compared; else nobody suspects anything by itself
}

// seat is one of the machines.
type seat struct {
	*Investigation
	t        *table
	index    int
	players  byte
	game     *toy
	past     past
	evidence Evidence
	history  [][]byte                     // its states
	glitch   func(s []byte, frame uint32) // what befalls its state in the match, and not again
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

// result is what an investigation came to.
type result struct {
	at     time.Duration
	report []byte
	why    string
}

// letter is a message on its way.
type letter struct {
	at       time.Duration
	from, to int
	kind     Kind
	body     []byte
}

// newTable begins a match. Each machine has one of the bytes for its players.
func newTable(tb testing.TB, cfg Config, g toy, players ...byte) *table {
	all := byte(0)
	for _, p := range players {
		all |= p
	}
	cfg.Shape = agreed.Shape{InputSize: max(cfg.Shape.InputSize, 1)}
	for ; all != 0; all >>= 1 {
		cfg.Shape.Players++
	}
	cfg.Marshals = true
	t := &table{TB: tb, cfg: cfg, delay: tick, late: 10, suspect: true}
	for i, p := range players {
		game := g
		s := &seat{t: t, index: i, players: p, game: &game}
		s.evidence.Init(cfg, &s.past)
		setup := Setup{
			Own: p, Machine: "machine " + string('A'+rune(i)), Game: s.game, Evidence: &s.evidence, Period: tick, Patience: tablePatience,
			Send: s.send, Ready: func(int) bool { return !s.busy },
		}
		for j, o := range players {
			if i != j {
				setup.Peers = append(setup.Peers, o)
			}
		}
		s.Investigation = New(setup)
		t.seats = append(t.seats, s)
	}
	t.begin(1)
	return t
}

// begin begins a match.
func (t *table) begin(match uint32) {
	t.frame, t.letters = 0, nil
	for _, s := range t.seats {
		s.past, s.results, s.history = past{TB: t}, nil, nil
		s.evidence.Reset()
		s.capture(make([]byte, s.game.size))
		s.Begin(Facts{Game: "toy", Build: "1", Match: match, TickRate: 60, Seed: 3, Content: 4, Limit: 5, Data: []byte("stage")})
	}
}

// other is the seat that a peer of this one is at.
func (s *seat) other(peer int) int {
	if peer >= s.index {
		return peer + 1
	}
	return peer
}

// peer is what a seat is called at another one.
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

// run lets frames pass.
func (t *table) run(frames int) {
	t.Helper()
	for range frames {
		f := agreed.Frame{Number: t.frame, Inputs: make([]byte, t.cfg.Shape.Players*t.cfg.Shape.InputSize)}
		for i := range f.Inputs {
			f.Inputs[i] = byte((t.frame + 1) * 0x9E3779B1 >> (5 + i%11))
		}
		for _, s := range t.seats {
			s.play(f)
		}
		t.frame++
		t.compare()
		for range 4 {
			t.now += tick / 4
			t.deliver()
			for _, s := range t.seats {
				s.update()
			}
		}
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

// compare compares the state that is due, as a session does by chains.
func (t *table) compare() {
	if t.frame <= t.late || (t.frame-t.late)%t.cfg.Every != 0 {
		return
	}
	state := t.frame - t.late
	same := t.firstDifference() > state
	for _, s := range t.seats {
		switch {
		case same:
			s.evidence.Verified(state, t.frame)
		case t.suspect && !s.gone:
			s.Suspect(state, t.now)
		}
	}
}

// firstDifference is the first hashed state that is not the same everywhere, or None.
func (t *table) firstDifference() uint32 {
	for n := uint32(1); n <= t.frame; n++ {
		for _, s := range t.seats {
			if n%t.cfg.HashEvery == 0 && !bytes.Equal(s.history[n], t.seats[0].history[n]) {
				return n
			}
		}
	}
	return None
}

// leave takes a machine away.
func (t *table) leave(seat int) {
	t.seats[seat].gone = true
	for _, s := range t.seats {
		if s.index != seat {
			s.Lost(s.peer(seat))
		}
	}
}

// deliver brings the messages that are due.
func (t *table) deliver() {
	waiting := t.letters
	t.letters = nil
	for _, l := range waiting {
		to := t.seats[l.to]
		switch {
		case l.at > t.now:
			t.letters = append(t.letters, l)
		case !to.gone && !t.seats[l.from].gone:
			if err := to.Receive(to.peer(l.from), l.kind, l.body, t.now); err != nil {
				t.Errorf("seat %d is sent a message of kind %d that breaks the protocol: %v", l.to, l.kind, err)
			}
		}
	}
}

// update does what is due, and checks that it is not more than a period allows.
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
func (p *past) Next() uint32  { return uint32(len(p.frames)) }

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
