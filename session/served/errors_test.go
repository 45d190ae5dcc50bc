package served

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// breakable is the fixture's game, in which every tick fails as long as broken is true.
func breakable(broken *bool) rollback.Game[count, uint16] {
	game, other := countGame(), effects.OneShot[struct{}](2, "other")
	step := game.Step
	game.Effects = []effects.Declaration{effects.OneShot[struct{}](1, "hit")}
	game.Step = func(s *count, k *rollback.Tick[uint16]) {
		if step(s, k); *broken {
			other.Emit(k.Effects(), 1, struct{}{}) // it is not declared
		}
	}
	return game
}

// Rule: a client whose game fails is over with the game's error, whichever of its ticks fails: one that it runs ahead when
// it begins, one that it makes up for, one that it skips to, or one that it runs again at the end.
func TestAClientIsOverWhicheverTickFails(t *testing.T) {
	for name, c := range map[string]struct {
		begins bool // before it plays
		run    func(f *fixture, c *Client[count, uint16])
	}{
		"at the beginning": {true, func(f *fixture, _ *Client[count, uint16]) { f.run(second) }},
		"one to make up for": {false, func(_ *fixture, c *Client[count, uint16]) {
			c.timing.next = c.engine.Frame() + 3
			catchUp(c)
		}},
		"the one that is due": {false, func(_ *fixture, c *Client[count, uint16]) {
			c.timing.due = c.now
			c.tick()
		}},
		"one before what it learns": {false, func(f *fixture, _ *Client[count, uint16]) {
			f.mute = true // the server goes on
			f.run(2 * second)
		}},
		"one to skip to": {false, func(_ *fixture, c *Client[count, uint16]) {
			c.timing.due = c.now + second // it is far behind the lead that it wants
			c.skipAhead()
		}},
		"at the end": {false, func(_ *fixture, c *Client[count, uint16]) {
			p := (c.server.player + 1) % 3
			if err := c.engine.AddInput(p, c.engine.Next(p), 77, nil); err != nil { // it was predicted otherwise
				t.Fatal(err)
			}
			c.match.params.Frames = c.engine.Frame()
			c.tick()
		}},
	} {
		f, broken := newFixture(t), false
		k := newClient(t, breakable(&broken), one, nil)
		f.other.Leave("")
		f.run(100 * time.Millisecond)
		f.other = k
		if broken = c.begins; !broken {
			f.run(2 * second)
			if k.Phase() != session.Playing {
				t.Fatalf("%s: it is %v: %v", name, k.Phase(), k.Err())
			}
			broken = true
		}
		c.run(f, k)
		if k.Phase() != session.Over || k.Err() == nil || !strings.Contains(k.Err().Error(), "not declared") {
			t.Errorf("%s: it is %v: %v", name, k.Phase(), k.Err())
		}
		if up := k.Stats(nil).Uptime; c.begins != (up == 0) || up < 0 {
			t.Errorf("%s: it has played for %v", name, up)
		}
	}
}

