package served_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// small is a game with orders and effects, in which everything that a player has done can be seen.
type small struct {
	Sum    [4]int64
	Orders [4]uint64 // a hash of all of them, in order
	Late   [4]uint8  // inputs that stood in
}

var shout = effects.OneShot[uint8](1, "shout")

func smallGame() rollback.Game[small, uint8] {
	return rollback.Game[small, uint8]{
		Effects: []effects.Declaration{shout},
		Step: func(s *small, k *rollback.Tick[uint8]) {
			for p := range rollback.Player(4) {
				if k.Status(p) == rollback.Disconnected {
					continue
				}
				s.Sum[p] = s.Sum[p]*3 + int64(k.Input(p))
				for _, b := range k.Orders(p) {
					s.Orders[p] = s.Orders[p]*31 + uint64(b) + 1
				}
				if k.Input(p) > 0 {
					shout.Emit(k.Effects(), uint32(p), k.Input(p))
				}
			}
		},
	}
}

// hall is a server and machines with an address each, without a delay between them.
type hall struct {
	t      *testing.T
	now    time.Duration
	server *served.Server[small, uint8]
	others map[netip.AddrPort]machine
	random *rand.Rand
}

type machine interface {
	Receive(at time.Duration, from netip.AddrPort, b []byte)
	Update(now time.Duration) time.Duration
	Outgoing() func(yield func(netip.AddrPort, []byte) bool)
}

var smallAbout = served.Game{ID: "small", Players: 4, TickRate: 50, MaxOrders: 8}

func newHall(t *testing.T, tune func(c *served.ServerConfig, h *served.ServerHooks[small, uint8])) *hall {
	t.Helper()
	h := &hall{t: t, others: map[netip.AddrPort]machine{}, random: rand.New(rand.NewPCG(1, 5))}
	cfg := served.ServerConfig{Game: smallAbout, Random: h.random.Uint64, Spectators: spectate.Config{Max: 2}}
	var hooks served.ServerHooks[small, uint8]
	if tune != nil {
		tune(&cfg, &hooks)
	}
	var err error
	if h.server, err = served.NewServer(smallGame(), cfg, hooks); err != nil {
		t.Fatal(err)
	}
	return h
}

type smallClient struct {
	*served.Client[small, uint8]
}

func (c smallClient) Outgoing() func(yield func(netip.AddrPort, []byte) bool) {
	return c.Client.Outgoing()
}

type smallSpectator struct {
	*session.Spectator[small, uint8]
}

func (c smallSpectator) Outgoing() func(yield func(netip.AddrPort, []byte) bool) {
	return c.Spectator.Outgoing()
}

