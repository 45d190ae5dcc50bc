//go:build !js

package online

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/online/webrtc"
)

// rate is the number of frames per second of these matches, high so that they do not
// take long.
const rate = 240

// patience bounds every wait of these tests.
const patience = 40 * time.Second

// serveRooms runs a server of rooms on loopback until the test ends.
func serveRooms(t testing.TB) (page string) {
	t.Helper()
	page, _ = roomstest.Serve(t, rooms.Config{})
	return page
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func config(name string) Config {
	return Config{GameID: "arena", Build: "1", Name: name, Seats: 2, Spectators: 4, Loopback: true}
}

// must makes or joins a room, which is closed at the end of the test.
func must(t *testing.T) func(*Room, error) *Room {
	t.Helper()
	return func(r *Room, err error) *Room {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r
	}
}

// until runs a session until it is over, or until done returns true, and closes it.
func until[S any](t *testing.T, name string, s tickback.Session[S], done func() bool) tickback.Outcome {
	t.Helper()
	defer s.Close()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		wait, err := s.Update()
		if o, over := s.Outcome(); over || errors.Is(err, tickback.ErrEnd) {
			return o
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return tickback.Outcome{}
		}
		if done != nil && done() {
			return tickback.Outcome{}
		}
		time.Sleep(min(wait, 2*time.Millisecond))
	}
	t.Errorf("%s: no end: %+v", name, s.Stats())
	return tickback.Outcome{}
}

