package ggpo_test

import (
	"encoding/binary"
	"hash/crc32"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/netem"
)

const ms = time.Millisecond

// field is the state of the test's game. Its rules use all that is known of a frame.
type field struct {
	Frame uint32
	X, Y  [4]int32
	Gone  uint32
	Dice  uint32
}

func (s *field) step(inputs [][]byte, gone int) {
	s.Frame++
	s.Gone = uint32(gone)
	s.Dice = s.Dice*1664525 + 1013904223
	for p, in := range inputs {
		for i, v := range in {
			s.X[p] += int32(v) * int32(i+1)
			s.Dice ^= uint32(v) << (8 * (i % 4))
		}
		s.Y[p] = s.Y[p]*31 + s.X[p] + int32(s.Dice>>8)
	}
}

func (s *field) checksum() uint32 {
	b, _ := binary.Append(nil, binary.LittleEndian, s)
	return crc32.ChecksumIEEE(b)
}

// player is a program of a machine: a game with the callbacks, and a loop as games for GGPO have it.
type player struct {
	t       *testing.T
	backend ggpo.Backend
	handles []ggpo.PlayerHandle // of the local players
	size    int
	keys    func(h ggpo.PlayerHandle, frame uint32) []byte

	s      field
	saved  map[int]field
	events []ggpo.Event
	sums   []uint32 // the checksum of the state after each frame, as it was simulated last
	inputs [][]byte // the inputs of all players in each frame, likewise
	flags  []int

	// What callbacks do besides.
	onSave    func(id int)
	onLoad    func(id int)
	loaded    func(id int)
	onAdvance func() (skip bool)
	onEvent   func(e *ggpo.Event)
	onStep    func()
	paused    func(inputs [][]byte) bool // whether the game does nothing in this frame

	saves, loads, again, waited int
	mostState                   int
	resting                     float32 // frames to wait, by EventCodeTimeSync
}

func (p *player) SaveGameState(id int) int {
	if p.onSave != nil {
		p.onSave(id)
	}
	p.saves++
	p.mostState = max(p.mostState, id)
	p.saved[id] = p.s
	return int(p.s.checksum())
}

func (p *player) LoadGameState(id int) {
	if p.onLoad != nil {
		p.onLoad(id)
	}
	p.loads++
	s, ok := p.saved[id]
	if !ok {
		p.t.Errorf("state %d is loaded, and was never saved", id)
	}
	p.s = s
	if p.loaded != nil {
		p.loaded(id)
	}
}

func (p *player) AdvanceFrame(int) {
	p.again++
	if p.onAdvance != nil && p.onAdvance() {
		return
	}
	p.frame()
}

func (p *player) OnEvent(e *ggpo.Event) {
	p.events = append(p.events, *e)
	if e.Code == ggpo.EventCodeTimeSync {
		p.resting = e.FramesAhead
	}
	if p.onEvent != nil {
		p.onEvent(e)
	}
}

// frame simulates a frame with the inputs of the backend.
func (p *player) frame() {
	var flags int
	inputs, err := p.backend.SyncInput(&flags)
	if err != nil {
		p.t.Errorf("SyncInput: %v", err)
		return
	}
	p.simulate(inputs, flags)
}

func (p *player) simulate(inputs [][]byte, flags int) {
	if p.paused != nil && p.paused(inputs) {
		if err := p.backend.AdvanceFrame(p.s.checksum()); err != nil {
			p.t.Errorf("AdvanceFrame: %v", err)
		}
		return
	}
	n := int(p.s.Frame)
	p.s.step(inputs, flags)
	if p.onStep != nil {
		p.onStep()
	}
	var all []byte
	for _, in := range inputs {
		all = append(all, in...)
	}
	p.sums = append(p.sums[:n], p.s.checksum())
	p.inputs = append(p.inputs[:n], all)
	p.flags = append(p.flags[:n], flags)
	if err := p.backend.AdvanceFrame(p.s.checksum()); err != nil {
		p.t.Errorf("AdvanceFrame: %v", err)
	}
}

// turn is what a loop does for each frame. It returns why there is none.
func (p *player) turn() error {
	for _, h := range p.handles {
		if err := p.backend.AddLocalInput(h, p.keys(h, p.s.Frame), p.size); err != nil {
			p.waited++
			return err
		}
	}
	var flags int
	inputs, err := p.backend.SyncInput(&flags)
	if err != nil {
		if _, watches := p.backend.(*ggpo.Spectator); !watches {
			p.t.Errorf("SyncInput: %v", err)
		}
		p.waited++
		return err
	}
	p.simulate(inputs, flags)
	return nil
}

