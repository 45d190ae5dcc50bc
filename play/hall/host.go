package hall

import (
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/transport/joint"
	"github.com/tickback/tickback/transport/memory"
)

// hostedMatch is a match that we own, for a room: its server, and the bots, which are clients of it like our own
// player.
type hostedMatch struct {
	app     *app.App
	room    *online.Room
	server  *tickback.Server[tanks.State, tanks.Input]
	network *memory.Network
	home    *memory.Conn // the server's connection
	build   string
	fill    int
	roster  online.Roster
	at      map[tickback.Player]netip.AddrPort // the addresses of clients
	mine    netip.AddrPort                     // the address of our own client
	bots    []*bot
	leaving sync.WaitGroup // waits for bots that leave
	botAt   time.Time      // when the next one may join or leave
	tellAt  time.Time      // when the room may be updated next
	overAt  time.Time
	news    []string
}

// bot is a client without a person.
type bot struct {
	*client
	name string
	at   netip.AddrPort
}

const (
	// botEvery is the time between two bots that join or leave.
	botEvery = 400 * time.Millisecond
	// tellEvery is the minimum time between two updates that tell the room who is playing.
	tellEvery = time.Second
)

// newHostedMatch becomes the owner of the match that the room has begun.
func newHostedMatch(a *app.App, r *online.Room, c *Config) (*hostedMatch, error) {
	h := &hostedMatch{app: a, room: r, network: memory.New(), build: c.Build, fill: c.Fill, at: map[tickback.Player]netip.AddrPort{}}
	h.home = h.network.Open()
	o := tickback.ServerOptions[tanks.State, tanks.Input]{
		Players: tanks.MaxPlayers, TickRate: tanks.TicksPerSecond, Start: app.StartTanks,
		Match: tickback.Parameters{Seed: uint64(a.NextSeed()), Frames: c.Ticks},
		Carry: tanks.Carry, Correct: tanks.Correct,
	}
	var err error
	h.server, err = online.Serve(r, tanks.Game(0), o, func(room tickback.Transport) tickback.Transport {
		return joint.New(joint.Route{Part: h.home, Owns: memory.Owns}, joint.Route{Part: room, Owns: online.OwnsAddress})
	})
	return h, err
}

// connect makes our own client, which needs no network.
func (h *hostedMatch) connect(o options) (*client, error) {
	c := h.network.Open()
	o.Server, o.Transport = h.home.LocalAddr(), c
	m, err := tickback.Connect(tanks.Game(0), o)
	if err == nil {
		h.mine = c.LocalAddr()
	}
	return m, err
}

// update runs the ticks that are due, also for the bots. It reports whether the match is over.
func (h *hostedMatch) update(now time.Time) (over bool, err error) {
	_, err = h.server.Update()
	for _, e := range h.server.Events() {
		h.heard(&e)
	}
	h.server.Effects() // nothing uses the server's effects
	h.runBots()
	if !now.Before(h.tellAt) {
		h.tellAt = now.Add(tellEvery)
		_ = h.roster.Publish(h.room) // it will be tried again
	}
	if _, over = h.server.Outcome(); over {
		if h.overAt.IsZero() {
			h.overAt = now
		}
		return true, nil
	}
	h.balance(now)
	return false, err
}

// takeNews returns what there is to tell our player, once.
func (h *hostedMatch) takeNews() []string {
	news := h.news
	h.news = nil
	return news
}

// setFill sets the number of tanks up to which bots are added.
func (h *hostedMatch) setFill(n int) { h.fill = n }

// heard handles an event about a client that joined or left.
func (h *hostedMatch) heard(e *tickback.Event) {
	before := h.roster.Names()
	h.roster.Hear(h.room, e)
	for p := range e.Players.All() {
		switch e.What {
		case tickback.Joined:
			h.at[p], _ = netip.ParseAddrPort(e.Text) // the server has written it
			h.named(p)
			if !memory.Owns(h.at[p]) {
				h.news = append(h.news, words.N(1, "%[2]s is here", "%[2]s are here", h.roster.Name(p)))
			}
		case tickback.Left, tickback.Lost, tickback.Dropped:
			if !memory.Owns(h.at[p]) && h.overAt.IsZero() {
				h.news = append(h.news, words.N(1, "%[2]s has left.", "%[2]s have left.", before[p]))
			}
			delete(h.at, p)
		}
	}
}

