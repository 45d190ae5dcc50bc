package tickback_test

import (
	"bytes"
	"errors"
	"math"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/netem/realtime"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/transport/udp"
)

// pot is a game of up to three players: each adds to a part of its own, and the tail belongs to all.
type pot struct {
	Frame uint32
	Part  [3]uint64
	Tail  [4]uint32 // the last frames
	Here  rollback.PlayerSet
}

var potting = rollback.Game[pot, uint32]{Step: func(s *pot, t *rollback.Tick[uint32]) {
	s.Frame++
	s.Here = 0
	for p := range t.Players() {
		if t.Status(p) != rollback.Disconnected {
			s.Here |= rollback.SetOf(p)
			s.Part[p] += uint64(t.Input(p))
		}
	}
	s.Tail[s.Frame%4] = s.Frame
}}

// potSight hides what the others have.
func potSight(s *pot, p rollback.Player) rollback.PlayerSet {
	for q := range s.Part {
		if q != int(p) {
			s.Part[q] = 0
		}
	}
	return rollback.SetOf(p)
}

type (
	potServer  = tickback.Server[pot, uint32]
	potClient  = tickback.Client[pot, uint32]
	serverOpts = tickback.ServerOptions[pot, uint32]
	clientOpts = tickback.ClientOptions[pot, uint32]
)

// table is a server over loopback UDP, with clients.
type table struct {
	t       *testing.T
	server  *potServer
	at      netip.AddrPort
	clients []*potClient
	look    func(*pot, rollback.Player) rollback.PlayerSet
	events  []tickback.Event
	ticking int // updates in which the server ran a tick
}

const potRate = 100 // ticks per second, so that tests are fast

func serve(t *testing.T, change func(o *serverOpts)) *table {
	t.Helper()
	t.Parallel() // it mostly waits
	conn, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := serverOpts{Players: 3, Transport: conn, TickRate: potRate, Timeouts: tickback.Timeouts{Drop: time.Second, Linger: 200 * time.Millisecond}}
	if change != nil {
		change(&o)
	}
	s, err := tickback.Serve(potting, o)
	if err != nil {
		t.Fatal(err)
	}
	x := &table{t: t, server: s, at: conn.LocalAddr(), look: o.Sight}
	t.Cleanup(func() {
		var wg sync.WaitGroup
		wg.Go(func() { s.Close() })
		for _, c := range x.clients {
			wg.Go(func() { c.Close() })
		}
		wg.Wait()
	})
	return x
}

// join makes a client connect, over a path with some delay.
func (x *table) join(change func(o *clientOpts)) *potClient {
	x.t.Helper()
	conn, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		x.t.Fatal(err)
	}
	late, err := realtime.Wrap(conn, netem.Link{Delay: 5 * time.Millisecond}, 1)
	if err != nil {
		x.t.Fatal(err)
	}
	o := clientOpts{
		Server: x.at, Transport: late, Players: 3, TickRate: potRate, Sight: x.look,
		Sample: func(p tickback.Player) uint32 { return 1 + uint32(p) },
	}
	if change != nil {
		change(&o)
	}
	c, err := tickback.Connect(potting, o)
	if err != nil {
		x.t.Fatal(err)
	}
	x.clients = append(x.clients, c)
	return c
}

// until runs the server and all clients until a condition holds.
func (x *table) until(what string, so func() bool) {
	x.t.Helper()
	for range 10000 {
		if so() {
			return
		}
		if x.server != nil {
			before := x.server.View().Frame
			x.server.Update()
			if x.server.View().Frame > before {
				x.ticking++
			}
			x.events = append(x.events, x.server.Events()...)
		}
		for _, c := range x.clients {
			c.Update()
		}
		time.Sleep(time.Millisecond)
	}
	x.t.Fatalf("waited in vain until %s; the server had %v", what, x.events)
}

// knows reports whether a client plays and knows the given number of states.
func knows(c *potClient, states tickback.Frame) func() bool {
	return func() bool { return c.View().Running && c.Known() >= states }
}

