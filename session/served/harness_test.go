package served_test

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/session/stream"
)

type (
	server = served.Server[tanks.State, tanks.Input]
	client = served.Client[tanks.State, tanks.Input]
)

const ms = time.Millisecond

// house is a server with its clients, on a network in virtual time. Node 0 is the server.
type house struct {
	t       testing.TB
	net     *netem.Datagrams
	now     time.Duration
	look    func(*tanks.State, rollback.Player) rollback.PlayerSet
	plan    *canon.Plan[tanks.State]
	game    rollback.Game[tanks.State, tanks.Input]
	server  *server
	clients []*guest // by node - 1; nil: there is none
	wake    []time.Duration
	states  []tanks.State // of the server, by number
	events  []string
	random  *rand.Rand
	tune    func(c *served.ClientConfig)
	spent   time.Duration                   // in the server
	ran     []time.Duration                 // when the server ran each tick
	tap     func(datagram []byte)           // sees what the server sends to clients
	sleepy  bool                            // it runs more ticks at once than are held, so clients are not checked
	rise    func(node int, datagram []byte) // sees what clients send
}

// guest is a client with its checks.
type guest struct {
	*client
	bot      tanks.Bot
	checked  rollback.Frame
	compared int
	pause    bool                                // its bot does nothing
	deaf     bool                                // it is not checked
	slow     time.Duration                       // how long a tick takes on its machine, if that is long
	plain    bool                                // it is told states as such
	player   func(p rollback.Player) tanks.Input // plays instead of the bot, if given
	made     []time.Duration                     // when it first ran each tick; 0 for those before it joined
}

// mark notes when ticks have run.
func (g *guest) mark(now time.Duration) {
	for f := rollback.Frame(len(g.made)); f < g.Frame(); f++ {
		g.made = append(g.made, now)
	}
}

func addr(node int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(node), 1}), 5000)
}

func newHouse(t testing.TB, seed uint64, nodes int, link netem.Link, look func(*tanks.State, rollback.Player) rollback.PlayerSet, tune func(c *served.ServerConfig, h *served.ServerHooks[tanks.State, tanks.Input])) *house {
	t.Helper()
	return newHouseOf(t, tanks.Game(seed), seed, nodes, link, look, tune)
}

// newHouseOf is newHouse with a game that begins differently.
func newHouseOf(t testing.TB, game rollback.Game[tanks.State, tanks.Input], seed uint64, nodes int, link netem.Link, look func(*tanks.State, rollback.Player) rollback.PlayerSet, tune func(c *served.ServerConfig, h *served.ServerHooks[tanks.State, tanks.Input])) *house {
	t.Helper()
	h := &house{t: t, look: look, game: game, random: rand.New(rand.NewPCG(seed, 3)), clients: make([]*guest, nodes), wake: make([]time.Duration, nodes+1)}
	var err error
	if h.net, err = netem.NewDatagrams(nodes+1, seed, 1000); err != nil {
		t.Fatal(err)
	}
	if err := h.net.SetAll(link); err != nil {
		t.Fatal(err)
	}
	if h.plan, err = canon.PlanFor[tanks.State](); err != nil {
		t.Fatal(err)
	}
	cfg := served.ServerConfig{Game: h.about(), Random: h.random.Uint64}
	hooks := served.ServerHooks[tanks.State, tanks.Input]{Sight: look}
	if look != nil {
		cfg.Match.Seed, hooks.Start = seed+1, start
	}
	if tune != nil {
		tune(&cfg, &hooks)
	}
	if h.server, err = served.NewServer(h.game, cfg, hooks); err != nil {
		t.Fatal(err)
	}
	h.states = append(h.states, *h.server.State())
	return h
}

func (h *house) about() served.Game {
	return served.Game{ID: "tanks", Build: "1", Players: 16, TickRate: tanks.TicksPerSecond}
}

// start makes state 0 of a match whose seed is not the game's.
func start(p stream.Parameters) (func(s *tanks.State), error) { return tanks.Start(p.Seed, p.Data) }

