package served

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
)

// veil is a state whose players know their own part and that of their neighbour.
type veil struct {
	Rng    rng.Xorshift128Plus // only for Hidden
	Hidden [4]uint64           // by player, from all
	Shock  uint32              // hidden from all, and the same in both worlds
	Open   [4]uint32           // by player
	Ticks  uint32
}

const veilTicks = 600

func veilGame(step func(s *veil, k *rollback.Tick[uint16])) rollback.Game[veil, uint16] {
	return rollback.Game[veil, uint16]{Step: func(s *veil, k *rollback.Tick[uint16]) {
		s.Ticks++
		s.Shock = s.Shock*1664525 + 1013904223
		for p := range rollback.Player(4) {
			if k.Status(p) == rollback.Disconnected {
				continue
			}
			s.Open[p] += uint32(k.Input(p))
			if s.Ticks%17 == 0 {
				s.Open[p] += s.Shock >> 8 // so that no client can compute everything that it is told
			}
			s.Hidden[p] = s.Hidden[p]*31 + s.Rng.Next() + uint64(k.Input(p)) + uint64(len(k.Orders(p)))
		}
		if step != nil {
			step(s, k)
		}
		if s.Ticks == veilTicks {
			k.Finish(7)
		}
	}}
}

func veilSight(s *veil, p Player) PlayerSet {
	s.Rng, s.Hidden, s.Shock = rng.Xorshift128Plus{}, [4]uint64{}, 0
	told := rollback.SetOf(p, p^1)
	for q := range s.Open {
		if !told.Has(Player(q)) {
			s.Open[q] = 0
		}
	}
	return told
}

var veilAbout = Game{ID: "veil", Players: 4, TickRate: 50, MaxOrders: 8}

// cut is when nothing gets through between the server and the client under test.
var cut = struct{ from, to time.Duration }{5 * time.Second, 6500 * time.Millisecond}

// sentAt is what a client is sent, and when.
type sentAt struct {
	at    time.Duration
	bytes []byte
}

// other is a world with a server, in which client 0 is under test. Two worlds have the same networks and
// random numbers. They differ in the seed of the match, and in what players 2 and 3 do.
type other struct {
	t       *testing.T
	now     time.Duration
	world   uint64
	server  *Server[veil, uint16]
	clients []*Client[veil, uint16]
	chance  []*rand.Rand // by client: what its way loses
	onTheir [][]sentAt   // way to a client
	sent    []sentAt     // to client 0
	events  string
}

func veilAddr(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, byte(i)}), 4000)
}