func (h *hall) client(node int, sample func(f rollback.Frame) (uint8, []byte)) *served.Client[small, uint8] {
	h.t.Helper()
	var c *served.Client[small, uint8]
	c, err := served.NewClient(smallGame(), served.ClientConfig{Server: addr(0), Game: smallAbout, Random: h.random.Uint64}, served.ClientHooks[small, uint8]{
		Sample: func(rollback.Player) uint8 { in, _ := sample(c.Frame()); return in },
		Orders: func(rollback.Player) []byte { _, orders := sample(c.Frame()); return orders },
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.others[addr(node)] = smallClient{c}
	return c
}

func (h *hall) run(d time.Duration) {
	for until := h.now + d; h.now < until; h.now += ms {
		h.server.Update(h.now)
		for to, b := range h.server.Outgoing() {
			if m := h.others[to]; m != nil {
				m.Receive(h.now, addr(0), b)
			}
		}
		for node := range 8 {
			if m := h.others[addr(node)]; m != nil {
				m.Update(h.now)
				for _, b := range m.Outgoing() {
					h.server.Receive(h.now, addr(node), bytes.Clone(b))
				}
			}
		}
	}
}

// Rule: orders are given once, in order, none is lost, and client and server agree on them.
func TestOrdersAreGivenOnce(t *testing.T) {
	h := newHall(t, nil)
	var want uint64
	given := 0
	var last rollback.Frame
	c := h.client(1, func(f rollback.Frame) (uint8, []byte) {
		if f%7 != 0 || given == 50 && f != last {
			return 0, nil
		}
		orders := []byte{byte(f), byte(f >> 8)}
		if f != last { // the hook is called twice: for the input and for the orders
			last = f
			given++
			for _, b := range orders {
				want = want*31 + uint64(b) + 1
			}
		}
		return 0, orders
	})
	h.run(10 * time.Second)
	if got := h.server.State().Orders[0]; given != 50 || got != want {
		t.Errorf("%d orders lead to %x at the server, want %x", given, got, want)
	}
	if c.Health() != stream.Healthy || c.State().Orders[0] != want {
		t.Errorf("and to %x at the client: %v, %v", c.State().Orders[0], c.Health(), c.Err())
	}
}

// Rule: every effect that the server has emitted begins once at the client while it is present, whatever was predicted;
// wrong ones are taken back.
func TestEffectsAreNeitherDoubledNorLeftOver(t *testing.T) {
	h := newHall(t, nil)
	clients := []*served.Client[small, uint8]{
		h.client(1, func(f rollback.Frame) (uint8, []byte) { return uint8(f / 5 % 3), nil }),
		h.client(2, func(f rollback.Frame) (uint8, []byte) { return uint8(f / 3 % 4), nil }),
	}
	h.run(2 * time.Second)
	truth := map[string]int{}
	seen := map[string]int{}
	note := func(to map[string]int, list []effects.Event, from rollback.Frame) {
		for _, e := range list {
			key := fmt.Sprint(e.Frame, e.Kind, e.Key)
			if e.Frame < from {
				continue
			}
			switch e.What {
			case effects.Started:
				to[key]++
			case effects.Cancelled:
				to[key]--
			case effects.Moved:
				to[key]++
				to[fmt.Sprint(e.From, e.Kind, e.Key)]--
			}
		}
	}
	from := h.server.Frame() + 20
	h.server.Effects()
	clients[0].Effects()
	for range 400 {
		h.run(20 * ms)
		note(truth, h.server.Effects(), from)
		note(seen, clients[0].Effects(), from)
	}
	end := h.server.Frame() - 20
	count := 0
	for key, n := range truth {
		var f rollback.Frame
		fmt.Sscan(key, &f)
		if f >= end {
			continue
		}
		if count++; n != 1 || seen[key] != 1 {
			t.Fatalf("effect %s is begun %d times at the server, %d times at the client", key, n, seen[key])
		}
	}
	for key, n := range seen {
		var f rollback.Frame
		fmt.Sscan(key, &f)
		if f < end && n != truth[key] {
			t.Fatalf("effect %s is begun %d times at the client, %d times at the server", key, n, truth[key])
		}
	}
	if count < 300 {
		t.Errorf("only %d effects", count)
	}
}

// Rule: a spectator at a server sees the match as it was played.
func TestSpectatorsWatchAServer(t *testing.T) {
	h := newHall(t, nil)
	h.client(1, func(f rollback.Frame) (uint8, []byte) { return uint8(f), nil })
	h.run(3 * time.Second)
	s, err := session.NewSpectator(smallGame(), session.SpectatorConfig{
		Hosts: []netip.AddrPort{addr(0)}, GameID: "small", TickRate: 50, MaxOrders: 8, Random: h.random.Uint64,
	}, session.SpectatorHooks[small, uint8]{})
	if err != nil {
		t.Fatal(err)
	}
	h.others[addr(5)] = smallSpectator{s}
	h.run(5 * time.Second)
	if s.Phase() != session.Playing || s.Health() != stream.Healthy || s.Frame() < h.server.Frame()-40 {
		t.Errorf("%v, %v, frame %d of %d: %v", s.Phase(), s.Health(), s.Frame(), h.server.Frame(), s.Err())
	}
	if n := h.server.Stats(nil).Spectators.Spectators; n != 1 {
		t.Errorf("%d watch", n)
	}
	h.server.Leave("it closes")
	told := 0
	for to, b := range h.server.Outgoing() { // who ends its program now has said it
		if to == addr(5) && len(b) > 0 {
			told++
		}
	}
	if told == 0 {
		t.Error("a server that ends says nothing to its spectator until it is updated again")
	}
}

// Rule: a spectator learns how the match has ended: after which tick and with which state, its result, and who was not there.
func TestASpectatorLearnsTheEnd(t *testing.T) {
	h := newHall(t, nil)
	game := smallGame()
	step := game.Step
	game.Step = func(s *small, k *rollback.Tick[uint8]) {
		if step(s, k); k.Frame() == 120 {
			k.Finish(77)
		}
	}
	var err error
	h.server, err = served.NewServer(game, served.ServerConfig{Game: smallAbout, Random: h.random.Uint64, Spectators: spectate.Config{Max: 2}}, served.ServerHooks[small, uint8]{})
	if err != nil {
		t.Fatal(err)
	}
	h.client(1, func(f rollback.Frame) (uint8, []byte) { return uint8(f), nil })
	s, err := session.NewSpectator(game, session.SpectatorConfig{
		Hosts: []netip.AddrPort{addr(0)}, GameID: "small", TickRate: 50, MaxOrders: 8, Random: h.random.Uint64,
	}, session.SpectatorHooks[small, uint8]{})
	if err != nil {
		t.Fatal(err)
	}
	h.others[addr(5)] = smallSpectator{s}
	h.run(4 * time.Second)
	want, over := h.server.Outcome()
	got, told := s.Outcome()
	if !over || want.Frames != 121 || want.Result != 77 || !want.Finished || want.Left.Len() != 3 {
		t.Fatalf("the match has ended: %v, with %+v", over, want)
	}
	if !told || got.Frames != want.Frames || got.Hash != want.Hash || got.Chain != want.Chain || got.Result != want.Result || got.Finished != want.Finished || got.Left != want.Left {
		t.Errorf("it learns %v, of %+v, want %+v", told, got, want)
	}
}

// notes is a recorder that plays what it receives.
type notes struct {
	t     *testing.T
	run   *rollback.Stepper[small, uint8]
	begun *stream.Begin
	end   *stream.End

	states int // that were recorded, and are those of the match
}

func (n *notes) Begin(b *stream.Begin) {
	begun := *b // it is the tape's
	n.begun = &begun
	if b.First > 0 {
		if err := n.run.Load(b.First, b.State); err != nil {
			n.t.Error(err)
		}
	}
}

func (n *notes) State(f rollback.Frame, encoded []byte) {
	n.states++
	if ours, err := n.run.Marshal(nil); f != n.run.Frame() || err != nil || !bytes.Equal(ours, encoded) {
		n.t.Errorf("state %d, after frame %d: %x, want %x; %v", f, n.run.Frame(), encoded, ours, err)
	}
}
func (n *notes) End(e *stream.End) { n.end = e }

func (n *notes) Frame(f *agreed.Frame, hash uint64, hashed bool) {
	orders := f.Orders
	if err := n.run.Step(bytes.Clone(f.Inputs), orders, rollback.PlayerSet(f.Gone)); err != nil {
		n.t.Error(err)
	}
	if ours, err := n.run.Hash(); err != nil || hashed && ours != hash {
		n.t.Errorf("after frame %d: %x, want %x; %v", f.Number, ours, hash, err)
	}
}

// Rule: a server's recording, from the beginning, from after its first ticks or from the middle, leads to its states.
func TestAServerIsRecorded(t *testing.T) {
	for _, from := range []rollback.Frame{0, 1, 2, 100} {
		h := newHall(t, nil)
		h.client(1, func(f rollback.Frame) (uint8, []byte) { return uint8(f), []byte{byte(f)} })
		for h.server.Frame() < from {
			h.run(ms)
		}
		run, err := rollback.NewStepper(smallGame(), 4, 8)
		if err != nil {
			t.Fatal(err)
		}
		n := &notes{t: t, run: run}
		if err := h.server.Record(n, stream.Wants{Hashes: 1, States: 25}); err != nil {
			t.Fatal(err)
		}
		if err := h.server.Record(n, stream.Wants{}); err != session.ErrRecording {
			t.Errorf("a second recording: %v", err)
		}
		h.run(4 * time.Second)
		h.server.Leave("")
		if n.begun != nil && (n.begun.First != from || n.begun.Match != 1 || n.begun.Shape.Players != 4 || n.begun.Shape.InputSize != 1 || n.begun.Shape.MaxOrders != 8) {
			t.Errorf("it begins with %+v", n.begun)
		}
		if n.begun == nil || n.end == nil || run.Frame() != h.server.Frame() || *run.State() != *h.server.State() {
			t.Errorf("recorded up to %d of %d: %+v", run.Frame(), h.server.Frame(), n.end)
		}
		if want := int(run.Frame()/25 - from/25); n.states < want-1 || n.states > want {
			t.Errorf("from %d to %d %d states are recorded, want %d", from, run.Frame(), n.states, want)
		}
	}
}

// Rule: a server's recording up to the end of its match is complete, and has the outcome.
func TestAServerIsRecordedToItsEnd(t *testing.T) {
	h := newHall(t, func(c *served.ServerConfig, _ *served.ServerHooks[small, uint8]) { c.Match.Frames = 100 })
	h.client(1, func(f rollback.Frame) (uint8, []byte) { return uint8(f), nil })
	run, err := rollback.NewStepper(smallGame(), 4, 8)
	if err != nil {
		t.Fatal(err)
	}
	n := &notes{t: t, run: run}
	if err := h.server.Record(n, stream.Wants{}); err != nil {
		t.Fatal(err)
	}
	h.run(4 * time.Second)
	o, over := h.server.Outcome()
	if !over || n.end == nil || !n.end.Ended || n.end.Outcome.Summary != o.Summary || run.Frame() != 100 {
		t.Errorf("it ends with %+v, and the match with %+v", n.end, o)
	}
}

// Rule: the server plays by its hooks: a stand-in for a silent player, what Carry makes of a late input, and the
// refusals of Check.
func TestHooksOfAServer(t *testing.T) {
	refused := 0
	h := newHall(t, func(c *served.ServerConfig, k *served.ServerHooks[small, uint8]) {
		k.StandIn = func(s *small, p rollback.Player) uint8 { return 77 }
		k.Check = func(s *small, p rollback.Player, in uint8) bool {
			if in == 99 {
				refused++
			}
			return in != 99
		}
		k.Agreed = func(a *rollback.Agreed[uint8]) {
			if a.Inputs[0] == 99 {
				t.Error("a refused input is played")
			}
			if a.Inputs[1] != 0 && a.Inputs[1] != 77 {
				t.Errorf("somebody plays %d", a.Inputs[1])
			}
		}
	})
	h.client(1, func(f rollback.Frame) (uint8, []byte) { return 99, nil })
	h.client(2, func(f rollback.Frame) (uint8, []byte) { return 0, nil })
	h.run(2 * time.Second)
	before := h.server.State().Sum[1]
	delete(h.others, addr(2)) // silent, but not lost yet
	h.run(2 * time.Second)
	if refused == 0 || h.server.State().Sum[1] == before {
		t.Errorf("%d are refused, and nobody stands in", refused)
	}
}

// Rule: an input that came too late is not lost if the game has a Carry: what that makes of it and of the next input is
// played by everybody instead of the next one.
func TestALateInputIsCarried(t *testing.T) {
	const carried = 222 // ticks ago, unless said otherwise
	calls, played := 0, 0
	link := netem.Link{Delay: 50 * ms, Jitter: 40 * ms, Distribution: netem.Exponential, Loss: netem.Always / 10}
	h := newHouse(t, 5, 3, link, nil, func(_ *served.ServerConfig, k *served.ServerHooks[tanks.State, tanks.Input]) {
		k.Carry = func(late, next tanks.Input) tanks.Input {
			calls++
			merged := tanks.Carry(late, next)
			if late.Buttons&tanks.Fire != 0 && merged.Buttons&tanks.Fire == 0 {
				t.Error("a shot is lost")
			}
			merged.Seen = carried
			return merged
		}
		k.Agreed = func(a *rollback.Agreed[tanks.Input]) {
			for _, in := range a.Inputs {
				if in.Seen == carried {
					played++
				}
			}
		}
	})
	for node := range 3 {
		h.join(node + 1)
	}
	h.run(20 * time.Second)
	t.Logf("%d are carried, and %d played", calls, played)
	if calls == 0 || played == 0 || played > calls || 2*played < calls {
		t.Errorf("%d are carried, and %d played", calls, played)
	}
}

// Rule: an input that Check refuses is counted once, in its own tick, and not for those that follow.
func TestARefusedInputIsCountedOnce(t *testing.T) {
	h := newHall(t, func(_ *served.ServerConfig, k *served.ServerHooks[small, uint8]) {
		k.Check = func(_ *small, _ rollback.Player, in uint8) bool { return in != 99 }
	})
	h.client(1, func(f rollback.Frame) (uint8, []byte) {
		if f == 60 || f == 80 || f == 81 {
			return 99, nil
		}
		return 1, nil
	})
	h.client(2, func(rollback.Frame) (uint8, []byte) { return 1, nil })
	h.run(3 * time.Second)
	if n := h.server.Counts().Illegal; h.server.Frame() < 100 || n != 3 {
		t.Errorf("of 3 illegal inputs %d are counted, up to tick %d", n, h.server.Frame())
	}
}

// Rule: a recorder learns why the recording ends, and another one may begin.
func TestARecordingIsStopped(t *testing.T) {
	h := newHall(t, nil)
	c := h.client(1, func(f rollback.Frame) (uint8, []byte) { return uint8(f), nil })
	h.run(time.Second)
	for whose, s := range map[string]interface {
		Record(r stream.Recorder, wants stream.Wants) error
		StopRecording(why error)
	}{"the server's": h.server, "the client's": c} {
		run, err := rollback.NewStepper(smallGame(), 4, 8)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			n, why := &notes{t: t, run: run}, errors.New("the disk is full")
			if err := s.Record(n, stream.Wants{}); err != nil {
				t.Fatalf("%s: %v", whose, err)
			}
			h.run(200 * ms)
			s.StopRecording(why)
			if n.begun == nil || n.end == nil || n.end.Failed != why || n.end.Ended {
				t.Errorf("%s recording ends with %+v", whose, n.end)
			}
		}
	}
}
