package served

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/bulk"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

var (
	stormFlag = flag.Int("served.hostile", 0, "how many hostile datagrams TestAStormOfHostileDatagrams sends in each kind of match; 0: some ten thousand")
	stormSeed = flag.Uint64("served.seed", 1, "from which they are drawn")
)

// storm is a live match whose server and clients receive hostile datagrams: real ones that are
// repeated, damaged, cut off, spliced and sealed again with the right keys, and made-up ones.
type storm[S any, I comparable] struct {
	t      testing.TB
	r      *rand.Rand
	now    time.Duration
	server *Server[S, I]
	join   func() *Client[S, I]
	places []*stormy[S, I]
	real   [512][]byte // datagrams of either direction
	filled int
	came   uint32         // clients
	sent   map[string]int // by kind
	fates  map[string]int
}

// stormy is a client, or no client, at an address of its own.
type stormy[S any, I comparable] struct {
	*Client[S, I]
	at     netip.AddrPort
	honest bool // nothing sealed with its keys is hostile
}

func newStorm[S any, I comparable](t testing.TB, seed uint64, game rollback.Definition[S, I], about Game, hooks ServerHooks[S, I], sample func(c *Client[S, I], p Player) I) *storm[S, I] {
	s := &storm[S, I]{t: t, r: rand.New(rand.NewPCG(seed, 11)), sent: map[string]int{}, fates: map[string]int{}}
	var err error
	if s.server, err = NewServer(game, ServerConfig{Game: about, Random: s.r.Uint64, PerAddress: Unlimited}, hooks); err != nil {
		t.Fatal(err)
	}
	s.join = func() *Client[S, I] {
		var c *Client[S, I]
		c, err := NewClient(game, ClientConfig{Game: about, Server: serverAddr, Random: s.r.Uint64}, ClientHooks[S, I]{
			Sample: func(p Player) I { return sample(c, p) }, Sight: hooks.Sight,
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for i := range 6 {
		s.places = append(s.places, &stormy[S, I]{honest: i < 2})
	}
	return s
}

// keep keeps a copy of a real datagram.
func (s *storm[S, I]) keep(b []byte) {
	i := s.filled
	if s.filled < len(s.real) {
		s.filled++
	} else if i = s.r.IntN(len(s.real) * 8); i >= len(s.real) {
		return
	}
	s.real[i] = append(s.real[i][:0], b...)
}

// live lets a millisecond pass. Clients that have gone come back.
func (s *storm[S, I]) live() {
	s.server.Update(s.now)
	for to, b := range s.server.Outgoing() {
		s.keep(b)
		for _, p := range s.places {
			if p.at == to && p.Client != nil {
				p.Receive(s.now, serverAddr, b)
			}
		}
	}
	for _, p := range s.places {
		if p.Client == nil {
			p.Client = s.join()
			s.came++
			p.at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(s.came >> 16), byte(s.came >> 8), byte(s.came)}), 1)
		}
		p.Update(s.now)
		for _, b := range p.Outgoing() {
			s.keep(b)
			s.server.Receive(s.now, p.at, bytes.Clone(b))
		}
		if p.Phase() == session.Playing && s.server.clients.at(p.at) == nil && !p.honest && p.Err() == nil {
			s.fates["the server removes it"]++
			p.Client = nil
			continue
		}
		if err := p.Err(); err != nil {
			s.fate(p, err)
			if c := s.server.clients.at(p.at); c != nil { // the server would wait for it
				s.server.remove(c, event.Left, "its client has ended")
			}
			p.Client = nil
		}
	}
	s.now += time.Millisecond
}

// fate records how a client has ended: with an error that says why.
func (s *storm[S, I]) fate(p *stormy[S, I], err error) {
	var bye *ByeError
	var lost *LostError
	var differs *session.MismatchError
	switch {
	case p.honest:
		s.t.Fatalf("an honest client ends: %v", err)
	case errors.As(err, &bye):
		s.fates["the server says goodbye"]++
	case errors.As(err, &lost):
		s.fates["silence"]++
	case errors.As(err, &differs):
		s.fates["another game"]++
	case errors.Is(err, ErrEnd):
		s.fates["the end"]++
	case err.Error() == "":
		s.t.Fatalf("an error that says nothing: %#v", err)
	default:
		s.fates["the protocol is broken"]++
	}
}

// pick returns a copy of a real datagram.
func (s *storm[S, I]) pick() []byte { return bytes.Clone(s.real[s.r.IntN(s.filled)]) }

// mangle damages bytes in one to three ways.
func (s *storm[S, I]) mangle(b []byte) []byte {
	r := s.r
	for range 1 + r.IntN(3) {
		at := r.IntN(len(b) + 1)
		switch r.IntN(9) {
		case 0, 1, 2:
			if at < len(b) {
				b[at] ^= 1 << r.IntN(8)
			}
		case 3:
			if at < len(b) {
				b[at] = []byte{0, 1, 0x7F, 0x80, 0xFE, 0xFF}[r.IntN(6)]
			}
		case 4: // cut off
			b = b[:at]
		case 5: // a part is left out
			b = append(b[:at], b[min(len(b), at+1+r.IntN(8)):]...)
		case 6: // a part comes twice
			part := bytes.Clone(b[at:min(len(b), at+1+r.IntN(16))])
			b = append(append(bytes.Clone(b[:at]), part...), b[at:]...)
		case 7: // spliced with another one
			other := s.pick()
			b = append(bytes.Clone(b[:at]), other[min(len(other), r.IntN(len(other)+1)):]...)
		case 8: // noise
			for range r.IntN(12) {
				b = append(b, byte(r.Uint32()))
			}
		}
	}
	return b
}