func newOther(t *testing.T, world uint64, look func(*veil, Player) PlayerSet) *other {
	o := &other{t: t, world: world}
	var err error
	o.server, err = NewServer(veilGame(nil), ServerConfig{
		Game: veilAbout, Match: stream.Parameters{Seed: 1000 + world, Data: []byte("a map")}, Random: rand.New(rand.NewPCG(1, 1)).Uint64,
	}, ServerHooks[veil, uint16]{
		Sight: look,
		Start: func(p stream.Parameters) (func(*veil), error) {
			return func(s *veil) { *s = veil{Rng: rng.New(p.Seed), Shock: 5} }, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// come has another client connect.
func (o *other) come(look func(*veil, Player) PlayerSet) {
	i := len(o.clients)
	behind := i >= 2
	r := rand.New(rand.NewPCG(uint64(i), 5))
	deeds := rand.New(rand.NewPCG(uint64(i), 6))
	if behind { // what it does is hidden from client 0
		deeds = rand.New(rand.NewPCG(uint64(i), 7+o.world))
	}
	game := veilGame(nil)
	if i == 0 { // it requests a differing state from the server
		game = veilGame(func(s *veil, k *rollback.Tick[uint16]) {
			if k.Frame() == 420 {
				s.Open[0]++
			}
		})
	}
	c, err := NewClient(game, ClientConfig{Game: veilAbout, Server: serverAddr, Random: r.Uint64, ID: uint64(i) + 1}, ClientHooks[veil, uint16]{
		Sight:  look,
		Sample: func(Player) uint16 { return uint16(deeds.Uint32()) },
		Orders: func(Player) []byte { return make([]byte, deeds.IntN(8)*(deeds.IntN(9)/8)) },
	})
	if err != nil {
		o.t.Fatal(err)
	}
	o.clients = append(o.clients, c)
	o.chance = append(o.chance, rand.New(rand.NewPCG(uint64(i), 8)))
	o.onTheir = append(o.onTheir, nil)
}

// lost reports whether a datagram to or from a client does not get through.
func (o *other) lost(i int) bool {
	return o.chance[i].IntN(20) == 0 || i == 0 && o.now >= cut.from && o.now < cut.to
}

// run plays the whole match, in steps of a millisecond. Each datagram takes 20 ms.
func (o *other) run(look func(*veil, Player) PlayerSet) {
	for range 4 {
		o.come(look)
	}
	for ; o.now < 20*time.Second; o.now += time.Millisecond {
		switch o.now {
		case 3 * time.Second:
			o.clients[3].Leave("")
		case 4 * time.Second:
			o.come(look)
		}
		o.server.Update(o.now)
		o.post()
		for _, e := range o.server.Events() {
			o.events += e.String() + "\n"
		}
		for i, c := range o.clients {
			for len(o.onTheir[i]) > 0 && o.onTheir[i][0].at <= o.now {
				b := o.onTheir[i][0].bytes
				o.onTheir[i] = o.onTheir[i][1:]
				c.Receive(o.now, serverAddr, b)
			}
			c.Update(o.now)
			for _, b := range c.Outgoing() {
				if !o.lost(i) {
					o.server.Receive(o.now, veilAddr(i), bytes.Clone(b))
				}
			}
			o.post()
		}
	}
}

func (o *other) post() {
	for to, b := range o.server.Outgoing() {
		for i := range o.clients {
			if to != veilAddr(i) {
				continue
			}
			if i == 0 {
				o.sent = append(o.sent, sentAt{o.now, bytes.Clone(b)})
			}
			if !o.lost(i) {
				o.onTheir[i] = append(o.onTheir[i], sentAt{o.now + 20*time.Millisecond, bytes.Clone(b)})
			}
		}
	}
}

// differ plays two worlds, and returns the first difference in what client 0 is sent and in what happens
// at the server.
func differ(t *testing.T, look func(*veil, Player) PlayerSet, change func(s *Server[veil, uint16])) (worlds [2]*other, where time.Duration, what string) {
	for i := range worlds {
		worlds[i] = newOther(t, uint64(i), look)
		if change != nil {
			change(worlds[i].server)
		}
		worlds[i].run(look)
	}
	a, b := worlds[0], worlds[1]
	for i := range min(len(a.sent), len(b.sent)) {
		if x, y := a.sent[i], b.sent[i]; x.at != y.at || !bytes.Equal(x.bytes, y.bytes) {
			return worlds, x.at, fmt.Sprintf("datagram %d, at %v and %v, of %d and %d bytes", i, x.at, y.at, len(x.bytes), len(y.bytes))
		}
	}
	switch {
	case len(a.sent) != len(b.sent):
		return worlds, a.now, fmt.Sprintf("%d datagrams and %d", len(a.sent), len(b.sent))
	case a.events != b.events:
		return worlds, a.now, fmt.Sprintf("what a room is told of: %s\n%s", a.events, b.events)
	}
	return worlds, 0, ""
}

// Rule: two matches that differ only in what is hidden from a client give it the same bytes in the same
// datagrams at the same times, from the first answer to the farewell; and a room hears of the same
// events. The client loses datagrams, is cut off, and requests a state that differs.
func TestTwoWorldsThatDifferInWhatIsHidden(t *testing.T) {
	worlds, _, what := differ(t, veilSight, nil)
	if what != "" {
		t.Errorf("they differ: %s", what)
	}
	a, b := worlds[0], worlds[1]
	if x, y := a.server.Final(), b.server.Final(); x.Hidden == y.Hidden || x.Open[2] == y.Open[2] || x.Rng == y.Rng || x.Open[0] != y.Open[0] {
		t.Errorf("the worlds end with %+v and %+v", x, y)
	}
	c := a.clients[0]
	n, o := c.Counts(), a.server.outcome
	if len(a.sent) < 500 || n.Wholes < 2 || n.Updates < 200 || c.Err() != ErrEnd || c.Report() == nil || o.Result != 7 {
		t.Errorf("%d datagrams, %+v, %v, %v", len(a.sent), n, c.Err(), a.events)
	}
	if last, _ := c.Outcome(); last.Hash == 0 || last.Hash == o.Hash || last.Chain != 0 {
		t.Errorf("the client has %+v, the server %+v", last, o)
	}
}

// The negative controls: the test notices a Sight that leaves a bit too much, the seed and the hash of
// state 0 in the first message, and the hashes of whole states in the last one.
func TestTwoWorldsShowWhatLeaks(t *testing.T) {
	for _, c := range []struct {
		name     string
		look     func(*veil, Player) PlayerSet
		change   func(s *Server[veil, uint16])
		from, to time.Duration // when it shows
	}{
		{"a bit of a hidden number", func(s *veil, p Player) PlayerSet {
			bit := uint32(s.Hidden[2] & 1)
			told := veilSight(s, p)
			s.Open[3] = bit
			return told
		}, nil, 0, time.Second},
		{"whose inputs are told", func(s *veil, p Player) PlayerSet {
			odd := s.Hidden[2]&1 == 1
			told := veilSight(s, p)
			if odd {
				told |= rollback.SetOf(2)
			}
			return told
		}, nil, 0, time.Second},
		{"state 0", veilSight, func(s *Server[veil, uint16]) { s.log.told = s.log.offer }, 0, time.Second},
		{"the last state", veilSight, func(s *Server[veil, uint16]) { s.log.partial = false }, 11 * time.Second, 14 * time.Second},
	} {
		if _, at, what := differ(t, c.look, c.change); what == "" || at < c.from || at > c.to {
			t.Errorf("%s: it shows at %v: %q", c.name, at, what)
		}
	}
}

// Rule: a client with partial sight takes no part in a match whose server sends it the seed, or the hash
// of state 0.
func TestAnOfferThatRevealsIsRefused(t *testing.T) {
	for _, c := range []struct {
		seed, state uint64
		refused     bool
	}{{0, 0, false}, {1, 0, true}, {0, 1, true}} {
		o := newOther(t, 0, veilSight)
		o.server.log.told.Seed, o.server.log.told.State = c.seed, c.state
		o.come(veilSight)
		for ; o.now < time.Second; o.now += time.Millisecond {
			o.server.Update(o.now)
			o.clients[0].Update(o.now)
			for to, b := range o.server.Outgoing() {
				if to == veilAddr(0) {
					o.clients[0].Receive(o.now, serverAddr, b)
				}
			}
			for _, b := range o.clients[0].Outgoing() {
				o.server.Receive(o.now, veilAddr(0), bytes.Clone(b))
			}
		}
		if refused := o.clients[0].Err() != nil; refused != c.refused {
			t.Errorf("%+v: %v", c, o.clients[0].Err())
		}
	}
}

// Rule: a client compares the last state that it knows with the hash that the server sends for it.
func TestAClientVerifiesTheLastState(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		o := newOther(t, 0, veilSight)
		o.run(veilSight)
		c := o.clients[1]
		if c.Final() == nil || !c.match.verified {
			t.Fatalf("it has no last state: %v", c.Err())
		}
		got, _ := c.Outcome()
		if got.Health != stream.Healthy {
			t.Errorf("the client is %v", got.Health)
		}
		if c.Events(); wrong {
			c.match.outcome.Hash++
		}
		c.match.verified = false
		c.clientMatch.verify(&c.match, c.Final())
		c.clientMatch.verify(&c.match, c.Final())
		desyncs := 0
		for _, e := range c.Events() {
			if e.What == event.Desync && e.Frame == veilTicks && e.Ours != e.Theirs {
				desyncs++
			}
		}
		got, _ = c.Outcome()
		if (got.Health == stream.Desynced) != wrong || c.Health() != got.Health || (desyncs == 1) != wrong {
			t.Errorf("another hash %v: it is %v, with %d events", wrong, got.Health, desyncs)
		}
	}
}