// match plays the match of a room with a bot.
func match(t *testing.T, r *Room, frames tickback.Frame) *tickback.Match[arena.State, arena.Input] {
	t.Helper()
	var m *tickback.Match[arena.State, arena.Input]
	bot := arena.Bot{Seed: 5}
	m, err := Play(r, arena.Game(7), tickback.Options[arena.State, arena.Input]{
		TickRate: rate, Match: tickback.Parameters{Seed: 7, Frames: frames},
		Timeouts: tickback.Timeouts{Drop: time.Second, Warn: 500 * time.Millisecond, Linger: 200 * time.Millisecond},
		Sample: func(p tickback.Player) arena.Input {
			v := m.View()
			return bot.Input(p, v.Frame, v.Current)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func wait(t *testing.T, r *Room) {
	t.Helper()
	if err := r.Wait(within(t)); err != nil {
		t.Fatal(err)
	}
}

// sees waits until the state of a room meets a condition.
func sees(t *testing.T, r *Room, what string, as func(s rooms.State) bool) {
	t.Helper()
	ctx := within(t)
	for !as(r.State()) {
		select {
		case <-r.Notify():
			for _, ok := r.Receive(); ok; _, ok = r.Receive() {
			}
		case <-ctx.Done():
			t.Fatalf("waiting for %s: %+v", what, r.State())
		}
	}
}

// Two play by a link, and agree on the end; and then they play once more.
func TestTwoMatchesByALink(t *testing.T) {
	t.Parallel()
	a := must(t)(Create(within(t), serveRooms(t), config("Ada")))
	b := must(t)(Join(within(t), a.Link(), config("Bob")))
	for round := range uint32(2) {
		sees(t, a, "two who play nothing", func(s rooms.State) bool { return len(s.Members) == 2 && s.Match == 0 })
		if !a.IsHost() || b.IsHost() {
			t.Error("the host is not who made the room")
		}
		a.Start()
		var ends [2]tickback.Outcome
		var both sync.WaitGroup
		for i, r := range []*Room{a, b} {
			wait(t, r)
			m := match(t, r, 120)
			both.Go(func() { ends[i] = until(t, r.Me().Name, tickback.Session[arena.State](m), nil) })
		}
		both.Wait()
		if ends[0].Frames != 120 || ends[0].Hash != ends[1].Hash || ends[0].Health != tickback.Healthy {
			t.Errorf("match %d ends with %+v and %+v", round+1, ends[0], ends[1])
		}
	}
	if s := a.State(); len(s.Members) != 2 {
		t.Errorf("%+v", s)
	}
	for _, r := range []*Room{a, b} {
		if s := r.transport.(*webrtc.Transport).Stats(); s.Attempts != 1 || s.Restarts != 0 {
			t.Errorf("%s made another connection for the second match: %+v", r.Me().Name, s)
		}
	}
}

// A page that is closed during a match comes back with its ticket, a late member
// watches, and another one takes the third seat; all see the same end.
func TestAComebackASpectatorAndALatecomer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes 10 s")
	}
	cfg := config("Ada")
	cfg.Seats = 3
	const frames = 2000
	a := must(t)(Create(within(t), serveRooms(t), cfg))
	link := a.Link()
	b, err := Join(within(t), link, config("Bob"))
	if err != nil {
		t.Fatal(err)
	}
	sees(t, a, "two", func(s rooms.State) bool { return len(s.Members) == 2 })
	a.Start()
	wait(t, b)
	wait(t, a)

	var all sync.WaitGroup
	var mu sync.Mutex
	ends := map[string]tickback.Outcome{}
	play := func(name string, s tickback.Session[arena.State]) {
		all.Go(func() {
			o := until(t, name, s, nil)
			mu.Lock()
			defer mu.Unlock()
			ends[name] = o
		})
	}
	play("Ada", match(t, a, frames))
	lost := match(t, b, frames)
	for lost.View().Frame < 60 {
		if _, err := lost.Update(); err != nil {
			t.Fatal(err)
		}
	}
	b.Abandon() // without a goodbye, like a page that is reloaded

	cfg = config("Bob")
	cfg.Ticket = b.Ticket()
	again := must(t)(Join(within(t), link, cfg))
	if again.Me().Seat != 1 {
		t.Fatalf("who comes back is %+v", again.Me())
	}
	wait(t, again)
	play("Bob again", match(t, again, frames))

	cfg = config("Cy")
	cfg.Role = rooms.Spectator
	c := must(t)(Join(within(t), link, cfg))
	wait(t, c)
	if _, err := Play(c, arena.Game(7), tickback.Options[arena.State, arena.Input]{}); !errors.Is(err, ErrWatching) {
		t.Errorf("who has no seat plays: %v", err)
	}
	w, err := Spectate(c, arena.Game(7), tickback.SpectatorOptions[arena.State, arena.Input]{TickRate: rate})
	if err != nil {
		t.Fatal(err)
	}
	play("Cy", w)

	d := must(t)(Join(within(t), link, config("Di")))
	wait(t, d)
	play("Di", match(t, d, frames))
	all.Wait()
	for name, o := range ends {
		if o.Frames != frames || o.Hash != ends["Ada"].Hash || o.Health == tickback.Desynced {
			t.Errorf("%s ends with %+v, and Ada with %+v", name, o, ends["Ada"])
		}
	}
}

// A server that ends during a match does not affect the match.
func TestAMatchGoesOnWithoutTheServer(t *testing.T) {
	t.Parallel()
	page, s := roomstest.Serve(t, rooms.Config{})
	a := must(t)(Create(within(t), page, config("Ada")))
	b := must(t)(Join(within(t), a.Link(), config("Bob")))
	sees(t, a, "two", func(s rooms.State) bool { return len(s.Members) == 2 })
	a.Start()
	wait(t, a)
	wait(t, b)
	x, y := match(t, a, 240), match(t, b, 240)
	var other tickback.Outcome
	var both sync.WaitGroup
	both.Go(func() { other = until(t, "Bob", tickback.Session[arena.State](y), nil) })
	for x.View().Frame < 30 {
		if _, err := x.Update(); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(within(t)); err != nil {
		t.Error(err)
	}
	end := until(t, "Ada", tickback.Session[arena.State](x), nil)
	both.Wait()
	if end.Frames != 240 || end.Hash != other.Hash || end.Health != tickback.Healthy {
		t.Errorf("they end with %+v and %+v", end, other)
	}
	if err := a.Wait(within(t)); !errors.Is(err, rooms.ErrShutdown) {
		t.Errorf("the room ends with %v", err)
	}
}

// Impossible calls return errors that say why.
func TestRefusals(t *testing.T) {
	page := serveRooms(t)
	a := must(t)(Create(within(t), page, config("Ada")))
	if _, err := Play(a, arena.Game(7), tickback.Options[arena.State, arena.Input]{}); !errors.Is(err, ErrNoMatch) {
		t.Errorf("a match before there is one: %v", err)
	}
	if _, err := Spectate(a, arena.Game(7), tickback.SpectatorOptions[arena.State, arena.Input]{}); !errors.Is(err, ErrNoMatch) {
		t.Errorf("watching before there is a match: %v", err)
	}
	other := config("Bob")
	other.Build = "2"
	var mismatch *rooms.MismatchError
	if _, err := Join(within(t), a.Link(), other); !errors.As(err, &mismatch) {
		t.Errorf("another build: %v", err)
	}
	if _, err := Join(within(t), page, config("Bob")); !errors.Is(err, ErrLink) {
		t.Errorf("a link without a room: %v", err)
	}
	if _, err := Join(within(t), page+"#room=none", config("Bob")); !errors.Is(err, rooms.ErrGone) {
		t.Errorf("no such room: %v", err)
	}
	stale := config("Bob")
	stale.Ticket = a.State().Room + ".nonsense"
	b := must(t)(Join(within(t), a.Link(), stale)) // the ticket does not count
	sees(t, a, "two", func(s rooms.State) bool { return len(s.Members) == 2 })
	a.Start()
	wait(t, a)
	m := match(t, a, 100)
	if _, err := Play(a, arena.Game(7), tickback.Options[arena.State, arena.Input]{}); !errors.Is(err, ErrBusy) && !errors.Is(err, ErrNobody) {
		t.Errorf("a second match: %v", err)
	}
	lost := errors.New("lost")
	if err := a.Explain(lost); err != lost || a.Explain(nil) != nil {
		t.Errorf("without a failure: %v", err)
	}
	err := error(&PeerError{[]FailedPeer{{b.Me(), webrtc.Blocked}, {rooms.Member{ID: 7, Seat: rooms.NoSeat}, webrtc.NoAnswer}}, lost})
	if !errors.Is(err, lost) || err.Error() != "Bob: the network lets no connection through: a TURN server is needed; spectator 7: the peer does not answer" {
		t.Error(err)
	}
	b.Close()
	m.Close()
	a.Close()
	a.Close()
	if err := a.Wait(within(t)); !errors.Is(err, rooms.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// A kicked member is told so, and all connections to it end.
func TestSomebodyIsSentAway(t *testing.T) {
	page := serveRooms(t)
	a := must(t)(Create(within(t), page, config("Ada")))
	b := must(t)(Join(within(t), a.Link(), config("Bob")))
	connects := func(r *Room, n int) {
		t.Helper()
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for ctx := within(t); len(r.Peers()) != n; {
			select {
			case <-ticker.C: // changes of connections are no events
			case <-ctx.Done():
				t.Fatalf("%+v", r.Peers())
			}
		}
	}
	connects(a, 1)
	connects(b, 1)
	if err := a.Kick(b.Me().ID); err != nil {
		t.Fatal(err)
	}
	if err := b.Wait(within(t)); !errors.Is(err, rooms.ErrKicked) {
		t.Errorf("who is sent away waits for a match: %v", err)
	}
	sees(t, a, "nobody else", func(s rooms.State) bool { return len(s.Members) == 1 })
	connects(a, 0)
}

// Open makes a room, or joins the one of a link; without a page it takes an address.
func TestOpen(t *testing.T) {
	page := serveRooms(t)
	host := must(t)(Open(within(t), page, config("host")))
	guest := must(t)(Open(within(t), host.Link(), config("guest")))
	if a, b := host.State().Room, guest.State().Room; a != b || !host.IsHost() || guest.IsHost() || guest.Me().Seat != 1 {
		t.Errorf("the rooms are %q and %q, and the guest is %+v", a, b, guest.Me())
	}
	for _, address := range []string{"", "nowhere"} {
		if r, err := Open(within(t), address, config("lost")); !errors.Is(err, ErrLink) || r != nil {
			t.Errorf("%q opens %v, %v", address, r, err)
		}
	}
}

// An Update that has failed is not called again, and its error is returned again.
func TestBackgroundEndsWithAnError(t *testing.T) {
	calls, failure := 0, errors.New("over")
	update := new(Room).Background(func() error {
		if calls++; calls > 2 {
			return failure
		}
		return nil
	})
	for i := range 5 {
		if err := update(); (err == nil) != (i < 2) || err != nil && err != failure {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
}

// A kicked member cannot come back by the link, since all others have another one: it is
// shown once, where the old one was.
func TestTheLinkAfterSomebodyWasSentAway(t *testing.T) {
	t.Parallel()
	a := must(t)(Create(within(t), serveRooms(t), config("Ada")))
	var shown []string
	a.follow(func() { shown = append(shown, linkTo(a.page, a.client.State().Room)) })
	old := a.Link()
	troll := must(t)(Join(within(t), old, config("Bob")))
	sees(t, a, "two", func(s rooms.State) bool { return len(s.Members) == 2 })
	if err := a.Kick(troll.client.You()); err != nil {
		t.Fatal(err)
	}
	sees(t, a, "one", func(s rooms.State) bool { return len(s.Members) == 1 })
	if a.Link() == old || rooms.RoomOf(a.Ticket()) != RoomOf(a.Link()) {
		t.Errorf("the link was %s and is %s", old, a.Link())
	}
	cfg := config("Bob")
	for name, c := range map[string]struct {
		ticket string
		want   error
	}{"without a ticket": {"", rooms.ErrGone}, "with its ticket": {troll.Ticket(), rooms.ErrKicked}} {
		cfg.Ticket = c.ticket
		if _, err := Join(within(t), old, cfg); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t)(Join(within(t), a.Link(), config("Cy")))
	sees(t, a, "two again", func(s rooms.State) bool { return len(s.Members) == 2 })
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(shown) != 2 || shown[0] != old || shown[1] != a.Link() {
		t.Errorf("shown were %q", shown)
	}
}