// Rule: neither a server nor a client is made of a game that cannot be run, or whose states have no hash to compare; the
// error is that of the game.
func TestNothingIsMadeOfAGameThatCannotBePlayed(t *testing.T) {
	type game = rollback.OwnMemory[func(), func(), uint16]
	walked := game{ // a function can be neither walked nor hashed
		Step: func(*func(), *rollback.Tick[uint16]) {},
		Save: func(*func(), *func()) {}, Restore: func(*func(), *func()) {},
		New: func() *func() { f := func() {}; return &f },
	}
	for name, c := range map[string]struct {
		game game
		want string
	}{"no step": {game{}, "Step"}, "no hash": {walked, "no Hash"}} {
		_, err1 := NewServer(c.game, ServerConfig{Game: countAbout, Random: one}, ServerHooks[func(), uint16]{})
		_, err2 := NewClient(c.game, ClientConfig{Game: countAbout, Server: serverAddr, Random: one}, ClientHooks[func(), uint16]{Sample: func(Player) uint16 { return 0 }})
		for _, err := range []error{err1, err2} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	_, err := NewServer(ownGame(), ServerConfig{Game: countAbout, Random: one}, ServerHooks[count, uint16]{Sight: func(*count, Player) PlayerSet { return 0 }})
	if lacks := (*rollback.CapabilityError)(nil); !errors.As(err, &lacks) {
		t.Errorf("a Sight for states that are no values: %v", err)
	}
}

// mute is the fixture's game with its own memory, whose states cannot be encoded as long as silent is true.
func mute(silent *bool) rollback.OwnMemory[count, count, uint16] {
	game := ownGame()
	marshal := game.Marshal
	game.Marshal = func(b []byte, s *count) ([]byte, error) {
		if *silent {
			return b, errBroken
		}
		return marshal(b, s)
	}
	return game
}

// Rule: a server whose game cannot encode its state sends none: whoever comes waits, and plays as soon as it can. It begins
// no recording in the middle of a match, either.
func TestAStateThatCannotBeEncodedIsNotSent(t *testing.T) {
	silent := false
	g := &gate{t: t, random: rand.New(rand.NewPCG(8, 8)), clients: map[netip.AddrPort]*Client[count, uint16]{}}
	var err error
	if g.server, err = NewServer(mute(&silent), ServerConfig{Game: countAbout, Random: one}, ServerHooks[count, uint16]{}); err != nil {
		t.Fatal(err)
	}
	silent = true
	at := netip.MustParseAddrPort(home)
	c := newClient(t, ownGame(), g.random.Uint64, nil)
	g.clients[at], g.order = c, append(g.order, at)
	g.run(second)
	if c.Phase() != session.Starting || c.server.whole.size != 0 || g.server.clients.at(at).fullStates.at != 0 {
		t.Errorf("without a state it is %v: %v; a state of %d bytes was begun", c.Phase(), c.Err(), c.server.whole.size)
	}
	if err := g.server.Record(new(listener), stream.Wants{}); !errors.Is(err, errBroken) {
		t.Errorf("a recording of it: %v", err)
	}
	silent = false
	g.run(second)
	if c.Phase() != session.Playing || c.Health() != stream.Healthy {
		t.Errorf("with a state it is %v: %v", c.Phase(), c.Err())
	}
	if err := g.server.Record(new(listener), stream.Wants{}); err != nil {
		t.Errorf("a recording after one that could not begin: %v", err)
	}
}

// listener notes how a recording ends.
type listener struct {
	silent
	begun bool
	end   *stream.End
}

func (l *listener) Begin(*stream.Begin) { l.begun = true }
func (l *listener) End(e *stream.End)   { l.end = e }

// Rule: a recording that waits for a client's first state ends with the error if that cannot be encoded; the client plays
// on, and can be recorded again.
func TestARecordingWhoseFirstStateCannotBeEncoded(t *testing.T) {
	g := &gate{t: t, random: rand.New(rand.NewPCG(8, 8)), clients: map[netip.AddrPort]*Client[count, uint16]{}}
	var err error
	if g.server, err = NewServer(ownGame(), ServerConfig{Game: countAbout, Random: one}, ServerHooks[count, uint16]{}); err != nil {
		t.Fatal(err)
	}
	silent, l := false, new(listener)
	at := netip.MustParseAddrPort(home)
	c := newClient(t, mute(&silent), g.random.Uint64, nil)
	silent = true
	g.clients[at], g.order = c, append(g.order, at)
	if err := c.Record(l, stream.Wants{}); err != nil {
		t.Fatal(err)
	}
	g.run(2 * second)
	if c.Phase() != session.Playing || l.begun || l.end == nil || !errors.Is(l.end.Failed, errBroken) {
		t.Errorf("it is %v: %v; the recording has begun: %v, and ends with %+v", c.Phase(), c.Err(), l.begun, l.end)
	}
	silent = false
	if err := c.Record(new(listener), stream.Wants{}); err != nil {
		t.Errorf("the next one: %v", err)
	}
}

// deaf are spectators that take no frame.
type deaf struct{}

func (deaf) Frame(*agreed.Frame) error { return errBroken }

// Rule: a server whose spectators cannot be told a tick is over, with the error.
func TestAServerWhoseSpectatorsFailIsOver(t *testing.T) {
	f := newFixture(t)
	f.server.log.stream.SetSpectators(deaf{})
	f.server.log.listen(false)
	f.run(2 * period)
	if f.server.Phase() != session.Over || !errors.Is(f.server.Err(), errBroken) {
		t.Errorf("%v: %v", f.server.Phase(), f.server.Err())
	}
}

// Rule: whoever asks for a place when the match is over is refused, is told so, and is counted.
func TestNobodyGetsAPlaceAfterTheEnd(t *testing.T) {
	g := newGate(t, func(c *ServerConfig) { c.Match.Frames = 60 })
	g.enter(home, nil)
	for g.server.Phase() == session.Playing {
		g.run(period)
	}
	c := g.join(away)
	g.run(second)
	var bye *ByeError
	if !errors.As(c.Err(), &bye) || bye.Reason != "the match is over" || g.server.Members().Len() != 1 {
		t.Errorf("it is %v: %v", c.Phase(), c.Err())
	}
	if n := g.server.Counts(); n.Refused == 0 || n.Refused > 100 || n.Uninvited+n.Crowded != 0 {
		t.Errorf("%+v", n)
	}
}

// Rule: a client that is kicked after the last tick is told neither the last state nor the outcome again.
func TestAClientThatIsKickedAfterTheEndIsNotToldIt(t *testing.T) {
	f := newFixtureOf(t, countGame(), func(c *ServerConfig, _ *ServerHooks[count, uint16]) { c.Match.Frames = 110 })
	p, _ := f.other.Player()
	for f.server.Frame() < 109 {
		f.run(time.Millisecond)
	}
	f.mute = true
	for f.server.Phase() == session.Playing {
		f.run(time.Millisecond)
	}
	c := f.server.clients.of[p]
	if err := f.server.Kick(p, "it is late"); err != nil {
		t.Fatal(err)
	}
	told, sent := c.view.told, 0
	f.tap = func(_, to netip.AddrPort, _ []byte) {
		if to == otherAddr {
			sent++
		}
	}
	f.run(second)
	if c.view.told != told || sent > 10 { // the goodbye, until it is acknowledged
		t.Errorf("it is told states, %v; %d datagrams in %d ticks", c.view.told != told, sent, second/period)
	}
}

// Rule: a client that has left, and gets something that no server sends, waits for no confirmation any more.
func TestAFarewellEndsWhenTheServerSendsNonsense(t *testing.T) {
	for _, nonsense := range []bool{false, true} {
		f := newFixture(t)
		p, _ := f.other.Player()
		pipe := f.server.clients.of[p].pipe
		f.other.Leave("")
		b := (&datagram.Header{Watch: true, Sequence: uint16(pipe.Next())}).Append(nil, datagram.Shape{})
		if b = pipe.Seal(b, 0, f.now); nonsense {
			b = withoutFlags(pipe, f.now)
		}
		f.other.Receive(f.now, serverAddr, b)
		if done := f.other.Done(); done != nonsense {
			t.Errorf("nonsense %v: it is done: %v", nonsense, done)
		}
	}
}

// Rule: with partial sight an update that costs ticks is taken by a machine that has time. A machine that is behind wants
// plain ones for four seconds once a single update costs more than it may spend between two ticks, and takes none that
// costs anything until then.
func TestWhatIsTooExpensive(t *testing.T) {
	for _, c := range []struct {
		full, lags, hurries bool
		cost                Frame
		want, plain         bool // too expensive; plain ones are wanted from now on
	}{
		{cost: 0},
		{cost: 20},
		{cost: 21},
		{lags: true, cost: 20},
		{lags: true, cost: 21, want: true, plain: true},
		{hurries: true, cost: 1, want: true, plain: true},
		{hurries: true, cost: 0, plain: true},
		{full: true, lags: true, cost: 21},
		{full: true, hurries: true, cost: 21},
	} {
		f := newFixture(t)
		k := f.other
		k.clientMatch.full, k.clientMatch.lags = c.full, c.lags
		if c.hurries {
			k.timing.timeBudget.failed(k.now)
		}
		if most := k.clientMatch.updates.most; most != 20 { // 400 ms
			t.Fatalf("it may spend %d ticks", most)
		}
		if got := tooExpensive(k, c.cost); got != c.want || wantsPlainUpdates(k) != c.plain {
			t.Errorf("%+v: %v, and it wants plain ones: %v", c, got, wantsPlainUpdates(k))
		}
		if k.now += leastHurry; wantsPlainUpdates(k) {
			t.Errorf("%+v: it still wants plain ones", c)
		}
	}
}

// Rule: a difference that cannot be explained leaves the client playing: in a match of one place it gets the server's states
// from then on, and the reason why there is no report.
func TestADifferenceWithoutAReport(t *testing.T) {
	game := func(add int64) rollback.Game[count, uint16] { // whose step of tick 60 adds this
		return rollback.Game[count, uint16]{Step: func(s *count, k *rollback.Tick[uint16]) {
			if s.Ticks[0]++; k.Frame() == 60 {
				s.Sum[2] += add
			}
		}}
	}
	about := countAbout
	about.Players = 1
	server, err := NewServer(game(0), ServerConfig{Game: about, Random: one}, ServerHooks[count, uint16]{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewClient(game(1), ClientConfig{Game: about, Server: serverAddr, Random: one}, ClientHooks[count, uint16]{Sample: func(Player) uint16 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	differs, why := 0, ""
	for now := time.Duration(0); now < 3*second; now += time.Millisecond {
		updateAll(server, now)
		for _, b := range server.Outgoing() {
			c.Receive(now, serverAddr, b)
		}
		updateAll(c, now)
		for _, b := range c.Outgoing() {
			server.Receive(now, otherAddr, bytes.Clone(b))
		}
		for _, e := range c.Events() {
			switch e.What {
			case event.Desync:
				differs++
			case event.Reported:
				why += e.Text
			}
		}
	}
	if differs != 1 || !strings.HasPrefix(why, "a match of one place") || c.Report() != nil {
		t.Errorf("%d differences, %q", differs, why)
	}
	if r := c.clientMatch.inquiry.report; r.Noticed != 0 || len(r.Inputs) != 0 {
		t.Errorf("there is a report of state %d, with %d bytes of inputs", r.Noticed, len(r.Inputs))
	}
	if c.Phase() != session.Playing || c.clientMatch.newest+10 < server.Frame() {
		t.Errorf("%v, knows %d of %d: %v", c.Phase(), c.clientMatch.newest, server.Frame(), c.Err())
	}
}

// Rule: a client whose game cannot load the state that its server sends is over, with the game's error.
func TestAClientThatCannotLoadItsStateIsOver(t *testing.T) {
	g := &gate{t: t, random: rand.New(rand.NewPCG(8, 8)), clients: map[netip.AddrPort]*Client[count, uint16]{}}
	var err error
	if g.server, err = NewServer(ownGame(), ServerConfig{Game: countAbout, Random: one}, ServerHooks[count, uint16]{}); err != nil {
		t.Fatal(err)
	}
	game, full := ownGame(), false
	game.Unmarshal = func(s *count, encoded []byte) error {
		if full {
			return errBroken
		}
		return ownGame().Unmarshal(s, encoded)
	}
	at := netip.MustParseAddrPort(home)
	c := newClient(t, game, g.random.Uint64, nil)
	full = true
	g.clients[at], g.order = c, append(g.order, at)
	if g.run(second); c.Phase() != session.Over || !errors.Is(c.Err(), errBroken) || c.Counts().Wholes != 0 || g.server.Members() != 0 {
		t.Errorf("it is %v: %v; %+v", c.Phase(), c.Err(), c.Counts())
	}
}

// Rule: neither end of a connection waits for longer than twice its time-out before it repeats a message, however often that
// gets lost.
func TestAMessageIsRepeatedSoon(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	for name, pipe := range map[string]*peer.Pipe{"the client": f.other.server.pipe, "the server": f.server.clients.of[p].pipe} {
		if err := pipe.Channel.Send([]byte{messageBye}); err != nil {
			t.Fatal(err)
		}
		now, most := f.now, 2*pipe.Timeout()
		pipe.Append(nil, now)
		for n := range 6 {
			next, any := pipe.Channel.Due(now)
			if !any || next <= now || next-now > most {
				t.Fatalf("%s repeats it after %v, for the time %d; twice its time-out is %v", name, next-now, n+1, most)
			}
			now = next
			pipe.Append(nil, now)
		}
	}
}

// Rule: a client asks a server that was started again for a place as soon as it knows that.
func TestARestartedServerIsAskedForAPlaceAtOnce(t *testing.T) {
	f := newFixture(t)
	c, again := f.other, newServer(t, func(c *ServerConfig) { c.Random = rand.New(rand.NewPCG(9, 9)).Uint64 })
	c.Events()
	c.clientMatch.inquiry.stage = asked
	for until := f.now + second; c.Phase() == session.Playing && f.now < until; f.now += time.Millisecond {
		updateAll(c, f.now)
		for _, b := range c.Outgoing() {
			again.Receive(f.now, otherAddr, bytes.Clone(b))
		}
		for _, b := range again.Outgoing() {
			c.Receive(f.now, serverAddr, bytes.Clone(b))
		}
	}
	if c.Phase() != session.Connecting {
		t.Fatalf("it is %v", c.Phase())
	}
	if list := c.Events(); len(list) != 2 || list[0].What != event.Reported || list[0].Match != 1 || list[1].What != event.Restarted {
		t.Errorf("it says %v", list)
	}
	c.Update(f.now)
	for _, b := range c.Outgoing() {
		again.Receive(f.now, otherAddr, bytes.Clone(b))
	}
	if again.Members().Len() != 1 {
		t.Error("it waits")
	}
}

// Rule: how far behind a client is, is measured by each of its new inputs once it holds a state, and by nothing else.
func TestWhatSaysHowFarBehindAClientIs(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	f.mute = true
	h := f.sequel()
	from := h.Next()
	for range 3 {
		h.Push([]byte{1, 0})
	}
	for _, k := range []struct {
		name  string
		holds bool
		to    uint32
		n     uint8
	}{
		{"a new input", true, from + 1, 1},
		{"the same one again", true, from + 1, 0},
		{"a new one, without a state", false, from + 2, 0},
		{"the next one", true, from + 3, 1},
	} {
		before := c.behind.next
		if c.view.any = k.holds; !k.holds {
			c.view.told.mask = 0
		}
		f.give(&h, from, k.to)
		if n := c.behind.next - before; n != k.n {
			t.Errorf("%s: %d times, want %d", k.name, n, k.n)
		}
	}
}

// Rule: a client that acknowledges old states counts as no farther behind than its round trip and two deviations explain.
func TestHowFarAWayExplainsThatAClientIsBehind(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	f.mute = true
	h := f.sequel()
	h.Push([]byte{1, 0})
	c.view.newest -= 60
	c.pipe.RoundTrip.Smoothed, c.pipe.RoundTrip.Deviation = 5*period, period
	last, next := Frame(h.Next()-1), f.server.sequencer.Next()
	f.give(&h, h.Next()-1, h.Next())
	if got, want := c.behind.list[(c.behind.next-1)%behindHeld], last+1-next+5+2; last+1 < next || got != uint8(want) {
		t.Errorf("its input of tick %d, before %d, says that it is %d ticks behind, want %d", last, next, got, want)
	}
}

// Rule: a client may fall behind what it learns by 128 ticks, and by twice what it may run ahead, if that is more, rounded up
// to a power of two.
func TestHowFarAClientMayFallBehind(t *testing.T) {
	for ahead, want := range map[int]Frame{1: 128, 64: 128, 65: 256, rollback.MaxWindow: 256} {
		if c := newClient(t, countGame(), one, func(c *ClientConfig) { c.MaxAhead = ahead }); c.clientMatch.maxLag != want {
			t.Errorf("with MaxAhead %d: %d ticks, want %d", ahead, c.clientMatch.maxLag, want)
		}
	}
}

// Rule: a client whose server sends what no server does is over, and says so to the server.
func TestAServerThatBreaksTheProtocolIsLeft(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	f.other.Receive(f.now, serverAddr, withoutFlags(f.server.clients.of[p].pipe, f.now))
	if err := f.other.Err(); f.other.Phase() != session.Over || err == nil || !strings.HasPrefix(err.Error(), "the server does not follow the protocol: ") {
		t.Errorf("it is %v: %v", f.other.Phase(), err)
	}
}

// withoutFlags returns a datagram whose part of the control stream has no flags: nobody sends that.
func withoutFlags(pipe *peer.Pipe, now time.Duration) []byte {
	b := (&datagram.Header{Watch: true, Sequence: uint16(pipe.Next())}).Append(nil, datagram.Shape{})
	datagram.MarkControl(b)
	return pipe.Seal(append(b, 0), 0, now)
}

// Rule: a server whose game fails is over with the game's error.
func TestAServerIsOverWhenItsGameFails(t *testing.T) {
	broken := false
	f := newFixtureOf(t, breakable(&broken), nil)
	broken = true
	if f.run(2 * period); f.server.Phase() != session.Over || f.server.Err() == nil || !strings.Contains(f.server.Err().Error(), "not declared") {
		t.Errorf("it is %v: %v", f.server.Phase(), f.server.Err())
	}
}

// Rule: ticks and states of which the engine can make nothing are errors; a state before those that are agreed is none: the
// inputs before it are known, and have led to it.
func TestWhatTheEngineCannotUse(t *testing.T) {
	f := newFixture(t)
	k := &f.other.clientMatch
	health, n := k.health, k.counts
	if err := k.correct(&sight.Update[count, uint16]{State: k.engine.Agreed() - 70, Value: new(count)}); err != nil || k.health != health || k.counts != n {
		t.Errorf("a state of long ago: %v, %v, %+v", err, k.health, k.counts)
	}
	if err := k.correct(&sight.Update[count, uint16]{State: rollback.NoFrame, Value: new(count)}); err == nil {
		t.Error("a state beyond all ticks is taken")
	}
	if err := k.addTick(k.newest+1<<20, &sight.Tick[uint16]{Inputs: make([]uint16, 3), Told: 7}); err == nil {
		t.Error("a tick that is far beyond what the engine can hold is taken")
	}
}

// hashless is a game whose states have no hash from some call on, or whose inputs are too large.
type hashless struct {
	world
	calls *int
	size  int
}

func (h hashless) Hash() (uint64, error) {
	if *h.calls--; *h.calls < 0 {
		return 0, errBroken
	}
	return h.world.Hash()
}

func (h hashless) InputSize() int { return h.size }

// Rule: no server is made of a game whose states cannot be hashed before the match, or at its beginning, nor of one whose inputs
// are too large.
func TestNoServerIsMadeOfSuchAWorld(t *testing.T) {
	for _, c := range []struct {
		calls, size int
		ok          bool
	}{{0, 2, false}, {1, 2, false}, {2, 1 << 20, false}, {2, 2, true}} {
		f, left := newFixture(t), c.calls
		h, err := newHost(f.server.cfg, hashless{f.server.Host.world, &left, c.size})
		if (err == nil) != c.ok || (h != nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
		if wrong := (*ConfigError)(nil); c.calls < 2 && (!errors.Is(err, errBroken) || errors.As(err, &wrong) != (c.calls == 0)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