// Clients come one after the other, play, and end with the server's state; the recordings of the server and of a client
// give that state, too.
func TestServeAndConnect(t *testing.T) {
	var all, part bytes.Buffer
	x := serve(t, func(o *serverOpts) { o.Match.Frames, o.Record = 250, &all })
	one := x.join(nil)
	x.until("the first one plays", knows(one, 20))
	two := x.join(func(o *clientOpts) { o.Record = &part })
	x.until("the second one plays", knows(two, 60))
	p, ok := one.Player()
	q, also := two.Player()
	if !ok || !also || p != 0 || q != 1 || x.server.Members() != tickback.SetOf(0, 1) {
		t.Errorf("they play %d (%v) and %d (%v), the server has %v", p, ok, q, also, x.server.Members())
	}
	v := two.View()
	if v.Before == nil || v.After == nil || v.After.Frame < v.Before.Frame || v.Share < 0 || v.Share > 1 || v.Seen < 1 {
		t.Errorf("the view has %+v", v)
	}
	if uint32(v.Frame) <= v.After.Frame {
		t.Errorf("what is shown of others, state %d, is not behind the prediction %d", v.After.Frame, v.Frame)
	}
	if s, ok := x.server.ClientStats(0); !ok || s.Inputs == 0 {
		t.Errorf("of the first client the server knows %+v, %v", s, ok)
	}
	if s := two.StateAt(v.Frame); s != two.View().Current || two.StateAt(v.Frame+1000) != nil {
		t.Errorf("state %d of the second client is %v", v.Frame, s)
	}
	if _, ok := x.server.ClientStats(2); ok {
		t.Error("the server knows a client that is not there")
	}
	ended := func(s tickback.Session[pot]) func() bool {
		return func() bool { _, over := s.Outcome(); return over && !s.View().Running }
	}
	x.until("the match is over", ended(x.server))
	x.until("the first one knows", ended(one))
	x.until("the second one knows", ended(two))
	want := *x.server.View().Current
	if want.Frame != 250 || want.Part[0] == 0 || want.Part[1] == 0 || want.Part[2] != 0 {
		t.Errorf("the match ends with %+v", want)
	}
	for i, c := range x.clients {
		out, _ := c.Outcome()
		theirs, _ := x.server.Outcome()
		if got := *c.View().Current; got != want || out.Hash != theirs.Hash || out.Frames != 250 || c.Stats().Health != tickback.Healthy {
			t.Errorf("client %d ends with %+v, %+v, health %v; the server with %+v, %+v", i, got, out, c.Stats().Health, want, theirs)
		}
	}
	x.until("the server is over", func() bool { _, err := x.server.Update(); return errors.Is(err, tickback.ErrEnd) })
	x.until("a client knows that", func() bool { _, err := one.Update(); return errors.Is(err, tickback.ErrEnd) })
	two.Close()
	x.server.Close()
	v = x.server.View()
	if v.Running || v.Before != v.Current || v.Seen != 0 {
		t.Errorf("at the end the view is %+v", v)
	}
	verify(t, "the server's", all.Bytes(), 0, 250, want)
	verify(t, "the client's", part.Bytes(), 20, 250, want)
}

// verify replays a recording, which must begin at the given frame or later.
func verify(t *testing.T, whose string, b []byte, first, next uint32, want pot) {
	t.Helper()
	r, err := tbr.Open(bytes.NewReader(b), int64(len(b)))
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		t.Errorf("%s recording: %v", whose, err)
		return
	}
	h := r.Header()
	end, closed := r.End()
	if h.First < first || h.First > 0 && first == 0 || r.Next() != next || !closed || end.Reason != "" {
		t.Errorf("%s recording has frames %d to %d, end %+v, %v", whose, h.First, r.Next(), end, closed)
	}
	player, err := replay.NewPlayer(potting, r, replay.PlayerOptions[pot]{Game: h.Game})
	if err != nil {
		t.Errorf("%s recording: %v", whose, err)
		return
	}
	for range next - h.First {
		if err := player.Step(); err != nil {
			t.Errorf("%s recording: %v", whose, err)
			return
		}
	}
	if checked, wrong := player.Checked(); checked == 0 || wrong != rollback.NoFrame || *player.State() != want {
		t.Errorf("%s recording leads to %+v, want %+v; %d states checked, %d is wrong", whose, *player.State(), want, checked, wrong)
	}
}