// fit cuts off what no datagram has.
func fit(b []byte) []byte { return b[:min(len(b), datagram.MaxSize-datagram.TagSize)] }

// hostile sends one hostile datagram.
func (s *storm[S, I]) hostile() {
	p := s.places[s.r.IntN(len(s.places))]
	up := s.r.IntN(2) == 0 || p.Client == nil
	if kind := s.r.IntN(10); kind < 4 {
		s.outside(p, up)
	} else {
		s.inside(p, up, kind)
	}
}

// outside sends what does not need a key.
func (s *storm[S, I]) outside(p *stormy[S, I], up bool) {
	b, what := s.pick(), "repeated"
	switch s.r.IntN(5) {
	case 0, 1:
		b, what = s.mangle(b), "damaged"
	case 2:
		b, what = make([]byte, s.r.IntN(datagram.MaxSize+20)), "noise"
		for i := range b {
			b[i] = byte(s.r.Uint32())
		}
		if len(b) > 0 {
			b[0] = []byte{1, 2, 3, 4, 5, 6, 0x40, 0x48, 0x58, 0x68, 0x78, 0x80}[s.r.IntN(12)]
		}
	}
	s.sent[what]++
	if !up && p.Client != nil {
		p.Receive(s.now, []netip.AddrPort{serverAddr, p.at}[s.r.IntN(8)/7], b)
		return
	}
	from := p.at
	if s.r.IntN(3) == 0 {
		from = s.anywhere()
	}
	s.server.Receive(s.now, from, b)
}

func (s *storm[S, I]) anywhere() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(s.r.Uint32())}), uint16(s.r.Uint32()))
}

// inside sends datagrams sealed with the keys of a client's connection, in the name of either end.
func (s *storm[S, I]) inside(p *stormy[S, I], up bool, kind int) {
	ready := func() bool {
		return p.Client != nil && p.Phase() == session.Playing && s.server.clients.at(p.at) != nil
	}
	for n := 0; n < 60 && !ready() && !p.honest; n++ {
		s.live()
	}
	c := s.server.clients.at(p.at)
	if p.honest || c == nil || p.Client == nil || p.server.pipe == nil {
		s.outside(p, up)
		return
	}
	pipe := c.pipe
	if up {
		pipe = p.server.pipe
	}
	var b []byte
	switch kind {
	case 4, 5, 6: // a real one, damaged before it is sealed
		b = s.pick()
		first := b[0]
		b = s.mangle(b[:max(len(b)-datagram.TagSize, 0)])
		for len(b) < 3 {
			b = append(b, 0)
		}
		if s.r.IntN(8) > 0 {
			b[0] = first
		}
		binary.LittleEndian.PutUint16(b[1:], uint16(pipe.Next()))
		b = pipe.Seal(fit(b), 0, s.now)
		s.sent["damaged, and sealed"]++
	case 7, 8: // a body that is in order, with numbers that are not
		body := s.body(up)
		b = pipe.AppendBody(nil, s.now, body[:min(len(body), pipe.Room())])
		s.sent["a body of wrong numbers"]++
	case 9: // a message of the control stream
		if pipe.Channel.Pending() > 8<<10 || pipe.Channel.Send(s.message(up)) != nil {
			return
		}
		b = pipe.Append(nil, s.now)
		s.sent["a message"]++
	}
	if up {
		from := p.at
		if s.r.IntN(6) == 0 {
			from = s.anywhere()
		}
		s.server.Receive(s.now, from, b)
	} else {
		p.Receive(s.now, serverAddr, b)
	}
}

// about returns a number near another one, or anywhere.
func (s *storm[S, I]) about(n uint32) uint32 {
	switch s.r.IntN(8) {
	case 0:
		return s.r.Uint32()
	case 1:
		return n + uint32(s.r.IntN(1<<16)) - 1<<15
	}
	return n + uint32(s.r.IntN(70)) - 64
}

// body makes the body of a datagram.
func (s *storm[S, I]) body(up bool) []byte {
	near := uint32(s.server.Frame())
	if up {
		u := clientBody{plain: s.r.IntN(8) == 0, any: s.r.IntN(3) > 0, state: s.about(near), next: s.about(near)}
		if s.r.IntN(2) == 0 {
			u.count = uint32(1 + s.r.IntN(datagram.HistoryFrames+8))
			u.block = s.mangle([]byte{0x11, 5, 0xF0, 0x22, 7})
		}
		return append(u.append(nil), u.block...)
	}
	d := serverBody{next: s.about(near), any: s.r.IntN(2) == 0, taken: s.about(near)}
	for range s.r.IntN(downMargins + 1) {
		d.margins = append(d.margins, sequencer.Margin{Tick: Frame(s.about(near)), Early: time.Duration(s.r.Int64N(int64(3 * time.Hour)))})
	}
	if s.r.IntN(3) > 0 {
		d.update = s.update()
	}
	return append(d.append(nil), d.update...)
}

