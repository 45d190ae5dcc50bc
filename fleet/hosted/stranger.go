package hosted

import (
	"errors"
	"iter"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/wire/datagram"
)

// Stranger is a machine of a plan that must not get in at the server. It asks again and again until the match is over.
type Stranger struct {
	// Is says what is wrong with it, and Watches that it wants to watch instead of playing.
	Is      Strangeness
	Watches bool          `json:",omitzero"`
	Comes   time.Duration `json:",omitzero"`
	Up      netem.Link
	Down    netem.Link
}

// Strangeness is what is wrong with a [Stranger].
type Strangeness string

// The kinds of strangers.
const (
	Tokenless  Strangeness = "no token"
	Guessing   Strangeness = "another token"
	OtherGame  Strangeness = "another game"
	OtherBuild Strangeness = "another build"
	Noise      Strangeness = "noise" // it sends meaningless datagrams, and parts of those that it has received
)

// MaxStrangers is the maximum number of strangers.
const MaxStrangers = 4

// matchToken is the token that clients and spectators of a guarded plan know, and guessedToken an invented one.
const (
	matchToken   = "what the clients of a hosted plan know"
	guessedToken = "what somebody has made up for it"
)

// token returns the token of honest machines.
func (p *Plan) token() []byte {
	if p.Guarded {
		return []byte(matchToken)
	}
	return nil
}

func (p *Plan) checkStrangers() error {
	if len(p.Strangers) > MaxStrangers {
		return planError("there are %d strangers, at most %d", len(p.Strangers), MaxStrangers)
	}
	for i := range p.Strangers {
		s := &p.Strangers[i]
		switch s.Is {
		case Tokenless, Guessing:
			if !p.Guarded {
				return planError("Strangers[%d] has %s, and the match is not Guarded", i, s.Is)
			}
		case OtherGame, OtherBuild, Noise:
		default:
			return planError("Strangers[%d] is %.40q, must be %q, %q, %q, %q or %q", i, s.Is, Tokenless, Guessing, OtherGame, OtherBuild, Noise)
		}
		if s.Watches && s.Is == Noise {
			return planError("Strangers[%d] makes noise, and cannot watch", i)
		}
		if err := checkMachine(s.Comes, 0, s.Up, s.Down); err != nil {
			return planError("Strangers[%d]: %w", i, err)
		}
	}
	return nil
}

// stranger is a machine with a stranger.
type stranger[S any, I comparable] struct {
	machine
	r      *run[S, I]
	plan   *Stranger
	err    func() error // why it is over
	events func() []event.Event
	since  time.Duration // when it was switched on or last refused
	closed bool
	told   int // how often it was refused
}

// again is how long a stranger waits before it asks again.
const again = 3 * time.Second

// come switches a stranger on, again if it is over.
func (s *stranger[S, I]) come() error {
	r := s.r
	random := rand.New(rand.NewPCG(r.plan.Seed, uint64(s.number)<<16|uint64(s.lives)))
	game, token := r.about(), r.plan.token()
	switch s.plan.Is {
	case Tokenless:
		token = nil
	case Guessing:
		token = []byte(guessedToken)
	case OtherGame:
		game.ID = "another one"
	case OtherBuild:
		game.Build = "another one"
	case Noise:
		s.stays = true
		s.switchOn(&noise{random: random, server: r.server.addr}, r.now, 0, nil)
		return nil
	}
	s.closed, s.since = false, r.now
	if s.plan.Watches {
		v, err := session.NewSpectator(r.gameOf(s.number), session.SpectatorConfig{
			Hosts: []netip.AddrPort{r.server.addr}, GameID: game.ID, Build: game.Build, TickRate: r.plan.TickRate, MaxOrders: r.game.MaxOrders,
			Token: token, HashEvery: 1, Random: random.Uint64, DropAfter: r.plan.DropAfter,
		}, session.SpectatorHooks[S, I]{Start: r.start, Agreed: func(a *rollback.Agreed[I]) {
			r.violate(checkStrangers, s.number, "it has %s, and sees frame %d", s.plan.Is, a.Frame)
		}})
		if err != nil {
			return err
		}
		s.err, s.events = v.Err, v.Events
		s.switchOn(showing[S, I]{v}, r.now, 0, nil)
		return nil
	}
	cfg := served.ClientConfig{Server: r.server.addr, Game: game, Token: token, ID: uint64(s.number) << 32, DropAfter: r.plan.DropAfter, Random: random.Uint64}
	hooks := served.ClientHooks[S, I]{Start: r.start, Sample: func(Player) (none I) { return none }}
	if r.plan.Partial {
		hooks.Sight = r.game.Sight
	}
	c, err := served.NewClient(r.gameOf(s.number), cfg, hooks)
	if err != nil {
		return err
	}
	s.err, s.events = c.Err, c.Events
	s.switchOn(&playing[S, I]{Client: c}, r.now, 0, nil)
	return nil
}

// updated checks a stranger after it has done something.
func (s *stranger[S, I]) updated() {
	if s.plan.Is == Noise {
		return
	}
	r := s.r
	for _, e := range s.events() {
		r.digestText(e.String())
		switch e.What {
		case event.Closed:
			s.closed, s.since = true, r.now
			s.end()
		case event.Started, event.Joined, event.Restarted, event.Ended, event.Live:
			r.violate(checkStrangers, s.number, "it has %s, and hears: %v", s.plan.Is, &e)
		}
	}
}

