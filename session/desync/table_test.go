package desync

import (
	"bytes"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/agreed"
)

const (
	tick          = 16 * time.Millisecond
	tablePatience = time.Second
)

// table is a match of some machines in virtual time. Each knows only what the others
// send; the table knows everything.
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

// letter is a message on its way.
type letter struct {
	at       time.Duration
	from, to int
	kind     Kind
	body     []byte
}

// newTable begins a match. Each byte is the players of one machine.
func newTable(tb testing.TB, cfg Config, g toy, players ...uint16) *table {
	all := uint16(0)
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
		s.Begin(Report{Game: "toy", Build: "1", Match: match, TickRate: 60, Seed: 3, Content: 4, Limit: 5, Data: []byte("stage"), Whole: true})
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