// With partial sight a client only knows its own part, and cannot record.
func TestConnectWithPartialSight(t *testing.T) {
	x := serve(t, func(o *serverOpts) { o.Sight = potSight })
	if secret, n := x.server.Proposal(); secret.Seed < 1<<20 || n != 1 {
		t.Errorf("match %d has seed %d", n, secret.Seed)
	}
	one, two := x.join(nil), x.join(nil)
	x.until("the first one plays", knows(one, 100))
	x.until("the second one plays", knows(two, 100))
	for i, c := range x.clients {
		p, _ := c.Player()
		for q, part := range c.View().Current.Part {
			if (part != 0) != (q == int(p)) {
				t.Errorf("client %d, player %d, has %+v", i, p, c.View().Current)
			}
		}
		if v := c.View(); v.Before.Frame >= uint32(v.Frame) || v.After.Frame < v.Before.Frame {
			t.Errorf("client %d is shown %+v", i, v)
		}
		if err := c.Record(new(bytes.Buffer), tickback.RecordOptions{}); !errors.Is(err, tickback.ErrPartial) {
			t.Errorf("client %d records: %v", i, err)
		}
	}
}

// A client that leaves and comes back with its ID gets its place again, even from another port.
func TestAClientComesBack(t *testing.T) {
	x := serve(t, nil)
	mine := func(o *clientOpts) { o.ID = 77 }
	x.join(nil)
	x.until("the first one plays", knows(x.clients[0], 5))
	one := x.join(mine)
	x.until("the second one plays", func() bool { return x.server.View().Current.Part[1] > 0 })
	before, _ := one.Player()
	one.Close()
	x.until("it has left", func() bool { return x.server.Members() == tickback.SetOf(0) })
	if v := x.server.View().Current; !x.has(tickback.Left, before) || v.Part[before] == 0 {
		t.Errorf("after it has left: %v, %+v", x.events, v)
	}
	again := x.join(mine)
	x.until("it plays again", func() bool { return again.View().Running })
	if after, ok := again.Player(); !ok || after != before {
		t.Errorf("it played %d, and plays %d, %v", before, after, ok)
	}
	if again.View().Current.Part[before] == 0 {
		t.Error("what it had is lost")
	}
}

// has reports whether there was such an event of a player.
func (x *table) has(what any, p tickback.Player) bool {
	return slices.ContainsFunc(x.events, func(e tickback.Event) bool { return e.What == what && e.Players.Has(p) })
}

// fails updates a client until it ends, and returns its error.
func (x *table) fails(c *potClient) (err error) {
	x.t.Helper()
	x.until("the client ends", func() bool { _, err = c.Update(); return err != nil })
	return err
}