// update makes an update of the newest state, which may be damaged.
func (s *storm[S, I]) update() []byte {
	base := s.server.Frame() - min(s.server.Frame(), Frame(1+s.r.IntN(9)))
	b, ok := s.server.world.update(nil, Player(s.r.IntN(6)), base, s.r.IntN(4) == 0, 1<<12)
	if !ok {
		b = []byte{1, 2, 3}
	}
	if s.r.IntN(3) > 0 {
		b = s.mangle(b)
	}
	return b
}

// message makes a message, which may be damaged.
func (s *storm[S, I]) message(up bool) []byte {
	near := Frame(s.about(uint32(s.server.Frame())))
	list := [][]byte{
		appendOrders(nil, near, []byte{1, 2, 3}),
		{messageBye, 'x'},
		appendDiffers(nil, near),
		appendTruth(nil, near, s.r.IntN(1<<12), "x"),
		append([]byte{messagePart}, s.update()...),
		s.server.log.offer.Append([]byte{messageBegin}),
		appendPlace(nil, Player(s.r.IntN(20)), near),
		appendState(nil, near, s.r.IntN(1<<12)),
		append([]byte{messageChunk}, s.update()...),
		append([]byte{messageChunk}, s.server.world.whole(nil, 0)...),
		appendEnd(nil, &stream.Outcome{Left: PlayerSet(s.r.Uint32()), Summary: stream.Summary{Frames: near}}),
	}
	b := list[s.r.IntN(len(list))]
	if s.r.IntN(2) == 0 || !up && s.r.IntN(4) > 0 {
		b = s.mangle(b)
	}
	if len(b) == 0 {
		b = []byte{byte(s.r.Uint32())}
	}
	return b[:min(len(b), bulk.Piece)]
}

// blow sends a number of these, and checks that the honest clients play on.
func (s *storm[S, I]) blow(n int) {
	for range 1000 {
		s.live()
	}
	for range n {
		if s.r.IntN(24) == 0 {
			s.live()
		}
		s.hostile()
		if s.server.Err() != nil {
			s.t.Fatalf("the server ends: %v", s.server.Err())
		}
	}
	before := s.server.Frame()
	for range 2000 {
		s.live()
	}
	ran := s.server.Frame() - before
	for _, p := range s.places[:2] {
		q, ok := p.Player()
		stats, in := s.server.Client(q)
		if !ok || !in || p.Phase() != session.Playing || p.Health() == stream.Desynced || p.Known()+5 < s.server.Frame() || stats.Behind > 5 {
			s.t.Errorf("an honest client: %v, state %d of %d, %+v", p.Phase(), p.Known(), s.server.Frame(), stats)
		}
	}
	if want := Frame(2 * s.server.cfg.TickRate); ran < want-1 || ran > want+1 {
		s.t.Errorf("the server has run %d ticks of %d", ran, want)
	}
	total := 0
	for _, k := range s.sent {
		total += k
	}
	s.t.Logf("%d hostile datagrams: %v; clients that ended: %v; %+v", total, s.sent, s.fates, s.server.Counts())
	if len(s.sent) < 6 || s.fates["the protocol is broken"] == 0 || s.fates["the server removes it"] == 0 {
		s.t.Errorf("the storm is none: %v, %v", s.sent, s.fates)
	}
}

// Rule: whatever datagrams arrive, with the right keys or without, from anyone, neither a server
// nor a client panics, those that are not attacked play on, and each client that ends says why. -v
// prints the results.
func TestAStormOfHostileDatagrams(t *testing.T) {
	n := *stormFlag
	if n == 0 {
		n = 40_000
		if testing.Short() {
			n = 3_000
		}
	}
	t.Run("full sight", func(t *testing.T) {
		newStorm(t, *stormSeed, countGame(), Game{ID: "count", Players: 6, TickRate: 50, MaxOrders: 4}, ServerHooks[count, uint16]{},
			func(*Client[count, uint16], Player) uint16 { return 1 }).blow(n)
	})
	t.Run("partial sight", func(t *testing.T) {
		bot := tanks.Bot{Seed: *stormSeed, Mood: tanks.Busy}
		game := tanks.Game(*stormSeed)
		begin := game.Init
		game.Init = func(s *tanks.State) {
			begin(s)
			*s = s.Endless()
		}
		newStorm(t, *stormSeed, game, Game{ID: "tanks", Players: 6, TickRate: 20},
			ServerHooks[tanks.State, tanks.Input]{Sight: tanks.Sight, Start: startTanks},
			func(c *Client[tanks.State, tanks.Input], p Player) tanks.Input {
				return bot.Input(p, c.Frame(), c.State())
			}).blow(n)
	})
}
