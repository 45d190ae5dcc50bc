package served

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// count is a game in which every input counts.
type count struct{ Sum, Ticks [3]int64 }

func countGame() rollback.Game[count, uint16] {
	return rollback.Game[count, uint16]{Step: func(s *count, k *rollback.Tick[uint16]) {
		for p := range rollback.Player(3) {
			if k.Status(p) != rollback.Disconnected {
				s.Sum[p] += int64(k.Input(p))
				s.Ticks[p]++
			}
		}
	}}
}

// fixture is a server, an honest client, and one whose bytes a test changes.
type fixture struct {
	t             testing.TB
	now           time.Duration
	server        *Server[count, uint16]
	honest, other *Client[count, uint16]

	tap  func(from, to netip.AddrPort, b []byte) // sees all that is sent, if given
	mute bool                                    // the other client receives, and does nothing
	late time.Duration                           // datagrams from the server to the other client take this long
	way  []delayed                               // what is on its way there
	each func()                                  // is called in every millisecond, if given
}

// delayed is a datagram that arrives at some time.
type delayed struct {
	at time.Duration
	b  []byte
}

var (
	serverAddr = netip.MustParseAddrPort("10.0.0.1:1")
	honestAddr = netip.MustParseAddrPort("10.0.0.2:1")
	otherAddr  = netip.MustParseAddrPort("10.0.0.3:1")
)

func newFixture(t testing.TB) *fixture { return newFixtureOf(t, countGame(), nil) }

var countAbout = Game{ID: "count", Players: 3, TickRate: 50, MaxOrders: 4}