// count returns how many events of a kind there were.
func (p *player) count(code ggpo.EventCode) (n int) {
	for _, e := range p.events {
		if e.Code == code {
			n++
		}
	}
	return n
}

func (p *player) event(code ggpo.EventCode) ggpo.Event {
	for _, e := range p.events {
		if e.Code == code {
			return e
		}
	}
	return ggpo.Event{}
}

// world is a network in virtual time, with the machines on it.
type world struct {
	t     *testing.T
	now   time.Duration
	net   *netem.Datagrams
	ports []*port
	// meanwhile are loops that go on while a machine closes.
	meanwhile []*loop
	// also, if there is one, is called each millisecond while a machine closes.
	also func()
}

var epoch = time.Unix(1000, 0)

func newWorld(t *testing.T, machines int, seed uint64, link netem.Link) *world {
	t.Helper()
	w := &world{t: t}
	var err error
	if w.net, err = netem.NewDatagrams(machines, seed, 0); err != nil {
		t.Fatal(err)
	}
	if err := w.net.SetAll(link); err != nil {
		t.Fatal(err)
	}
	for i := range machines {
		w.ports = append(w.ports, &port{world: w, id: i})
	}
	return w
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	w.now += d
	for d, ok := w.net.Receive(w.now); ok; d, ok = w.net.Receive(w.now) {
		p := w.ports[d.To]
		p.waiting = append(p.waiting, datagram{append([]byte(nil), d.Payload...), addr(d.From), p.clock(d.At)})
	}
}

// port is a transport on the network.
type port struct {
	world   *world
	id      int
	fast    int // the machine's clock is faster by this many per mille
	waiting []datagram
	closed  int
}

// clock returns what the machine's clock shows.
func (p *port) clock(now time.Duration) time.Time {
	return epoch.Add(now + now*time.Duration(p.fast)/1000)
}

type datagram struct {
	bytes []byte
	from  netip.AddrPort
	at    time.Time
}

func ip(i int) string { return "10.0.0." + string(rune('1'+i)) }

func addr(i int) netip.AddrPort { return netip.AddrPortFrom(netip.MustParseAddr(ip(i)), 7000) }

func (p *port) Send(to netip.AddrPort, b []byte) error {
	p.world.net.Send(p.world.now, p.id, int(to.Addr().As4()[3])-1, b)
	return nil
}

func (p *port) Receive(buf []byte) (int, netip.AddrPort, time.Time, bool) {
	if len(p.waiting) == 0 {
		return 0, netip.AddrPort{}, time.Time{}, false
	}
	d := p.waiting[0]
	p.waiting = p.waiting[1:]
	return copy(buf, d.bytes), d.from, d.at, true
}

func (p *port) Notify() <-chan struct{} { return nil }

func (p *port) Close() error {
	p.closed++
	return nil
}

// Wait lets virtual time pass, so that Close takes no real time.
func (p *port) Wait(d time.Duration, _ bool) {
	if also := p.world.also; also != nil {
		for end := p.world.now + max(d, ms); p.world.now < end; p.world.pass(ms) {
			also()
		}
		return
	}
	if others := p.world.meanwhile; others != nil {
		p.world.run(max(d, ms), others, nil)
		return
	}
	p.world.pass(d)
}

// options are those of a machine.
func (p *port) options(seed uint64) ggpo.Options {
	return ggpo.Options{GameID: "field", Random: random(seed), Now: func() time.Time { return p.clock(p.world.now) }}
}

// random returns a source of random numbers.
func random(seed uint64) func() uint64 {
	return func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
}