// A client that does not know the token gets no place, and is told so; neither does a client with a token that a kick
// has revoked, until a new one is set.
func TestServeChecksTokens(t *testing.T) {
	first, second := tickback.NewToken(), tickback.NewToken()
	x := serve(t, func(o *serverOpts) { o.Token = first })
	with := func(token tickback.Token) func(o *clientOpts) {
		return func(o *clientOpts) { o.Token = token }
	}
	says := func(c *potClient, want string) {
		t.Helper()
		var bye *tickback.ByeError
		if err := x.fails(c); !errors.As(err, &bye) || bye.Reason != want {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	uninvited := func(c *potClient, want tickback.TokenError) {
		t.Helper()
		var e *tickback.TokenError
		if err := x.fails(c); !errors.As(err, &e) || e.Missing != want.Missing || e.Revoked != want.Revoked {
			t.Errorf("the error is %v, want %v", err, &want)
		}
	}
	uninvited(x.join(nil), tickback.TokenError{Missing: true})
	uninvited(x.join(with(second)), tickback.TokenError{})
	good := x.join(with(first))
	x.until("it plays", knows(good, 1))
	p, _ := good.Player()
	if err := x.server.Kick(2, "nobody"); err == nil {
		t.Error("nobody was kicked")
	}
	if err := x.server.Kick(p, "too good"); err != nil {
		t.Fatal(err)
	}
	says(good, "kicked: too good")
	if !x.has(tickback.Dropped, p) {
		t.Errorf("the events are %v", x.events)
	}
	uninvited(x.join(with(first)), tickback.TokenError{Revoked: true})
	if err := x.server.SetToken(tickback.Token("short")); err == nil {
		t.Error("a short token")
	}
	if err := x.server.SetToken(second); err != nil {
		t.Fatal(err)
	}
	x.until("it plays", knows(x.join(with(second)), 1))
}

// A token keeps out spectators, too: a spectator has to know it, or a token only for watching. A kick revokes the token
// of the match, and no other.
func TestServeChecksTokensOfSpectators(t *testing.T) {
	match, watching := tickback.NewToken(), tickback.NewToken()
	x := serve(t, func(o *serverOpts) { o.Token, o.Spectators = match, tickback.Spectators{Max: 4, Token: watching} })
	watch := func(token tickback.Token) (frame tickback.Frame, err error) {
		conn, err := udp.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s, err := tickback.Spectate(potting, tickback.SpectatorOptions[pot, uint32]{
			Hosts: []netip.AddrPort{x.at}, Transport: conn, TickRate: potRate, Token: token, JitterBuffer: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		x.until("it watches, or may not", func() bool {
			_, err = s.Update()
			frame = s.View().Frame
			return err != nil || frame > 0
		})
		return frame, err
	}
	for what, c := range map[string]struct {
		token tickback.Token
		want  *tickback.TokenError // nil: it watches
	}{
		"none": {nil, &tickback.TokenError{Missing: true}}, "another": {tickback.NewToken(), new(tickback.TokenError)},
		"that of the match": {match, nil}, "that for watching": {watching, nil},
	} {
		frame, err := watch(c.token)
		var e *tickback.TokenError
		if got := errors.As(err, &e); got != (c.want != nil) || got && (frame != 0 || e.Missing != c.want.Missing || e.Revoked) {
			t.Errorf("%s: frame %d, %v", what, frame, err)
		}
	}
	player := x.join(func(o *clientOpts) { o.Token = match })
	x.until("it plays", knows(player, 1))
	p, _ := player.Player()
	if err := x.server.Kick(p, "no"); err != nil {
		t.Fatal(err)
	}
	var e *tickback.TokenError
	if _, err := watch(match); !errors.As(err, &e) || !e.Revoked {
		t.Errorf("with the token of somebody who was kicked: %v", err)
	}
	if frame, err := watch(watching); err != nil || frame == 0 {
		t.Errorf("with that for watching: %v", err)
	}
}

// A full match says so.
func TestServeWithoutPlaces(t *testing.T) {
	x := serve(t, func(o *serverOpts) { o.Players = 1 })
	alone := func(o *clientOpts) { o.Players = 1 }
	x.until("the first one plays", knows(x.join(alone), 1))
	var bye *tickback.ByeError
	if err := x.fails(x.join(alone)); !errors.As(err, &bye) || bye.Reason != "all places are taken" {
		t.Errorf("the error is %v", err)
	}
}

// A server that is closed says goodbye; one that is silent is lost; without a server nobody answers; one with another
// game is a mismatch.
func TestTheServerIsGone(t *testing.T) {
	x := serve(t, nil)
	soon := func(o *clientOpts) { o.Timeouts = tickback.Timeouts{Connect: time.Second, Drop: time.Second} }
	told, left := x.join(soon), x.join(soon)
	other := x.join(func(o *clientOpts) { o.Build = "2" })
	var differs *tickback.MismatchError
	if err := x.fails(other); !errors.As(err, &differs) || differs.Item != "build" {
		t.Errorf("another build: %v", err)
	}
	x.until("the first one plays", knows(told, 1))
	x.until("the second one plays", knows(left, 1))
	x.clients = []*potClient{told}
	done := make(chan error)
	closing := x.server
	go func() { done <- closing.Close() }()
	x.server = nil
	var bye *tickback.ByeError
	if err := x.fails(told); !errors.As(err, &bye) || bye.Reason != "it is shutting down" {
		t.Errorf("the error is %v", err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	var lost *tickback.ServerLostError
	left2 := x.join(soon) // where nobody is left
	if err := x.fails(left2); !errors.As(err, &lost) {
		t.Errorf("nobody there: %v", err)
	}
	left.Close()
}

// An address has a limited number of places; the next client is told so, and counted.
func TestAnAddressHasItsPlaces(t *testing.T) {
	x := serve(t, func(o *serverOpts) { o.PerAddress = 1 })
	one := x.join(nil)
	x.until("the first one plays", knows(one, 5))
	two := x.join(nil)
	var bye *tickback.ByeError
	x.until("the second one is refused", func() bool {
		_, err := two.Update()
		return errors.As(err, &bye)
	})
	if !strings.Contains(bye.Reason, "127.0.0.1 has 1 places already") {
		t.Errorf("it is told %q", bye.Reason)
	}
	if n := x.server.Counts(); n.Crowded == 0 || n.Refused < n.Crowded || n.Faults != (tickback.Faults{}) {
		t.Errorf("%+v", n)
	}
}

// Every mistake in the options is named after its field.
func TestMistakesInServedOptions(t *testing.T) {
	for says, change := range map[string]func(o *serverOpts){
		"Serve needs a Transport":   func(o *serverOpts) { o.Transport = nil },
		"Players is 0":              func(o *serverOpts) { o.Players = 0 },
		"Players is 17":             func(o *serverOpts) { o.Players = 17 },
		"TickRate is -1":            func(o *serverOpts) { o.TickRate = -1 },
		"States is 21":              func(o *serverOpts) { o.States = 21 },
		"PerAddress is 3":           func(o *serverOpts) { o.PerAddress = 3 },
		"PerAddress is -2":          func(o *serverOpts) { o.PerAddress = -2 },
		"GameID has 65 bytes":       func(o *serverOpts) { o.GameID = string(make([]byte, 65)) },
		"Build has 65 bytes":        func(o *serverOpts) { o.Build = string(make([]byte, 65)) },
		"MaxOrders is 5000":         func(o *serverOpts) { o.MaxOrders = 5000 },
		"Timeouts.Drop is 1ms":      func(o *serverOpts) { o.Timeouts.Drop = time.Millisecond },
		"Timeouts.Linger is -1ns":   func(o *serverOpts) { o.Timeouts.Linger = -1 },
		"Token: the token has":      func(o *serverOpts) { o.Token = tickback.Token("short") },
		"Spectators.Max is 33":      func(o *serverOpts) { o.Spectators.Max = 33 },
		"Match.Data has":            func(o *serverOpts) { o.Match.Data = make([]byte, 64<<10+1) },
		"Advanced.MaxEffects is -1": func(o *serverOpts) { o.Advanced.MaxEffects = -1 },
		"Recording: 65 fields":      func(o *serverOpts) { o.Record, o.Recording.Meta = new(bytes.Buffer), make([]tickback.MetaField, 65) },
	} {
		o := serverOpts{Players: 2, Transport: newTube()}
		change(&o)
		_, err := tickback.Serve(potting, o)
		checkOptionsError(t, "ServerOptions", says, err)
	}
	for says, change := range map[string]func(o *clientOpts){
		"Connect needs a Transport":                    func(o *clientOpts) { o.Transport = nil },
		"Sample is required":                           func(o *clientOpts) { o.Sample = nil },
		"Orders is given, but MaxOrders is 0":          func(o *clientOpts) { o.Orders = func(tickback.Player) []byte { return nil } },
		"Server has no address":                        func(o *clientOpts) { o.Server = netip.AddrPort{} },
		"Players is 0":                                 func(o *clientOpts) { o.Players = 0 },
		"PerTick is 5":                                 func(o *clientOpts) { o.PerTick = 5 },
		"MaxAhead is 241":                              func(o *clientOpts) { o.MaxAhead = 241 },
		"Behind is 2s":                                 func(o *clientOpts) { o.Behind = 2 * time.Second },
		"Timeouts.Connect is 1ms and Timeouts.Drop 5s": func(o *clientOpts) { o.Timeouts.Connect = time.Millisecond },
		"Advanced.MaxState is -1":                      func(o *clientOpts) { o.Advanced.MaxState = -1 },
		"Token: the token has":                         func(o *clientOpts) { o.Token = tickback.Token("short") },
		"Advanced.MaxEffects is -1":                    func(o *clientOpts) { o.Advanced.MaxEffects = -1 },
	} {
		o := clientOpts{Server: elsewhere[0], Players: 2, Transport: newTube(), Sample: func(tickback.Player) uint32 { return 0 }}
		change(&o)
		_, err := tickback.Connect(potting, o)
		checkOptionsError(t, "ClientOptions", says, err)
	}
}

// In other kinds of sessions, the other players are shown like everything else.
func TestOthersAreShownAsEverythingElse(t *testing.T) {
	m, w, _ := local(t, tickback.Options[counter, uint32]{})
	update(t, m)
	w.advance(3 * period / 2)
	update(t, m)
	v := m.View()
	if v.Before != v.Previous || v.After != v.Current || v.Share != v.Fraction || v.Seen != 0 || math.Abs(v.Share-0.5) > 0.01 {
		t.Errorf("the view is %+v", v)
	}
}