// newClient makes a client of the fixture's game.
func newClient(t testing.TB, game rollback.Definition[count, uint16], random func() uint64, tune func(c *ClientConfig)) *Client[count, uint16] {
	cfg := ClientConfig{Game: countAbout, Server: serverAddr, Random: random}
	if tune != nil {
		tune(&cfg)
	}
	c, err := NewClient(game, cfg, ClientHooks[count, uint16]{Sample: func(Player) uint16 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newFixtureOf(t testing.TB, game rollback.Game[count, uint16], tune func(c *ServerConfig, h *ServerHooks[count, uint16])) *fixture {
	r := rand.New(rand.NewPCG(1, 1))
	f := &fixture{t: t}
	cfg, hooks := ServerConfig{Game: countAbout, Random: r.Uint64}, ServerHooks[count, uint16]{}
	if tune != nil {
		tune(&cfg, &hooks)
	}
	var err error
	if f.server, err = NewServer(game, cfg, hooks); err != nil {
		t.Fatal(err)
	}
	for _, c := range []**Client[count, uint16]{&f.honest, &f.other} {
		*c = newClient(t, game, r.Uint64, func(c *ClientConfig) { c.Token = cfg.Token })
	}
	f.run(2 * time.Second)
	if f.honest.Phase() != session.Playing || f.other.Phase() != session.Playing {
		t.Fatal("they do not play")
	}
	return f
}

func (f *fixture) run(d time.Duration) {
	for until := f.now + d; f.now < until; f.now += time.Millisecond {
		updateAll(f.server, f.now)
		for to, b := range f.server.Outgoing() {
			f.saw(serverAddr, to, b)
			switch to {
			case honestAddr:
				f.honest.Receive(f.now, serverAddr, b)
			case otherAddr:
				f.way = append(f.way, delayed{f.now + f.late, bytes.Clone(b)})
			}
		}
		for ; len(f.way) > 0 && f.way[0].at <= f.now; f.way = f.way[1:] {
			f.other.Receive(f.now, serverAddr, f.way[0].b)
		}
		updateAll(f.honest, f.now)
		for _, b := range f.honest.Outgoing() {
			f.saw(honestAddr, serverAddr, b)
			f.server.Receive(f.now, honestAddr, bytes.Clone(b))
		}
		if !f.mute {
			updateAll(f.other, f.now)
		}
		for _, b := range f.other.Outgoing() {
			f.saw(otherAddr, serverAddr, b)
			f.server.Receive(f.now, otherAddr, bytes.Clone(b))
		}
		if f.each != nil {
			f.each()
		}
	}
}

// updateAll makes a server or a client do everything that is due, one tick at a time.
func updateAll(m interface {
	Update(now time.Duration) time.Duration
	Frame() Frame
}, now time.Duration,
) {
	for before := m.Frame(); m.Update(now) <= now && m.Frame() != before; before = m.Frame() {
	}
}

func (f *fixture) saw(from, to netip.AddrPort, b []byte) {
	if f.tap != nil {
		f.tap(from, to, b)
	}
}

// say sends a body as the other client.
func (f *fixture) say(body []byte) {
	p := f.other.server.pipe
	if len(body) > p.Room() {
		body = body[:p.Room()]
	}
	f.server.Receive(f.now, otherAddr, p.AppendBody(nil, f.now, body))
	for range f.server.Outgoing() { // nobody reads it
	}
}

// unharmed checks that the honest client has played on.
func (f *fixture) unharmed() {
	f.t.Helper()
	p, _ := f.honest.Player()
	before := f.server.State().Sum[p]
	f.run(time.Second)
	if n := f.server.State().Sum[p] - before; n != 50 || f.honest.Err() != nil || f.server.Err() != nil {
		f.t.Fatalf("the honest client has made %d of 50 inputs: %v, %v", n, f.honest.Err(), f.server.Err())
	}
}

// Rule: inputs that a client may not give gain nothing: too far ahead, of the past, repeated, or different
// ones for the same tick. An acknowledgement of something that does not exist does not count.
func TestACheatGainsNothing(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	h := f.server.Host
	c := h.clients.of[p]
	next := uint32(h.sequencer.Next())
	for name, u := range map[string]clientBody{
		"a state of the future": {any: true, state: next + 50, next: next},
		"no state any more":     {next: next + 3},
	} {
		before := c.view
		f.say(u.append(nil))
		if c.view != before || c.gone != "" {
			t.Errorf("%s: %+v, was %+v; %s", name, c.view, before, c.gone)
		}
	}
	// Different inputs for ticks that already have some.
	var forged datagram.History
	forged.Start(2, c.inputs.Next()-9, nil)
	for forged.Next() < c.inputs.Next()+2 {
		forged.Push([]byte{9, 9})
	}
	from := c.inputs.Next() - 2
	block, to := forged.AppendBlock(nil, from, forged.Next(), 200)
	u := clientBody{next: to, count: to - from}
	sum := f.server.State().Sum[p]
	f.say(append(u.append(nil), block...))
	f.run(200 * time.Millisecond)
	if n := f.server.State().Sum[p] - sum; n > 20 { // 10 ticks, and what was on its way
		t.Errorf("it has gained %d", n)
	}
	f.unharmed()
}

// Rule: a flood of inputs and orders takes up none of the server's memory, and no tick of the others.
func TestAFloodHarmsNobody(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	most := 0
	for i := range 3000 {
		if f.other.server.pipe.Channel.Pending() < 4<<10 {
			if err := f.other.server.pipe.Channel.Send(appendOrders(nil, Frame(i), []byte{1, 2, 3, 4})); err != nil {
				t.Fatal(err)
			}
		}
		f.say((&clientBody{next: uint32(f.server.Frame())}).append(nil))
		most = max(most, len(c.orders))
	}
	if most != 64 {
		t.Errorf("%d orders wait", most)
	}
	f.unharmed()
	// Strangers, replays and noise.
	replay := f.other.server.pipe.AppendBody(nil, f.now, []byte{0, 1, 2})
	r := rand.New(rand.NewPCG(2, 2))
	for i := range 5000 {
		noise := make([]byte, r.IntN(datagram.MaxSize+50))
		for i := range noise {
			noise[i] = byte(r.Uint32())
		}
		f.server.Receive(f.now, netip.AddrPortFrom(honestAddr.Addr(), uint16(i)), noise)
		f.server.Receive(f.now, honestAddr, noise)
		f.server.Receive(f.now, otherAddr, replay)
		f.honest.Receive(f.now, serverAddr, noise)
	}
	if f.server.clients.len() > 3 {
		t.Errorf("%d clients", f.server.clients.len())
	}
	f.unharmed()
}

// Whatever a client that knows its key sends, the server neither panics nor lets it harm others.
func FuzzServer(f *testing.F) {
	f.Add([]byte{7, 9, 0, 4, 2, 1, 2, 3})
	f.Add([]byte{4, 200, 0, 1, 0})
	f.Add([]byte{0xFF})
	f.Fuzz(func(t *testing.T, b []byte) {
		x := newFixture(t)
		for len(b) > 0 {
			n := min(int(b[0]), len(b)-1)
			part := b[1 : 1+n]
			b = b[1+n:]
			if len(part) > 0 && part[0]&0x80 != 0 {
				if x.other.server.pipe.Channel.Send(part[1:]) != nil {
					continue
				}
				part = (&clientBody{next: uint32(x.server.Frame())}).append(nil)
			}
			x.say(part)
		}
		x.unharmed()
	})
}

// Whatever a server sends, the client plays on or says what is wrong.
func FuzzClient(f *testing.F) {
	f.Add([]byte{5, 0x31, 9, 0, 4, 2})
	f.Add([]byte{9, 0x83, 100, 0, 0, 0, 9, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		x := newFixture(t)
		p, _ := x.other.Player()
		pipe := x.server.clients.of[p].pipe
		for len(b) > 0 {
			n := min(int(b[0]), len(b)-1)
			part := b[1 : 1+n]
			b = b[1+n:]
			if len(part) > 1 && part[0]&0x80 != 0 {
				if pipe.Channel.Send(part[1:]) != nil {
					continue
				}
				part = []byte{0, 0, 0}
			}
			if len(part) > pipe.Room() {
				continue
			}
			x.other.Receive(x.now, serverAddr, pipe.AppendBody(nil, x.now, part))
		}
		for range 50 {
			x.now += 20 * time.Millisecond
			x.other.Update(x.now)
			for range x.other.Outgoing() {
			}
		}
		var bye *ByeError
		if err := x.other.Err(); err != nil && err.Error() == "" || errors.As(x.other.Err(), &bye) && len(bye.Reason) > maxText {
			t.Fatalf("%v", err)
		}
	})
}

// Rule: a client that repeats inputs from longer ago than the server holds them is ignored, and not lost: it
// has heard nothing for that long. So is a datagram that many others have overtaken, whatever it says.
func TestWhatIsTooOldIsIgnored(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	const keep = 256 // as at 20 ticks a second
	c.inputs.Keep = keep
	f.run(time.Duration(keep+10) * time.Second / 50)
	next := c.inputs.Next()
	u := clientBody{next: next + 1, count: keep + 1}
	f.say(append(u.append(nil), 0xF0))
	if c.gone != "" || c.inputs.Next() != next {
		t.Errorf("inputs from too long ago: %q, %d inputs", c.gone, c.inputs.Next()-next)
	}
	pipe := c.pipe
	for _, overtaken := range []int{49, 48} {
		late := pipe.AppendBody(nil, f.now, []byte{0xFF, 0xFF, 0xFF})
		for range overtaken {
			f.other.Receive(f.now, serverAddr, pipe.AppendBody(nil, f.now, []byte{0, byte(next), byte(next >> 8)}))
		}
		f.other.Receive(f.now, serverAddr, late)
		if read := f.other.Err() != nil; read != (overtaken == 48) {
			t.Errorf("what %d have overtaken is read: %v", overtaken, read)
		}
	}
}

// Rule: a datagram that makes no sense ends a client, if it arrives in time.
func TestWhatMakesNoSenseEndsAClient(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	pipe := f.server.clients.of[p].pipe
	f.other.Receive(f.now, serverAddr, pipe.AppendBody(nil, f.now, []byte{0xFF, 0xFF, 0xFF}))
	if f.other.Err() == nil {
		t.Error("it plays on")
	}
}
