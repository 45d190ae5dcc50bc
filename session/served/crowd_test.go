package served

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/stream"
)

// crowd is a server of tanks and its clients, each on a path without losses that takes the same time,
// in virtual time.
type crowd struct {
	t       testing.TB
	look    func(*tanks.State, rollback.Player) rollback.PlayerSet
	random  *rand.Rand
	server  *Server[tanks.State, tanks.Input]
	clients []*Client[tanks.State, tanks.Input]
	now     time.Duration
	way     time.Duration
	mail    []letter // in the order of its arrival
	came    []letter // for the server
	sent    []letter // by the server

	counts        bool // count what the server allocates
	allocated     uint64
	before, after runtime.MemStats
}

type letter struct {
	at    time.Duration
	to    int // a client, or -1
	from  int
	bytes []byte
}

const crowdStep = 5 * time.Millisecond

func crowdAddr(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, byte(i)}), 5000)
}

func newCrowd(t testing.TB, size int, look func(*tanks.State, rollback.Player) rollback.PlayerSet, way time.Duration) *crowd {
	t.Helper()
	c := &crowd{t: t, look: look, random: rand.New(rand.NewPCG(1, 9)), clients: make([]*Client[tanks.State, tanks.Input], size), way: way}
	var err error
	if c.server, err = NewServer(tanks.Game(1), ServerConfig{Game: crowdGame, Match: stream.Parameters{Seed: 1}, Random: c.random.Uint64}, ServerHooks[tanks.State, tanks.Input]{Sight: look, Start: startTanks}); err != nil {
		t.Fatal(err)
	}
	return c
}

// startTanks makes state 0 of a match.
func startTanks(p stream.Parameters) (func(s *tanks.State), error) {
	return tanks.Start(p.Seed, p.Data)
}

// looks are full and partial sight.
var looks = map[string]func(*tanks.State, rollback.Player) rollback.PlayerSet{"full": nil, "partial": tanks.Sight}

var crowdGame = Game{ID: "tanks", Players: 16, TickRate: tanks.TicksPerSecond}

// join has all clients come.
func (c *crowd) join() {
	c.t.Helper()
	for i := range c.clients {
		bot := tanks.Bot{Seed: uint64(i), Mood: tanks.Busy}
		var k *Client[tanks.State, tanks.Input]
		k, err := NewClient(tanks.Game(1), ClientConfig{Server: serverAddr, Game: crowdGame, ID: uint64(i + 1), Random: c.random.Uint64}, ClientHooks[tanks.State, tanks.Input]{
			Start:  startTanks,
			Sight:  c.look,
			Sample: func(p rollback.Player) tanks.Input { return bot.Input(p, k.Frame(), k.State()) },
		})
		if err != nil {
			c.t.Fatal(err)
		}
		c.clients[i] = k
	}
}

func (c *crowd) run(d time.Duration) {
	for until := c.now + d; c.now < until; c.now += crowdStep {
		c.deliver()
		c.serve()
		for _, m := range c.sent {
			m.bytes, m.at = bytes.Clone(m.bytes), c.now+c.way
			c.mail = append(c.mail, m)
		}
		for i, k := range c.clients {
			k.Update(c.now)
			for _, b := range k.Outgoing() {
				c.mail = append(c.mail, letter{at: c.now + c.way, to: -1, from: i, bytes: bytes.Clone(b)})
			}
		}
	}
}

// deliver delivers datagrams that have arrived: to clients at once, and to the server in serve.
func (c *crowd) deliver() {
	n := 0
	c.came = c.came[:0]
	for ; n < len(c.mail) && c.mail[n].at <= c.now; n++ {
		if m := &c.mail[n]; m.to < 0 {
			c.came = append(c.came, *m)
		} else {
			c.clients[m.to].Receive(c.now, serverAddr, m.bytes)
		}
	}
	c.mail = c.mail[n:]
}

// serve is everything that the server does. It counts allocations in the meantime, if requested.
func (c *crowd) serve() {
	c.sent = c.sent[:0]
	if c.counts {
		runtime.ReadMemStats(&c.before)
	}
	for i := range c.came {
		c.server.Receive(c.now, crowdAddr(c.came[i].from), c.came[i].bytes)
	}
	c.server.Update(c.now)
	c.server.Effects()
	c.server.Events()
	for to, b := range c.server.Outgoing() {
		c.sent = append(c.sent, letter{to: int(to.Addr().As4()[3]), bytes: b})
	}
	if c.counts {
		runtime.ReadMemStats(&c.after)
		c.allocated += c.after.Mallocs - c.before.Mallocs
	}
}