// end checks how it has ended, and makes it ask again later.
func (s *stranger[S, I]) end() {
	r := s.r
	err := s.err()
	var token *admission.TokenError
	var differs *session.MismatchError
	switch {
	case errors.As(err, &token):
		if token.Missing != (s.plan.Is == Tokenless) || token.Revoked || s.plan.Is != Tokenless && s.plan.Is != Guessing {
			r.violate(checkStrangers, s.number, "it has %s, and ends with: %v", s.plan.Is, err)
		}
		s.told++
	case errors.As(err, &differs):
		if s.plan.Is != OtherGame && s.plan.Is != OtherBuild {
			r.violate(checkStrangers, s.number, "it has %s, and ends with: %v", s.plan.Is, err)
		}
		s.told++
	case r.over || r.harm(s.number, r.now-strangerTime-served.DefaultConnect, r.now) > 0:
		// Perhaps no machine has answered.
	default:
		r.violate(checkStrangers, s.number, "it has %s, and ends with: %v", s.plan.Is, err)
	}
}

// strangerTime is how long it takes, with bad luck, until a stranger knows that it is refused, plus the time for which
// one that wants to watch asks again in case its token was just changed.
const strangerTime = 6*time.Second + 4*time.Second

// lookAtStrangers is called once a second.
func lookAtStrangers[S any, I comparable](r *run[S, I]) {
	for _, s := range r.strangers {
		switch {
		case s.off || s.plan.Is == Noise || r.over:
		case s.closed && r.now >= s.since+again:
			r.must(s.come())
		case s.closed:
		case r.now > max(r.calm(s.number), s.since)+strangerTime+20*r.reach(s.number) && !r.lossExplains(s.number, strangerTime/2):
			r.violate(checkStrangers, s.number, "it has %s, has asked since %v, and was not told", s.plan.Is, s.since)
		}
	}
}

// noise is a program that sends meaningless datagrams. Many begin like valid ones, and some are datagrams that it has
// received, with a few bytes changed.
type noise struct {
	random *rand.Rand
	server netip.AddrPort
	got    [][]byte
	out    [][]byte
}

// maxGot is how many received datagrams are kept, to send parts of them.
const maxGot = 16

// Receive keeps a datagram.
func (n *noise) Receive(_ time.Duration, _ netip.AddrPort, b []byte) {
	b = append([]byte(nil), b...)
	if len(n.got) < maxGot {
		n.got = append(n.got, b)
		return
	}
	n.got[n.random.IntN(maxGot)] = b
}

// Update makes a few datagrams.
func (n *noise) Update(now time.Duration) (next time.Duration) {
	r := n.random
	for range 1 + r.IntN(3) {
		var b []byte
		switch k := r.IntN(4); {
		case k == 0 && len(n.got) > 0:
			b = append(b, n.got[r.IntN(len(n.got))]...)
			for range 1 + r.IntN(4) {
				b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
			}
		case k == 1: // it is answered
			h := datagram.Hello{Watch: true, Version: datagram.Version, Nonce: r.Uint64() | 1, Attempt: byte(r.IntN(256))}
			b = h.AppendPadded(b, datagram.MinSize)
		default:
			b = make([]byte, 1+r.IntN(datagram.MaxSize))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			if k == 2 {
				b[0] = byte(r.IntN(16))
			}
		}
		n.out = append(n.out, b)
	}
	return now + time.Duration(1+r.IntN(40))*time.Millisecond
}

// Outgoing yields the datagrams.
func (n *noise) Outgoing() iter.Seq2[netip.AddrPort, []byte] {
	return func(yield func(netip.AddrPort, []byte) bool) {
		list := n.out
		n.out = nil
		for _, b := range list {
			if !yield(n.server, b) {
				return
			}
		}
	}
}

// Urgent returns false: nothing is urgent.
func (*noise) Urgent() bool { return false }

// Worked returns no work.
func (*noise) Worked() fleet.Work { return fleet.Work{} }

// strangersLuck is the random stream of tokens, and of strangers.
const strangersLuck = 0x5E4D<<16 | 2

// drawStrangers makes clients and spectators need a token in some plans, and adds strangers. Nothing else in the plan
// changes.
func (p *Plan) drawStrangers(r *rand.Rand, length time.Duration, link func() (up, down netem.Link)) {
	if !oneIn(r, 3) {
		return
	}
	kinds := []Strangeness{OtherGame, OtherBuild, Noise}
	if p.Guarded = !oneIn(r, 3); p.Guarded {
		kinds = append(kinds, Tokenless, Guessing, Tokenless, Guessing)
	}
	for range 1 + r.IntN(3) {
		s := Stranger{Is: pick(r, kinds...), Comes: between(r, 0, length/2)}
		s.Watches = s.Is != Noise && len(p.Spectators) > 0 && oneIn(r, 3)
		s.Up, s.Down = link()
		p.Strangers = append(p.Strangers, s)
	}
}