func newPlayer(t *testing.T, size int, seed uint64) *player {
	draw := random(seed)
	p := &player{t: t, size: size, saved: map[int]field{}}
	held := map[ggpo.PlayerHandle][]byte{}
	p.keys = func(h ggpo.PlayerHandle, _ uint32) []byte {
		if in := held[h]; in == nil || draw()%8 == 0 { // keys are held for some frames
			in = make([]byte, size)
			in[draw()%uint64(size)] = byte(draw())
			held[h] = in
		}
		return held[h]
	}
	return p
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// plan says who plays where.
type plan struct {
	size       int
	machines   []int // how many players each machine has
	spectators int
	link       netem.Link
	seed       uint64
	fast       []int // per mille, by machine
	delay      int
	change     func(i int, o *ggpo.Options)
}

// meet makes the machines of a plan, and their loops.
func meet(t *testing.T, c plan) (*world, []*player) {
	t.Helper()
	if c.size == 0 {
		c.size = 3
	}
	w := newWorld(t, len(c.machines)+c.spectators+1, c.seed, c.link)
	total := 0
	for _, n := range c.machines {
		total += n
	}
	var list []*player
	for i := range len(c.machines) + c.spectators {
		p := newPlayer(t, c.size, c.seed<<8+uint64(i))
		if i < len(c.fast) {
			w.ports[i].fast = c.fast[i]
		}
		o := w.ports[i].options(c.seed<<16 + uint64(i))
		if c.change != nil {
			c.change(i, &o)
		}
		if i >= len(c.machines) {
			s := ggpo.NewSpectator(p, 7000, total, c.size, ip(0), 7000)
			ok(t, s.SetOptions(o))
			ok(t, s.InitializeConnection(w.ports[i]))
			s.Start()
			p.backend, p.handles = &s, []ggpo.PlayerHandle{1}
			list = append(list, p)
			continue
		}
		b := ggpo.NewPeer(p, 7000, total, c.size)
		p.backend = &b
		ok(t, b.SetOptions(o))
		ok(t, b.InitializeConnection(w.ports[i]))
		number := 0
		for j, n := range c.machines {
			for range n {
				number++
				who := ggpo.NewRemotePlayer(20, number, ip(j), 7000)
				if i == j {
					who = ggpo.NewLocalPlayer(20, number)
				}
				var h ggpo.PlayerHandle
				ok(t, b.AddPlayer(&who, &h))
				if i == j {
					p.handles = append(p.handles, h)
					ok(t, b.SetFrameDelay(h, c.delay))
				}
			}
		}
		if i == 0 {
			for j := range c.spectators {
				ok(t, b.AddSpectator(ip(len(c.machines)+j), 7000))
			}
		}
		b.Start()
		list = append(list, p)
	}
	return w, list
}

// loop is the loop of a machine.
type loop struct {
	p    *player
	next time.Duration
	fast int // per mille
	// sync says that the loop keeps its own time and waits as EventCodeTimeSync says. Otherwise it waits for Period.
	sync bool
	stop bool
}

// run lets loops run for a while. They call Idle every 4 ms, and run a frame every 60th of a second of their clocks.
func (w *world) run(d time.Duration, loops []*loop, each func()) {
	for end := w.now + d; w.now < end; w.pass(ms) {
		for _, l := range loops {
			if l.stop {
				continue
			}
			if w.now/ms%4 == 0 {
				if err := l.p.backend.Idle(0); err != nil {
					w.t.Fatalf("Idle: %v", err)
				}
			}
			if w.now < l.next {
				continue
			}
			_ = l.p.turn()
			l.next = max(l.next, w.now-50*ms) + l.period()*1000/time.Duration(1000+l.fast)
		}
		if each != nil {
			each()
		}
	}
}

func (l *loop) period() time.Duration {
	const nominal = time.Second / 60
	if l.sync {
		d := nominal + time.Duration(l.p.resting/60*float32(nominal)) // spread over a second
		if l.p.resting *= 1 - 1./60; l.p.resting*l.p.resting < 0.01 {
			l.p.resting = 0
		}
		return d
	}
	if b, is := l.p.backend.(*ggpo.Peer); is && b.Period() > 0 {
		return b.Period()
	}
	return nominal
}

func loopsOf(players []*player, fast ...int) (list []*loop) {
	for i, p := range players {
		l := &loop{p: p}
		if i < len(fast) {
			l.fast = fast[i]
		}
		list = append(list, l)
	}
	return list
}

// closeAll closes all backends, one after the other.
func closeAll(t *testing.T, players []*player) {
	t.Helper()
	for _, p := range players {
		ok(t, p.backend.Close())
	}
}

// equal checks that machines have simulated the same frames: the inputs and states of those that both know for good,
// which are all but the last ones.
func equal(t *testing.T, least int, players ...*player) {
	t.Helper()
	const open = 40
	for i, p := range players[1:] {
		n := min(len(p.sums), len(players[0].sums)) - open
		if n < least {
			t.Fatalf("only %d frames to compare, of %d and %d", n, len(players[0].sums), len(p.sums))
		}
		for f := range n {
			if p.sums[f] != players[0].sums[f] || string(p.inputs[f]) != string(players[0].inputs[f]) || p.flags[f] != players[0].flags[f] {
				t.Fatalf("frame %d is another one at machine %d: %x and %x, flags %d and %d", f, i+1, players[0].inputs[f], p.inputs[f], players[0].flags[f], p.flags[f])
			}
		}
	}
}

var lossy = netem.Link{Delay: 30 * ms, Jitter: 8 * ms, Distribution: netem.Exponential, Loss: 5 * netem.Percent, Reorder: true}

var _ tickback.Transport = (*port)(nil)