// join has a client come at a node.
func (h *house) join(node int) *guest {
	h.t.Helper()
	g := &guest{bot: tanks.Bot{Seed: uint64(node), Mood: tanks.Busy}}
	cfg := served.ClientConfig{Server: addr(0), Game: h.about(), ID: uint64(1000 + node), Random: h.random.Uint64}
	if h.tune != nil {
		h.tune(&cfg)
	}
	hooks := served.ClientHooks[tanks.State, tanks.Input]{
		Sight: h.look,
		Sample: func(p rollback.Player) tanks.Input {
			switch {
			case g.pause:
				return tanks.Input{}
			case g.player != nil:
				return g.player(p)
			}
			return g.bot.Input(p, g.Frame(), g.State())
		},
	}
	if h.look != nil {
		hooks.Start = start
	}
	var err error
	if g.client, err = served.NewClient(h.game, cfg, hooks); err != nil {
		h.t.Fatal(err)
	}
	h.clients[node-1], h.wake[node] = g, h.now
	return g
}

// run lets time pass.
func (h *house) run(d time.Duration) {
	h.t.Helper()
	for until := h.now + d; ; {
		next := min(h.wake[0], until)
		for node, g := range h.clients {
			if g != nil {
				next = min(next, h.wake[node+1])
			}
		}
		if at, any := h.net.Next(); any {
			next = min(next, at)
		}
		h.now = max(h.now, next)
		for d, any := h.net.Receive(h.now); any; d, any = h.net.Receive(h.now) {
			if d.To == 0 {
				start := time.Now()
				h.server.Receive(d.At, addr(d.From), d.Payload)
				h.spent += time.Since(start)
			} else if g := h.clients[d.To-1]; g != nil {
				if g.Urgent() {
					h.wake[d.To] = h.now
				}
				g.Receive(d.At, addr(0), d.Payload)
				h.check(g)
			}
			h.send()
		}
		if h.now >= h.wake[0] {
			start := time.Now()
			h.wake[0] = max(turn(h.server, h.now), h.now+ms/10)
			h.spent += time.Since(start)
			h.note()
		}
		for node, g := range h.clients {
			if g != nil && h.now >= h.wake[node+1] {
				if h.wake[node+1] = h.now + g.slow; g.slow > 0 {
					g.Update(h.now) // one tick
				} else {
					h.wake[node+1] = max(turn(g, h.now), h.now+ms/10)
				}
				g.mark(h.now)
				h.check(g)
			}
		}
		h.send()
		if h.now >= until {
			return
		}
	}
}

// note stores the newest state of the server.
func (h *house) note() {
	for f := rollback.Frame(len(h.states)); f <= h.server.Frame(); f++ {
		s := h.server.StateAt(f)
		if s == nil && !h.sleepy {
			h.t.Fatalf("state %d is not held", f)
		}
		if s == nil {
			s = new(tanks.State)
		}
		h.states = append(h.states, *s)
		h.ran = append(h.ran, h.now)
	}
	for _, e := range h.server.Events() {
		h.events = append(h.events, e.String())
	}
}

func (h *house) send() {
	for to, b := range h.server.Outgoing() {
		if node := int(to.Addr().As4()[2]); node > 0 && node <= len(h.clients) {
			h.net.Send(h.now, 0, node, b)
			if h.tap != nil {
				h.tap(b)
			}
		}
	}
	for node, g := range h.clients {
		if g == nil {
			continue
		}
		for _, b := range g.Outgoing() {
			h.net.Send(h.now, node+1, 0, b)
			if h.rise != nil {
				h.rise(node+1, b)
			}
		}
	}
}

// check compares the newest state that a client knows with the server's.
func (h *house) check(g *guest) {
	h.t.Helper()
	f := g.Known()
	if h.look == nil && !g.plain { // the engine corrects received data with its next tick
		f = min(f, g.Inspect().Final())
	}
	if g.Phase() != session.Playing || f == g.checked || g.deaf || h.sleepy {
		return
	}
	g.checked = f
	got := g.StateAt(f)
	if got == nil {
		h.t.Fatalf("state %d is known, and not held: frame %d", f, g.Frame())
	}
	p, _ := g.Player()
	want := h.states[f]
	if h.look != nil {
		h.look(&want, p)
	}
	if g.compared++; !h.plan.Equal(got, &want) {
		h.t.Fatalf("player %d, state %d: %v", p, f, h.plan.Diff(got, &want, 5))
	}
}

func both(t *testing.T, f func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet)) {
	t.Run("full", func(t *testing.T) { f(t, nil) })
	t.Run("partial", func(t *testing.T) { f(t, tanks.Sight) })
}

// turn makes a server or a client do everything that is due, one tick at a time.
func turn(m interface {
	Update(now time.Duration) time.Duration
	Frame() rollback.Frame
}, now time.Duration,
) (next time.Duration) {
	for {
		before := m.Frame()
		if next = m.Update(now); next > now || m.Frame() == before {
			return next
		}
	}
}