// named names a player that is connected through memory: ourselves, or a bot.
func (h *hostedMatch) named(p tickback.Player) {
	if h.at[p] == h.mine {
		h.roster.Set(p, h.room.Me().Name)
	}
	for _, b := range h.bots {
		if b.at == h.at[p] {
			h.roster.Set(p, b.name)
		}
	}
}

// outside reports whether a player is on another machine.
func (h *hostedMatch) outside(p tickback.Player) bool {
	at, here := h.at[p]
	return here && !memory.Owns(at)
}

// people returns the number of players that are not bots.
func (h *hostedMatch) people() (n int) {
	for p := range h.server.Members().All() {
		if at := h.at[p]; at == h.mine || !memory.Owns(at) {
			n++
		}
	}
	return n
}

// balance adds bots while there are too few tanks, and removes them when people have joined.
func (h *hostedMatch) balance(now time.Time) {
	if now.Before(h.botAt) {
		return
	}
	h.botAt = now.Add(botEvery)
	switch want := max(h.fill-h.people(), 0); {
	case len(h.bots) < want:
		if b := h.newBot(); b != nil {
			h.bots = append(h.bots, b)
		}
	case len(h.bots) > want:
		h.dismiss(h.bots[len(h.bots)-1])
	}
}

// newBot makes a bot, or returns nil if that is not possible.
func (h *hostedMatch) newBot() *bot {
	names, b := h.roster.Names(), new(bot)
	for _, name := range app.TankNames {
		taken := slices.Contains(names[:], name) || slices.ContainsFunc(h.bots, func(b *bot) bool { return b.name == name })
		if !taken {
			b.name = name
			break
		}
	}
	mind := tanks.Bot{Seed: uint64(h.app.NextSeed()), Mood: tanks.Busy}
	conn := h.network.Open()
	b.at = conn.LocalAddr()
	var err error
	b.client, err = tickback.Connect(tanks.Game(0), options{
		Server: h.home.LocalAddr(), Transport: conn, Players: tanks.MaxPlayers, GameID: tanks.ID, Build: h.build,
		TickRate: tanks.TicksPerSecond, Start: app.StartTanks, PerTick: 1,
		Sample: func(p tickback.Player) tanks.Input {
			v := b.View()
			return mind.Input(p, v.Frame, v.Current)
		},
	})
	if err != nil {
		_ = conn.Close()
		return nil
	}
	return b
}

// runBots runs the bots; one that has failed is replaced.
func (h *hostedMatch) runBots() {
	for _, b := range slices.Clone(h.bots) {
		_, err := b.Update()
		b.Effects()
		b.Events()
		if err != nil {
			h.dismiss(b)
		}
	}
}

// dismiss removes a bot. The server has to learn about it, so this takes a moment, in the background.
func (h *hostedMatch) dismiss(b *bot) {
	h.bots = slices.DeleteFunc(h.bots, func(c *bot) bool { return c == b })
	h.leaving.Go(func() { _ = b.Close() })
}

// kicker is the reason of a kick, as it appears in logs: other machines show texts of their own.
const kicker = "host"

// sendAway kicks a player from the match, and the player's member from the room.
func (h *hostedMatch) sendAway(p tickback.Player) {
	id, member := peers.IDOf(h.at[p])
	_ = h.server.Kick(p, kicker) // it may have left already
	if member {
		_ = h.room.Kick(id) // a refusal is an event
	}
}

// leave ends the match for all. It returns a function that waits until they have been informed.
func (h *hostedMatch) leave() (wait func()) {
	for _, b := range slices.Clone(h.bots) {
		h.dismiss(b)
	}
	return func() {
		_ = h.server.Close()
		h.leaving.Wait()
	}
}
